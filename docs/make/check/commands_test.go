// SPDX-License-Identifier: Apache-2.0

package check

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a command may take; what takes longer hangs.
const patience = 10 * time.Minute

var blocks = regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```$")

// A step is one command of a document, with what it should print, if the document says so.
type step struct {
	document, command string
	want              []string // lines; a line ... stands for any lines, ... within a line for any letters
	told              bool     // want is the whole of what is printed
}

// steps returns the commands of a document: the lines of sh blocks, and those of console blocks that begin with a
// dollar.
func steps(name, text string) (found []step) {
	for _, m := range blocks.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(m[2]) {
			line = strings.TrimRight(line, "\n")
			if n := len(found); n > 0 && m[1] == "sh" && strings.HasSuffix(found[n-1].command, "|") {
				found[n-1].command += " " + strings.TrimSpace(line) // the line before goes on here
				continue
			}
			command, isCommand := strings.CutPrefix(line, "$ ")
			switch {
			case m[1] == "sh" && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
				found = append(found, step{document: name, command: line})
			case m[1] == "console" && isCommand:
				found = append(found, step{document: name, command: command, told: true})
			case m[1] == "console" && len(found) > 0:
				found[len(found)-1].want = append(found[len(found)-1].want, line)
			}
		}
	}
	return found
}

// elsewhere are the beginnings of commands that are not run here, and why.
var elsewhere = map[string]string{
	"gpg --":               "needs a release; systemd/release tests it",
	"sha256sum ":           "the same",
	"sudo apt":             "changes the machine; make box runs the installed package",
	"sudo cp":              "the same",
	"sudo nano":            "the same",
	"sudo systemctl":       "the same",
	"sudo wget":            "the same",
	"cp TRACE ":            "changes the repository",
	"go test -run Corpus":  "make test runs it with every trace",
	"boardd sign ":         "TestSignedCommand runs it",
	"boardd club ":         "TestClub runs it",
	"export BOARDD_":       "a real board's; make test runs the tests after it on virtual ones",
	"BOARDD_":              "the same",
	"go test -run Conform": "the same",
}

// An outcome is how a command ends that cannot do here what it does for an owner.
type outcome struct {
	more  string // options that are added
	fails bool
	says  string
}

var otherwise = map[string]outcome{
	"sudo boardd calibrate": {fails: true, says: "the input has ended before the calibration was finished"},
	"sudo boardd flash":     {more: "--port no-such-line", fails: true, says: "no-such-line: no such file"},
	"sudo boardd bench":     {more: "--seconds 1", says: "all of it is in boardd-bench.json"},
	"sudo boardd keys":      {says: " (this board): "},
	"boardd verify":         {fails: true, says: "nothing is signed"},
}

// outcomeOf returns how a command ends here, if not as it does for an owner.
func outcomeOf(command string) (outcome, bool) {
	for prefix, o := range otherwise {
		if strings.HasPrefix(command, prefix) {
			return o, true
		}
	}
	return outcome{}, false
}

// TestCommands runs every command of every document, those of make aside, which must be targets of the Makefile.
func TestCommands(t *testing.T) {
	program := build(t)
	makefile := read(t, "Makefile")
	used, typed, ran := map[string]bool{}, map[string]bool{}, 0
	for _, name := range documents(t) {
		if name == hubReadme {
			continue // another Makefile: TestHubCommands
		}
		var here []step
		for _, s := range steps(name, read(t, name)) {
			if target, ok := strings.CutPrefix(s.command, "make "); ok {
				target, _, _ = strings.Cut(target, " ")
				if !regexp.MustCompile(`(?m)^([a-z -]+ )?` + target + `( [a-z -]+)?:`).MatchString(makefile) {
					t.Errorf("%s: %s: there is no such target", name, s.command)
				}
			} else if !begins(s.command, used) {
				here = append(here, s)
				for prefix := range otherwise {
					typed[prefix] = typed[prefix] || strings.HasPrefix(s.command, prefix)
				}
			}
		}
		ran += len(here)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := workplace(t)
			for _, s := range here {
				if strings.HasPrefix(s.command, "go run ") {
					t.Run(s.command, func(t *testing.T) { demo(t, program, s) })
				} else {
					run(t, program, dir, s)
				}
			}
		})
	}
	for prefix := range otherwise {
		if !typed[prefix] {
			t.Errorf("no document has a command that begins with %q", prefix)
		}
	}
	for prefix := range elsewhere {
		if !used[prefix] {
			t.Errorf("no document has a command that begins with %q", prefix)
		}
	}
	if ran < 10 {
		t.Errorf("%d commands were run: the search finds too few", ran)
	}
}

// begins reports whether a command is not run here, and notes that its row is used.
func begins(command string, used map[string]bool) bool {
	for prefix := range elsewhere {
		if strings.HasPrefix(command, prefix) {
			used[prefix] = true
			return true
		}
	}
	return false
}

// place is a folder for all tests, built builds the program there once.
var place string

var built = sync.OnceValues(func() (program string, err error) {
	program = filepath.Join(place, "boardd")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/boardd")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return program, fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
})

func TestMain(m *testing.M) {
	var err error
	if place, err = os.MkdirTemp("", "boardd-check-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(place)
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// workplace is a folder with what the commands of a document name: configurations, a trace, a game and a board's
// journal.
func workplace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	virtual := "board: kitchen\nstate_dir: " + dir + "\nhardware:\n  virtual: true\nweb:\n  listen: 127.0.0.1:0\n"
	put("virtual.yaml", virtual)
	put("board.yaml", virtual)
	put("TRACE", read(t, "sensing/reconcile/testdata/traces/chess-stack.trace.gz"))
	put("game.pgn", read(t, "cmd/boardd/testdata/games/imoto.pgn"))
	return dir
}

// foreign reports whether the only fault that a doctor found is that the service may not read files of this test. So
// it is on a machine on which the package is installed, or was.
func foreign(command, out string) bool {
	_, err := user.Lookup("boardd")
	doctor := strings.HasPrefix(strings.TrimPrefix(command, "sudo "), "boardd doctor ")
	return err == nil && doctor && strings.Count(out, "MEND  ") == 1 &&
		strings.Contains(out, "MEND  rights of the service user")
}

// run runs one command as a person would type it, in a folder where its files are.
func run(t *testing.T, program, dir string, s step) {
	t.Helper()
	if text, ok := strings.CutPrefix(s.command, "cat "); ok { // shows a file that the commands after it use
		if err := os.WriteFile(filepath.Join(dir, text), []byte(strings.Join(s.want, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// Here everybody may read the configuration.
	typed := strings.ReplaceAll(strings.TrimPrefix(s.command, "sudo "), "/etc/boardd/", "")
	o, other := outcomeOf(s.command)
	cmd := exec.CommandContext(ctx, "sh", "-c", typed+" "+o.more)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if other {
		if (err != nil) != o.fails || !strings.Contains(string(out), o.says) {
			t.Errorf("%s: %s: %v, want %q said and failure %v:\n%s", s.document, typed, err, o.says, o.fails, out)
		}
		return
	}
	if !s.told {
		if err != nil && !foreign(s.command, string(out)) {
			t.Errorf("%s: %s: %v\n%s", s.document, s.command, err, out)
		}
		return
	}
	if !like(string(out), s.want) {
		t.Errorf("%s: %s prints\n%s\nwhile the document says\n%s", s.document, s.command, out, strings.Join(s.want, "\n"))
	}
}

// like reports whether an output is what a document shows of it.
func like(out string, want []string) bool {
	pattern := "^"
	for _, line := range want {
		if line == "..." {
			pattern += `(.*\n)*?`
			continue
		}
		pattern += strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, `.*`) + `\n`
	}
	return regexp.MustCompile(pattern + "$").MatchString(out)
}

// demo starts a demo on free ports, opens its page, and ends it.
func demo(t *testing.T, program string, s step) {
	args, ok := strings.CutPrefix(s.command, "go run ./cmd/boardd demo")
	if !ok {
		t.Fatalf("%s: %s: want go run ./cmd/boardd demo", s.document, s.command)
	}
	free := []string{"demo", "--listen", "127.0.0.1:0", "--mqtt", "127.0.0.1:0"}
	serve(t, root, program, append(free, strings.Fields(args)...)...)
}

func TestWhatADocumentShows(t *testing.T) {
	got := steps("a.md", "```sh\nmake check\n\n# not this\nboardd x\n```\n```console\n$ boardd moves\na\n...\n"+
		"$ boardd perft\n1\n```\n```\n$ no\n```\n")
	if len(got) != 4 || got[1].command != "boardd x" || got[2].command != "boardd moves" || len(got[2].want) != 2 ||
		got[3].want[0] != "1" {
		t.Errorf("steps: got %+v", got)
	}
	for _, c := range []struct {
		out, want string
		like      bool
	}{
		{"a\nb\n", "a|b", true}, {"a\nb\n", "a", false}, {"a\nb\n", "a|...", true}, {"x\ny\na 12 b\n", "...|a ... b", true},
		{"a\n", "b", false}, {"axb\n", "a.b", false},
	} {
		if got := like(c.out, strings.Split(c.want, "|")); got != c.like {
			t.Errorf("%q like %q: got %v", c.out, c.want, got)
		}
	}
}
