// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/sync/wire"
)

// soonEnough is how long a test waits for what must come. It is long because a busy machine is no fault.
const soonEnough = 5 * time.Minute

// whole is for make soak: nothing is left out.
var whole = flag.Bool("whole", false, "leave no test of the page out, and nothing under the race detector")

// shortened reports whether a test has to do less, because it runs in full without the detector (docs/make/tests).
func shortened() bool { return raceDetector && !*whole }

// TestMain runs the program instead of the tests when it is asked to. So tests can run the program as people do, in
// processes of their own, which can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("BOARDD_TEST_AS_PROGRAM") != "" {
		go endWithParent(os.Getppid())
		main()
	}
	if what := os.Getenv(poured); what != "" {
		go endWithParent(os.Getppid())
		pour(what)
		return
	}
	status := m.Run()
	endChromium()
	os.Exit(status)
}

// program is a run of boardd in a process of its own.
func program(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Env = append(os.Environ(), "BOARDD_TEST_AS_PROGRAM=1")
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 20 * time.Second
	return c
}

// running is a boardd that a test has started and that serves a page.
type running struct {
	t    *testing.T
	page string // "http://127.0.0.1:8080/"
	mqtt string // "tcp://127.0.0.1:1883"
	word string // the word of a first start
	cmd  *exec.Cmd
	errs *bytes.Buffer
	end  func() error // waits for the end of the process

	client   http.Client   // the client that reaches the page
	patience time.Duration // how long await waits
}

var (
	pageLine   = regexp.MustCompile(`^page: (\S+)`)
	brokerLine = regexp.MustCompile(`^broker: (\S+)`)
	wordLine   = regexp.MustCompile(`^word: (\S+)`)
)

// startDemo starts a demo on free ports and ends it with the test.
func startDemo(t *testing.T, args ...string) *running {
	return start(t, append([]string{"demo", "--listen", "127.0.0.1:0", "--mqtt", "127.0.0.1:0"}, args...)...)
}

// start starts a boardd and waits for its page. At the end of the test it is asked to stop, and must do so cleanly.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	return startProgram(t, cancel, program(ctx, args...))
}

// startProgram is start for a command that was made already. cancel asks it to stop.
func startProgram(t *testing.T, cancel func(), cmd *exec.Cmd) *running {
	t.Helper()
	args := cmd.Args
	r := &running{t: t, cmd: cmd, errs: &bytes.Buffer{}, patience: soonEnough}
	// A connection that was opened in advance and never used may be closed by the program, and the request then fails.
	r.client.Transport = &http.Transport{DisableKeepAlives: true}
	r.cmd.Stderr = r.errs
	out, err := r.cmd.StdoutPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for r.page == "" && lines.Scan() {
		if m := pageLine.FindStringSubmatch(lines.Text()); m != nil {
			r.page = m[1]
		}
		if m := brokerLine.FindStringSubmatch(lines.Text()); m != nil {
			r.mqtt = m[1]
		}
		if m := wordLine.FindStringSubmatch(lines.Text()); m != nil {
			r.word = m[1]
		}
	}
	r.end = sync.OnceValue(func() error {
		// a program that hangs fails its own test, not all of them
		late := time.AfterFunc(soonEnough, func() { r.cmd.Process.Kill() })
		defer late.Stop()
		io.Copy(io.Discard, out)
		return r.cmd.Wait()
	})
	killed := false
	t.Cleanup(func() {
		killed = r.cmd.ProcessState != nil
		cancel()
		if err := r.end(); !killed && err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("boardd %v did not end cleanly: %v: %s", args, err, r.errs)
		}
	})
	if r.page == "" {
		t.Fatalf("boardd %v did not start: %s", args, r.errs)
	}
	return r
}

// stop asks the program to stop and waits until it has.
func (r *running) stop() {
	r.t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		r.t.Fatal(err)
	}
	if err := r.end(); err != nil {
		r.t.Errorf("boardd did not end cleanly: %v: %s", err, r.errs)
	}
}

// post sends a body to a board's address and returns the status and the answer.
func (r *running) post(board, what, body string) (int, map[string]any) {
	r.t.Helper()
	resp, err := r.client.Post(r.page+"api/boards/"+board+"/"+what, "application/json", strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		r.t.Fatalf("%s %s: the answer is no JSON: %v", what, body, err)
	}
	return resp.StatusCode, answer
}

// hand lets a virtual hand do something that must succeed.
// text is what the page answers to a path; ok is false if it refuses.
func (r *running) text(path string) (text string, ok bool) {
	r.t.Helper()
	resp, err := r.client.Get(r.page + path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data), resp.StatusCode == http.StatusOK
}

func (r *running) hand(board, body string) {
	r.t.Helper()
	if status, answer := r.post(board, "hand", body); status != http.StatusOK {
		r.t.Fatalf("hand at %s: %s: status %d, %v", board, body, status, answer)
	}
}

// await follows a board's events until its game satisfies the condition.
func (r *running) await(board, what string, ok func(*wire.Game) bool) wire.Game {
	r.t.Helper()
	var g wire.Game
	r.listen(board, "game", func(data []byte) bool {
		g = wire.Game{} // a field that a message leaves out must not keep its old value
		if err := json.Unmarshal(data, &g); err != nil {
			r.t.Fatal(err)
		}
		return ok(&g)
	}, func() string { return fmt.Sprintf("%s: ply %d, wood %+v", what, len(g.Moves), g.Wood) })
	return g
}

