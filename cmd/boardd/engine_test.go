// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/sync/wire"
)

var enginePlies = flag.Int("engineplies", 4, "plies of a game against the engine; 400 plays whole games")

// engineConfig is a virtual board whose Black is an engine.
func engineConfig(t *testing.T, variant, engine string) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "board.yaml")
	text := fmt.Sprintf("board: table\nstate_dir: %s/state\nhardware:\n  virtual: true\ngame:\n  variant: %s\n"+
		"  black: engine\nengine:\n%s\nweb:\n  listen: 127.0.0.1:0\n", dir, variant, engine)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// copied brings the wood to the game, as the lights ask. It looks up what stands on a lit square instead of asking the
// sensors, which may still be settling. It reports whether a move of Black, the engine, was lit.
func (r *running) copied(g *wire.Game) (lit bool) {
	r.t.Helper()
	for !synced(g) {
		lit = lit || g.Wood.State == wire.Executing && g.Turn == "white" && len(g.Wood.Squares) > 0
		if g.Wood.State == wire.Executing || g.Wood.State == wire.Wrong || g.Wood.State == wire.Setup {
			var stands struct{ Lower, Upper map[string][]string }
			r.listen("table", "wood", func(data []byte) bool { return json.Unmarshal(data, &stands) == nil },
				func() string { return "the wood" })
			for i, s := range g.Wood.Squares {
				g.Wood.Squares[i].See = len(stands.Lower[s.Square])
				if s.Deck == "upper" {
					g.Wood.Squares[i].See = len(stands.Upper[s.Square])
				}
			}
			r.mend("table", g)
		}
		at := *g
		*g = r.await("table", "the move is copied", func(n *wire.Game) bool {
			return synced(n) || len(n.Moves) != len(at.Moves) || n.Wood.State != wire.Moving &&
				!reflect.DeepEqual(n.Wood, at.Wood)
		})
	}
	return lit
}

// TestEngineSeat: in every game a person at the board plays against the engine. Its move is lit and copied, and nobody
// else can make it. With -engineplies 400 the games are played to the end.
func TestEngineSeat(t *testing.T) {
	t.Parallel()
	for i, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			r := start(t, "run", "--config", engineConfig(t, v.ID(), fmt.Sprintf("  level: 1\n  ponder: %v", i%2 == 0)))
			g := r.await("table", "the array stands", synced)
			if g.Seats.Black != "engine" {
				t.Fatalf("black is %q, want the engine", g.Seats.Black)
			}
			r.move("table", "e2", "e4", 1)
			lit := false
			for turn := 0; len(g.Moves) < *enginePlies && g.Outcome == ""; turn++ {
				if turn > 0 {
					move := g.Legal[(7*turn+i)%len(g.Legal)]
					r.command("table", fmt.Sprintf(`{"id":"1","do":"move","move":%q}`, move))
					g = r.await("table", move+" is made", func(n *wire.Game) bool { return len(n.Moves) > len(g.Moves) })
					lit = r.copied(&g) || lit
				}
				g = r.await("table", "the engine moves",
					func(n *wire.Game) bool { return n.Turn == "white" && len(n.Moves) > 0 || n.Outcome != "" })
				lit = r.copied(&g) || lit
			}
			if !lit {
				t.Error("no move of the engine was lit")
			}
			if g.Outcome != "" {
				t.Logf("%d plies, %s by %s", len(g.Moves), g.Outcome, g.Reason)
			}
		})
	}
}

// TestEngineClock: while the engine's move has to be copied, the message says why the clocks stand.
func TestEngineClock(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", engineConfig(t, "chess", "  level: 1"))
	r.await("table", "the array stands", synced)
	if _, reply := r.post("table", "command", `{"id":"1","do":"new","seats":{"white":"table","black":"engine"},`+
		`"clock":{"kind":"sudden-death","initial_ms":600000}}`); reply["ok"] != true {
		t.Fatal(reply)
	}
	r.move("table", "e2", "e4", 1)
	g := r.await("table", "the engine's move waits to be copied",
		func(g *wire.Game) bool { return len(g.Moves) == 2 && g.Paused })
	if g.PauseReason != table.Copying {
		t.Errorf("the clocks stand because of %q, want %q", g.PauseReason, table.Copying)
	}
	r.copied(&g)
	r.await("table", "White's clock runs", func(g *wire.Game) bool {
		return g.Clock != nil && g.Clock.Running == "white" && g.PauseReason == ""
	})
}

