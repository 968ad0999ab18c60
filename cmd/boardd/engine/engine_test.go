// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/search/mate"
	"boardd/rules/search/problems"
)

// talk gives the engine a script, whose input ends after it, and returns its lines.
func talk(t *testing.T, script ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Run(t.Context(), strings.NewReader(strings.Join(script, "\n")+"\n"), &out, "test"); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// best is the move of the last bestmove.
func best(lines []string) string {
	for _, l := range slices.Backward(lines) {
		if f := strings.Fields(l); len(f) > 1 && f[0] == "bestmove" {
			return f[1]
		}
	}
	return ""
}

func TestGreeting(t *testing.T) {
	lines := talk(t, "uci", "isready", "quit")
	for _, want := range []string{
		"id name boardd test",
		"option name UCI_Variant type combo default chess var chess var locking var meirav var pillar var pillar-liberal " +
			"var superchess var flying",
		"option name Level type spin default 8 min 1 max 8",
		"option name Seed type spin default 0 min 0 max 2147483647",
		"option name Hash type spin default 16 min 1 max 1024",
		"option name MultiPV type spin default 1 min 1 max 64",
		"option name Threads type spin default 1 min 1 max 1",
		"option name Forget type check default true",
		"uciok", "readyok",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in %q", want, lines)
		}
	}
}

// TestEveryGame: in each game the engine answers a node limit with a legal move, twice the same, after moves and a
// stack FEN.
func TestEveryGame(t *testing.T) {
	for _, v := range rules.Variants() {
		choose := "setoption name UCI_Variant value " + v.ID()
		p := v.Start()
		for _, text := range []string{"e2e4", "e7e5", "g1f3", "b8c6"} {
			m, err := p.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(m)
		}
		first := best(talk(t, choose, "position startpos moves e2e4 e7e5 g1f3 b8c6", "go nodes 3000"))
		again := best(talk(t, choose, "position fen "+p.FEN(), "go depth 3",
			"position startpos moves e2e4 e7e5 g1f3 b8c6", "go nodes 3000"))
		if first == "" || first != again {
			t.Errorf("%s: got %q and %q, want the same move twice", v, first, again)
		}
		if m, err := p.ParseMove(first); err != nil || p.Coord(m) != first {
			t.Errorf("%s: bestmove %q: %v", v, first, err)
		}
	}
}

var infoForm = regexp.MustCompile(`^info depth \d+ seldepth \d+( multipv \d+)? score (cp|mate) -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv( \S+)+$`)

func TestInfo(t *testing.T) {
	lines := talk(t, "setoption name MultiPV value 2", "go depth 4")
	infos := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "info depth") {
			infos++
			if !infoForm.MatchString(l) || !strings.Contains(l, "multipv") {
				t.Errorf("not the form of an info line: %q", l)
			}
		}
	}
	if infos != 8 {
		t.Errorf("got %d info lines, want 2 for each of 4 depths", infos)
	}
}

// TestForget: a search limited in nodes begins with nothing, unless it is told to go on from the ones before it.
func TestForget(t *testing.T) {
	deepest := func(forget string) (depth int) {
		lines := talk(t, "setoption name Forget value "+forget, "position startpos", "go nodes 20000", "go nodes 2000")
		for _, l := range lines {
			if _, err := fmt.Sscanf(l, "info depth %d", &depth); err != nil && strings.HasPrefix(l, "info") {
				t.Fatalf("%q: %v", l, err)
			}
		}
		return depth // of the last search
	}
	if kept, forgot := deepest("false"), deepest("true"); kept <= forgot {
		t.Errorf("depth %d after what was kept, %d after nothing; want more", kept, forgot)
	}
}