// listen follows a board's events of one kind until one satisfies the condition. If none does, what() says in the
// failure what was expected.
func (r *running) listen(board, event string, ok func(data []byte) bool, what func() string) {
	r.t.Helper()
	r.hear(board, event)(ok, what)
}

// hear begins to follow a board's events of one kind, and returns a function that waits for the first that satisfies a
// condition. A momentary event, such as a hint, reaches only those who were listening already.
func (r *running) hear(board, event string) func(ok func(data []byte) bool, what func() string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), r.patience)
	r.t.Cleanup(cancel)
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, r.page+"api/boards/"+board+"/events", nil)
	resp, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	return func(ok func(data []byte) bool, what func() string) {
		r.t.Helper()
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for kind := ""; lines.Scan(); {
			if k, is := strings.CutPrefix(lines.Text(), "event: "); is {
				kind = k
			}
			if data, is := strings.CutPrefix(lines.Text(), "data: "); is && kind == event && ok([]byte(data)) {
				return
			}
		}
		r.t.Fatalf("board %s: waited in vain until %s", board, what())
	}
}

func moved(want ...string) func(*wire.Game) bool {
	return func(g *wire.Game) bool { return slices.Equal(g.Moves, want) }
}

// TestHandAndRemoteBoard goes the whole way once: a hand moves a cube, the remote board lights up, and its player
// copies the move.
func TestHandAndRemoteBoard(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"stack", "twin"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			r := startDemo(t, "--variant", "chess", "--board", kind)
			r.await("north", "the array stands", synced)
			r.hand("north", `{"do":"lift","square":"e2","deck":"lower","count":1}`)
			r.await("north", "the lift is seen", func(g *wire.Game) bool { return g.Wood.State == wire.Moving })
			r.hand("north", `{"do":"place","square":"e4","deck":"lower"}`)
			r.await("north", "the move is made", moved("e2e4"))
			g := r.await("south", "the move is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
			if !moved("e2e4")(&g) || len(g.Wood.Squares) != 2 || g.Wood.Ply != 0 {
				t.Errorf("south shows %v, wood %+v; want e2e4 to copy from ply 0 on two squares", g.Moves, g.Wood)
			}
			r.hand("south", `{"do":"lift","square":"e2"}`)
			r.hand("south", `{"do":"place","square":"e4"}`)
			r.await("south", "the move is copied", func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == 1 })
			if status, answer := r.post("south", "hand", `{"do":"place","square":"e4"}`); status != http.StatusConflict ||
				answer["error"] == "" {
				t.Errorf("placing with an empty hand: status %d, %v; want 409 and a reason", status, answer)
			}
		})
	}
}

// TestPlayedGames plays whole games through chips, lights and broker, as `demo --play FILE --exit` does. Tidy hands
// play under the race detector, others without it; make soak plays all of them under the detector.
func TestPlayedGames(t *testing.T) {
	t.Parallel()
	now := "in full"
	if raceDetector {
		now = "raced"
	}
	for _, c := range []struct{ file, board, hands, want, pace, when string }{
		{"imoto", "stack", "tidy", "32.Kg3#", "0.4", "soaked"},
		{"castles", "stack", "tidy", "O-O-O", "0.4", "raced"},
		{"castles", "stack", "rough", "O-O-O", "0.5", "soaked"},
		{"castles", "twin", "tidy", "O-O-O", "0.4", "soaked"},
		{"castles", "twin", "club", "O-O-O", "0.5", "in full"},
		{"castles", "scale", "tidy", "O-O-O", "0.6", "soaked"},
		// heights are measured 12 times a second: quicker hands than a person's are missed
		{"imoto", "twin", "tidy", "32.Kg3#", "0.9", "soaked"},
	} {
		if !*whole && c.when != now {
			continue
		}
		t.Run(c.file+" "+c.board+" "+c.hands, func(t *testing.T) {
			t.Parallel()
			cmd := program(t.Context(), "demo", "--listen", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--board", c.board,
				"--play", "testdata/games/"+c.file+".pgn", "--exit", "--pace", c.pace, "--hands", c.hands)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !bytes.Contains(out, []byte(c.want)) {
				t.Errorf("the output lacks %q:\n%s", c.want, out)
			}
			if n := bytes.Count(out, []byte("once more")); n > 4 {
				t.Errorf("the boards had to be shown %d times what they had not noticed; a busy machine misses one or two:\n%s", n,
					out)
			}
		})
	}
}

// TestWrongGameFile: an illegal move is named, with the reason, before anything moves.
func TestWrongGameFile(t *testing.T) {
	name := t.TempDir() + "/wrong.pgn"
	if err := os.WriteFile(name, []byte("[Variant \"locking\"]\n\n1.e4 e5 2.Nf6 *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"demo", "--play", name, "--exit"}, cli.Std{In: strings.NewReader(""), Out: &out,
		Err: &errs})
	for _, want := range []string{"line 3", "2.Nf6"} {
		if status != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("status %d, %q; want 1 and %q", status, &errs, want)
		}
	}
}

// TestDisagreement: a file whose result does not follow from its moves ends with status 1, and the error says what
// disagrees.
func TestDisagreement(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/wrong.pgn"
	if err := os.WriteFile(name, []byte("[Variant \"chess\"]\n\n1.f3 e5 2.g4 Qh4# 1-0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := program(t.Context(), "demo", "--listen", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--play", name, "--exit",
		"--pace", "0.4")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !bytes.Contains(out, []byte("says 0-1, the file 1-0")) {
		t.Errorf("%v; want status 1 and the disagreement:\n%s", err, out)
	}
}