// TestEngineTurn: the person cannot make the engine's move, takes back two moves at once, and can only resign for the
// own side.
func TestEngineTurn(t *testing.T) {
	t.Parallel()
	// an engine that is never ready, so that its turn lasts
	r := start(t, "run", "--config", engineConfig(t, "chess", "  command: sleep 1000"))
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	if _, reply := r.post("table", "command", `{"id":"1","do":"move","move":"e7e5"}`); reply["ok"] == true ||
		!strings.Contains(fmt.Sprint(reply["error"]), "engine's turn") {
		t.Errorf("the engine's move was made by command: %v", reply)
	}
	r.move("table", "e7", "e5", 1)
	g := r.await("table", "the engine's piece is moved by hand",
		func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	if !slices.Equal(g.Moves, []string{"e2e4"}) {
		t.Errorf("the moves are %v, want e2e4 alone", g.Moves)
	}
	r.move("table", "e5", "e7", 1)
	r.await("table", "it is put back", synced)
	r.command("table", `{"id":"2","do":"resign"}`)
	g = r.await("table", "the person resigns", func(g *wire.Game) bool { return g.Outcome != "" })
	if g.Outcome != "0-1" {
		t.Errorf("the outcome is %s, want that the engine wins", g.Outcome)
	}
}

// TestEngineLevelKept: a game begun by command at a level and with a time of thought keeps both over a restart. A
// level that does not exist is refused.
func TestEngineLevelKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	text := `while read -r line; do case "$line" in
uci) echo option name Level type spin default 8 min 1 max 8; echo uciok;;
isready) echo readyok;;
setoption*|go*) echo "$line" >>` + dir + `/asked;;
quit) exit;;
*e2e4) reply=e7e5;;
*g1f3) reply=b8c6;;
esac; case "$line" in go*) echo bestmove $reply;; esac; done
`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	told := func(when string) {
		t.Helper()
		asked, err := os.ReadFile(filepath.Join(dir, "asked"))
		if want := "setoption name Level value 7\n"; !strings.HasPrefix(string(asked), want) {
			t.Errorf("%s the engine was told %q (%v), want %q", when, asked, err, want)
		}
		_ = os.Remove(filepath.Join(dir, "asked"))
	}
	config := engineConfig(t, "chess", "  command: sh "+program+"\n  level: 2\n  seconds: 1")
	r := start(t, "run", "--config", config)
	r.await("table", "the array stands", synced)
	if _, reply := r.post("table", "command", `{"id":"1","do":"new","options":{"level":9}}`); reply["ok"] == true {
		t.Error("level 9 is taken")
	}
	r.command("table", `{"id":"2","do":"new","options":{"level":7,"seconds":2}}`)
	r.move("table", "e2", "e4", 1)
	g := r.await("table", "the engine moves", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	if g.Options["level"] != "7" || g.Options["seconds"] != "2" {
		t.Errorf("the options are %v", g.Options)
	}
	told("at first")
	r.copied(&g)
	r.stop()
	r = start(t, "run", "--config", config)
	r.await("table", "the game goes on", func(g *wire.Game) bool { return synced(g) && len(g.Moves) == 2 })
	r.move("table", "g1", "f3", 1)
	r.await("table", "the engine moves again", func(g *wire.Game) bool { return len(g.Moves) == 4 })
	told("after the restart")
}

// TestOtherEngine: the program of the configuration may know orthodox chess alone. Then boardd's own engine plays the
// other games, gives hints in them and answers tries at their problems. People are told so.
func TestOtherEngine(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("/usr/games/stockfish"); err != nil {
		t.Skip("stockfish is not installed (apt-get install stockfish)")
	}
	r := start(t, "run", "--config", engineConfig(t, "chess",
		"  command: /usr/games/stockfish\n  level: 1\n  options: {Skill Level: 3}"))
	r.await("table", "the array stands", synced)
	told, hinted := r.hear("table", "event"), r.hear("table", "event")
	r.command("table", `{"id":"0","do":"new","variant":"locking","seats":{"white":"local","black":"engine"}}`)
	r.await("table", "Locking Chess begins", func(g *wire.Game) bool { return g.Variant == "locking" && synced(g) })
	r.command("table", `{"id":"1","do":"hint"}`)
	told(func(data []byte) bool {
		return strings.Contains(string(data), "stockfish does not play Locking Chess: boardd engine is asked instead")
	}, func() string { return "it is told who plays" })
	hinted(func(data []byte) bool { return strings.Contains(string(data), wire.EventHint) },
		func() string { return "the hint is told" })
	r.move("table", "e2", "e4", 1)
	g := r.await("table", "boardd engine moves", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	r.copied(&g)
	locking, err := rules.ByID("locking")
	if err != nil {
		t.Fatal(err)
	}
	number, _, _, wrong := solvable(t, locking)
	r.command("table", fmt.Sprintf(`{"id":"2","do":"new","options":{"problem":"%d"}}`, number))
	g = r.await("table", "a problem is lit", func(g *wire.Game) bool { return g.Problem != nil })
	r.copied(&g)
	r.move("table", wrong[:2], wrong[2:4], 1)
	r.await("table", "the try is refuted", func(g *wire.Game) bool { return g.Problem.State == "refuted" })
	r.command("table", `{"id":"3","do":"new","variant":"chess","seats":{"white":"local","black":"engine"}}`)
	g = r.await("table", "orthodox chess begins", func(g *wire.Game) bool { return g.Variant == "chess" })
	r.copied(&g)
	r.move("table", "e2", "e4", 1)
	r.await("table", "stockfish moves", func(g *wire.Game) bool { return len(g.Moves) == 2 })
}

// TestEngineSeconds: without a clock the engine thinks as long as the configuration says.
func TestEngineSeconds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	text := `while read -r line; do case "$line" in
uci) echo uciok;;
isready) echo readyok;;
go*) echo "$line" >` + dir + `/asked; echo bestmove e7e5;;
quit) exit;;
esac; done
`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", engineConfig(t, "chess", "  command: sh "+program+"\n  seconds: 7"))
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "the engine moves", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	if string(asked) != "go movetime 7000\n" {
		t.Errorf("the engine was told %q (%v), want go movetime 7000", asked, err)
	}
}

// TestHint: when it is asked, the engine says what it would play, by an event and by light: first the piece, then its
// destination.
func TestHint(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "locking", "stack", ""))
	r.await("table", "the array stands", synced)
	told := r.hear("table", "event")
	lit := func(squares ...string) {
		t.Helper()
		r.listen("table", "leds", func(data []byte) bool {
			var l struct{ Lower []string }
			if err := json.Unmarshal(data, &l); err != nil {
				t.Fatal(err)
			}
			n := 0
			for i, color := range l.Lower {
				if name := rules.Square(i).String(); color != "#000000" {
					n++
					if !slices.Contains(squares, name) {
						return false
					}
				}
			}
			return n == len(squares)
		}, func() string { return fmt.Sprintf("%v are lit", squares) })
	}
	r.command("table", `{"id":"1","do":"hint"}`)
	var e wire.Event
	told(func(data []byte) bool {
		e = wire.Event{}
		return json.Unmarshal(data, &e) == nil && e.Kind == wire.EventHint
	}, func() string { return "the hint is told" })
	if len(e.Move) < 4 || e.SAN == "" {
		t.Fatalf("the hint is %+v, want a move", e)
	}
	lit(e.Move[:2])
	lit(e.Move[:2], e.Move[2:4])
	r.move("table", e.Move[:2], e.Move[2:4], 1)
	r.await("table", "it is made", func(g *wire.Game) bool { return len(g.Moves) == 1 })
}