// TestRefusals: what is wrong is said, and the position stays as it was.
func TestRefusals(t *testing.T) {
	mate := "position fen 7k/8/6K1/8/8/8/8/1R6 w - - 0 1"
	for _, bad := range []string{
		"position fen 8/8/8/8/8/8/8/8 w - - 0 1",
		"position startpos moves e2e5",
		"position startpos moves e2e4 Nf6",
		"position fen [PN]7/8/8/8/8/8/8/K6k w - - 0 1",
		"setoption name UCI_Variant value xiangqi",
		"setoption name Hash value 0",
		"setoption name Forget value maybe",
		"go searchmoves h1h8",
		"bogus",
	} {
		lines := talk(t, mate, bad, "go depth 2")
		if !strings.HasPrefix(lines[0], "info string ") || best(lines) != "b1b8" {
			t.Errorf("%q: got %q, want an info string and then b1b8", bad, lines)
		}
	}
}

func TestNoLegalMove(t *testing.T) {
	for _, fen := range []string{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"} {
		for _, limit := range []string{"depth 5", "infinite", "mate 2", "movetime 10"} {
			if got := best(talk(t, "position fen "+fen, "go "+limit)); got != "(none)" {
				t.Errorf("%s, go %s: got bestmove %q, want (none)", fen, limit, got)
			}
		}
	}
}

func TestGoMate(t *testing.T) {
	two := "position fen 7k/8/5K2/8/8/8/8/1R6 w - - 0 1"
	if lines := talk(t, two, "go mate 3"); !strings.Contains(strings.Join(lines, "\n"), "score mate 2") {
		t.Errorf("got %q, want a mate in 2", lines)
	}
	if lines := talk(t, two, "go mate 1 nodes 500"); !slices.Contains(lines, "info string no mate in 1") ||
		best(lines) == "" {
		t.Errorf("got %q, want it said that there is no mate in 1, and a move", lines)
	}
}

// TestGoMated: a mate below 0 asks whether the side to move is mated. The answer is a move after which it is not, or
// the one that holds out longest, or that nothing is proven in time.
func TestGoMated(t *testing.T) {
	for _, c := range []struct{ fen, limit, says, best string }{
		{"6k1/5ppp/8/8/8/8/8/R3K3 b - - 0 1", "mate -1", "info string no mate in 1", ""},
		{"7k/8/6K1/8/8/8/8/1R6 b - - 0 1", "mate -2 movetime 60000", "score mate -1", "h8g8"},
		{"r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 b - - 0 7", "mate -5 movetime 1",
			"info string it is not proven in time whether there is a mate in 5", ""},
		{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "mate -2", "", "(none)"},
	} {
		lines := talk(t, "position fen "+c.fen, "go "+c.limit)
		if text := strings.Join(lines, "\n"); !strings.Contains(text, c.says) || best(lines) == "" || c.best != "" &&
			best(lines) != c.best {
			t.Errorf("%s, go %s: got %q, want %q and %q", c.fen, c.limit, lines, c.says, c.best)
		}
	}
}

// TestRefutations: the engine is asked after each first try at problems drawn at the run, in every game. Its answer to
// a wrong try is proven to refute it, and to the key it says in how many moves it is mated.
func TestRefutations(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, v := range rules.Variants() {
		list, err := problems.Of(v)
		if err != nil {
			t.Fatal(err)
		}
		left := map[int]int{2: 2, 3: 1}
		for _, n := range r.Perm(len(list)) {
			pr := list[n]
			if left[pr.In]--; left[pr.In] < 0 {
				continue
			}
			p, err := v.ParseFEN(pr.FEN)
			if err != nil {
				t.Fatal(err)
			}
			script := []string{"setoption name UCI_Variant value " + v.ID()}
			var tries []rules.Position
			for _, m := range p.AppendMoves(nil) {
				q := p
				if q.Play(m); q.Result() == rules.Playing {
					tries = append(tries, q)
					script = append(script, "position fen "+pr.FEN+" moves "+p.Coord(m),
						fmt.Sprintf("go nodes 300 mate -%d", pr.In-1))
				}
			}
			says := ""
			for _, line := range talk(t, script...) {
				word, isMove := strings.CutPrefix(line, "bestmove ")
				if !isMove {
					says = line
					continue
				}
				q := tries[0]
				m, err := q.ParseMove(word)
				if err != nil {
					t.Fatalf("%s: %v", q.FEN(), err)
				}
				q.Play(m)
				in, _ := mate.New(1<<20).MateIn(q, pr.In-1)
				want := "info string no mate in "
				if in > 0 {
					want = fmt.Sprintf("score mate -%d ", in)
				}
				if key, err := p.ParseMove(pr.Key); err != nil || !strings.Contains(says, want) ||
					(in > 0) != after(p, key, tries[0]) {
					t.Errorf("%v: after %s it says %q and %s, which is mate in %d", pr, tries[0].FEN(), says, word, in)
				}
				tries = tries[1:]
			}
			if len(tries) > 0 {
				t.Errorf("%v: %d tries are not answered", pr, len(tries))
			}
		}
	}
}

