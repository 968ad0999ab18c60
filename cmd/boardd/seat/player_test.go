// SPDX-License-Identifier: Apache-2.0

package seat

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/config"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sync/uci"
)

// TestMain lets the test program play both engines, which write down what they are told. The one of the configuration
// knows only orthodox chess. Boardd's own is called with the word engine.
func TestMain(m *testing.M) {
	heard := os.Getenv("BOARDD_TEST_HEARD")
	if heard == "" {
		os.Exit(m.Run())
	}
	name, variants := "other", "chess"
	if len(os.Args) > 1 && os.Args[1] == "engine" {
		name, variants = "own", "chess var locking"
	}
	file, err := os.OpenFile(filepath.Join(heard, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(1)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Fprintln(file, in.Text())
		switch line := in.Text(); {
		case line == "uci":
			fmt.Printf("id name %s\noption name UCI_Variant type combo default chess var %s\noption name Ponder type check\n"+
				"option name Skill Level type spin min 0 max 20\nuciok\n", name, variants)
		case line == "isready":
			fmt.Println("readyok")
		case strings.HasPrefix(line, "go ponder"):
		case strings.HasSuffix(line, "mate -2"):
			fmt.Println("info string no mate in 2\nbestmove e2e4")
		case strings.HasPrefix(line, "go"), line == "stop":
			fmt.Println("bestmove e2e4 ponder e7e5")
		case line == "quit":
			return
		}
	}
}

// TestStandIn: that boardd's own engine plays a game which the other program does not is told once, whoever asks. When
// the programs take turns, the one that rests ponders no more. Advice and proofs are as good as the program can, and
// the opponent is as strong as its options say.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BOARDD_TEST_HEARD", dir)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &config.Config{EngineCommand: program, EngineOptions: map[string]string{"Skill Level": "3"}}
	var told []string
	tell := func(text say.Said, trouble bool) {
		if trouble {
			told = append(told, text.English)
		}
	}
	players := newPlayers(c, uci.Options{Level: 8, Ponder: true, Say: tell}, uci.Options{Best: true, Say: tell})
	opponent, adviser := players[0], players[1]
	defer opponent.Close()
	defer adviser.Close()
	chess, locking := rules.Variants()[0], rules.Variants()[1]
	ask := func(p *Player, v *rules.Variant) {
		t.Helper()
		if _, err := p.Ask(t.Context(), uci.Question{Start: v.Start()}); err != nil {
			t.Fatal(err)
		}
	}
	heard := func(name, line string) int {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count("\n"+string(text), "\n"+line)
	}
	ask(opponent, chess)
	ask(opponent, locking)
	ask(adviser, locking)
	ask(opponent, locking)
	want := filepath.Base(program) + " does not play Locking Chess: boardd engine is asked instead"
	if !slices.Equal(told, []string{want}) {
		t.Errorf("told %q, want once: %q", told, want)
	}
	if ponders, stops := heard("other", "go ponder"), heard("other", "stop"); ponders != 1 || stops != 1 {
		t.Errorf("the other program was let ponder %d times and stopped %d times, want once", ponders, stops)
	}
	ask(opponent, chess)
	if ponders, stops := heard("own", "go ponder"), heard("own", "stop"); ponders != 2 || stops != 2 {
		t.Errorf("the own engine was let ponder %d times and stopped %d times, want twice", ponders, stops)
	}
	ask(opponent, locking)
	if ponders, stops := heard("other", "go ponder"), heard("other", "stop"); ponders != 2 || stops != 2 {
		t.Errorf("the other program was let ponder %d times and stopped %d times, want twice", ponders, stops)
	}
	ask(adviser, chess)
	if n := heard("other", "setoption name Skill Level value 3"); n != 2 {
		t.Errorf("the program was made weaker %d times, want twice as opponent and never for advice", n)
	}
}

// TestProof: a proof is asked of boardd's own engine alone, whichever program the configuration names.
func TestProof(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BOARDD_TEST_HEARD", dir)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayers(&config.Config{EngineCommand: program}, uci.Options{Best: true})[0]
	defer p.Close()
	for _, mate := range []int{2, 0} {
		a, err := p.Ask(t.Context(), uci.Question{Start: rules.Variants()[0].Start(), Mate: mate, Time: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if a.Holds != (mate == 2) {
			t.Errorf("asked for a mate in %d: it holds: %v", mate, a.Holds)
		}
	}
	for name, want := range map[string]string{"own": " mate -2\n", "other": "\ngo movetime "} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\ngo "); n != 1 || !strings.Contains(string(text), want) ||
			strings.Contains(string(text), "mate") != (name == "own") {
			t.Errorf("the %s program was asked %d times, want once with %q:\n%s", name, n, want, text)
		}
	}
}