// TestEngineDies: people at the board are told what is wrong with the engine.
func TestEngineDies(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", engineConfig(t, "chess", "  command: /nonexistent/engine"))
	r.await("table", "the array stands", synced)
	told := r.hear("table", "event")
	r.move("table", "e2", "e4", 1)
	told(func(data []byte) bool { return strings.Contains(string(data), "does not start") },
		func() string { return "the trouble is told" })
}

// TestEngineKilled: an engine that is ended in the middle of a game is started again, which people are told, and its
// move comes. It runs only once it is asked. While it thinks every thread of it has the lowest priority, and it stays
// within its memory.
func TestEngineKilled(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", engineConfig(t, "chess", "  level: 8\n  seconds: 15"))
	r.await("table", "the array stands", synced)
	again := time.NewTicker(20 * time.Millisecond) // so that the engine, which has the lowest priority, gets on
	defer again.Stop()
	for running := 1; running > 0; <-again.C { // such as one that tells of the network; they end soon
		_, children := resident(t, r.cmd.Process.Pid)
		running = len(children)
	}
	told := r.hear("table", "event")
	r.move("table", "e2", "e4", 1)
	child := 0
	for busy := 0; busy < 10; <-again.C { // hundredths of a second of its processor time
		if _, children := resident(t, r.cmd.Process.Pid); len(children) > 0 {
			child = children[0]
			user, _ := stat(t, child, 14)
			system, _ := stat(t, child, 15)
			busy = user + system
		}
	}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", child))
	if err != nil || len(tasks) < 3 {
		t.Fatalf("%d threads, %v: too few to tell", len(tasks), err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(filepath.Base(task))
		if err != nil {
			t.Fatal(err)
		}
		if nice, runs := stat(t, tid, 19); runs && nice != 19 {
			t.Errorf("a thread of the engine has the priority %d, want 19", nice)
		}
	}
	if mib, _ := resident(t, child); !raceDetector && (mib == 0 || mib > 64) {
		t.Errorf("the engine holds %d MiB, want some, and at most 64", mib)
	}
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	told(func(data []byte) bool { return strings.Contains(string(data), "was started") },
		func() string { return "people are told that the engine was started again" })
	r.await("table", "the engine moves", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	if _, children := resident(t, r.cmd.Process.Pid); slices.Contains(children, child) {
		t.Errorf("process %d is still there", child)
	}
}

// stat is a number of a thread that runs, by its place in proc_pid_stat(5), from 1.
func stat(t *testing.T, tid, field int) (n int, runs bool) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", tid))
	if err != nil {
		return 0, false // it has ended
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	n, err = strconv.Atoi(strings.Fields(rest)[field-3])
	if err != nil {
		t.Fatal(err)
	}
	return n, true
}