// after reports whether a move leads from one position to another.
func after(p rules.Position, m rules.Move, q rules.Position) bool {
	p.Play(m)
	return p == q
}

// TestStop: an endless search ends at stop, answers isready while it thinks, and takes no other go meanwhile.
func TestStop(t *testing.T) {
	for _, limit := range []string{"infinite", "ponder wtime 1000 btime 1000"} {
		in, write := io.Pipe()
		read, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- Run(context.Background(), in, out, "test")
			out.Close()
		}()
		lines := bufio.NewScanner(read)
		until := func(prefix string) {
			t.Helper()
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), prefix) {
					return
				}
				if strings.HasPrefix(lines.Text(), "bestmove") {
					t.Fatalf("go %s: %q before it was asked for", limit, lines.Text())
				}
			}
			t.Fatalf("go %s: the output ended, want %q", limit, prefix)
		}
		// a mate in one: thought out at once
		fmt.Fprintf(write, "position fen 7k/8/6K1/8/8/8/8/1R6 w - - 0 1\ngo %s\n", limit)
		until("info depth 1")
		fmt.Fprintln(write, "isready")
		until("readyok")
		fmt.Fprintln(write, "go depth 1")
		until("info string go: still thinking")
		fmt.Fprintln(write, "stop")
		until("bestmove b1b8")
		fmt.Fprintln(write, "quit")
		go func() { // what is still said
			for lines.Scan() {
			}
		}()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestNobodyListens: when the input ends, a search without a limit ends too. So does one for a mate that does not
// exist, with a move, and any search when the program is told to end.
func TestNobodyListens(t *testing.T) {
	lastProof = 100 * time.Millisecond
	t.Cleanup(func() { lastProof = 30 * time.Second })
	for _, limit := range []string{"", "mate 2", "mate 20", "searchmoves a2a3"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var out bytes.Buffer
		if err := Run(ctx, strings.NewReader("go "+limit+"\n"), &out, "test"); err != nil {
			t.Fatal(err)
		}
		if ctx.Err() != nil || best(strings.Split(out.String(), "\n")) == "" {
			t.Errorf("go %s: %v, and no move in %q", limit, ctx.Err(), out.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := Run(ctx, strings.NewReader("go movetime 3600000\n"), io.Discard, "test"); err != nil {
		t.Error(err)
	}
}

// TestScriptAtOnce: a client that does not wait for answers gets them all, in order.
func TestScriptAtOnce(t *testing.T) {
	lines := talk(t, "go nodes 20000", "position fen 7k/8/6K1/8/8/8/8/1R6 w - - 0 1", "go nodes 20000",
		"setoption name UCI_Variant value flying",
		"position startpos moves f1f1^ a7a6", "go movetime 50")
	var moves []string
	for _, l := range lines {
		if f := strings.Fields(l); f[0] == "bestmove" {
			moves = append(moves, f[1])
		}
	}
	if len(moves) != 3 || moves[1] != "b1b8" || moves[2] != "f1^b5^" {
		t.Errorf("got %q, want a move, then b1b8, then f1^b5^", moves)
	}
}

// TestPonderHit: after ponderhit the clock runs, and the move comes without a stop.
func TestPonderHit(t *testing.T) {
	in, write := io.Pipe()
	read, out := io.Pipe()
	go Run(t.Context(), in, out, "test")
	fmt.Fprintln(write, "go ponder wtime 100 btime 100")
	lines := bufio.NewScanner(read)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "info depth 3") {
	}
	go fmt.Fprintln(write, "ponderhit")
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "bestmove") {
			write.Close()
			return
		}
	}
	t.Error("no bestmove after ponderhit")
}

// TestQuitAfterAScript: a script that ends with quit gets the moves that it asked for, as without it. A search without
// a limit in nodes or depth ends at once.
func TestQuitAfterAScript(t *testing.T) {
	moves := func(lines []string) (list []string) {
		for _, l := range lines {
			if move, ok := strings.CutPrefix(l, "bestmove "); ok {
				list = append(list, move)
			}
		}
		return list
	}
	script := []string{"go nodes 300000", "position startpos moves e2e4", "go depth 4"}
	want := moves(talk(t, script...))
	if got := moves(talk(t, append(script, "quit")...)); len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("with quit %q, want %q as without", got, want)
	}
	for _, endless := range []string{"go infinite", "go movetime 3600000", "go wtime 36000000 btime 36000000",
		"go ponder depth 3"} {
		if got := moves(talk(t, endless, "quit")); len(got) != 1 {
			t.Errorf("%s and quit: %q, want one move at once", endless, got)
		}
	}
}

// TestUnknownWords: what a client says before a command that is known does not matter. A go with faults is answered,
// because the client waits.
func TestUnknownWords(t *testing.T) {
	if lines := talk(t, "joho isready"); !slices.Equal(lines, []string{"readyok"}) {
		t.Errorf("joho isready: %q", lines)
	}
	if lines := talk(t, "go deep"); len(lines) != 2 || !strings.Contains(lines[0], "deep") || best(lines) != "(none)" {
		t.Errorf("go deep: %q, want what is wrong and no move", lines)
	}
}

// TestForcedReply: the only legal move is answered at once, however long the engine may think.
func TestForcedReply(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, limit := range []string{"movetime 3600000", "wtime 360000000 btime 360000000"} {
		var out bytes.Buffer
		script := "position startpos moves e2e4 f7f5 d1h5\n"
		if err := Run(ctx, strings.NewReader(script+"go "+limit+"\n"), &out, "test"); err != nil {
			t.Fatal(err)
		}
		if ctx.Err() != nil || best(strings.Split(out.String(), "\n")) != "g7g6" {
			t.Errorf("go %s: no move within a minute in %q", limit, out.String())
		}
	}
}

// TestSeed: at a level the same seed gives the same moves, and among some seeds are others. The highest level, and a
// search that is limited by the client, leave nothing to chance.
func TestSeed(t *testing.T) {
	play := func(level, seed int, limit string) string {
		return best(talk(t, fmt.Sprintf("setoption name Level value %d", level),
			fmt.Sprintf("setoption name Seed value %d", seed), "position startpos", "go "+limit))
	}
	moves := map[string]bool{}
	for seed := 1; seed <= 8; seed++ {
		moves[play(4, seed, "movetime 60000")] = true
	}
	if first, again := play(4, 3, "movetime 60000"), play(4, 3, "movetime 60000"); len(moves) < 2 || first != again {
		t.Errorf("eight seeds give the moves %v, and one of them %s and %s; want several, and the same", moves, first, again)
	}
	for _, c := range []struct {
		level int
		limit string
	}{{8, "nodes 3000"}, {4, "depth 2"}} {
		for seed := 1; seed <= 8; seed++ {
			if play(c.level, seed, c.limit) != play(c.level, 0, c.limit) {
				t.Errorf("level %d, go %s: seed %d changes the move", c.level, c.limit, seed)
			}
		}
	}
}
