// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// TestMain lets the test program play the engines of the tests, good ones and faulty ones.
func TestMain(m *testing.M) {
	if kind := os.Getenv("BOARDD_TEST_ENGINE"); kind != "" {
		fake(kind)
		return
	}
	os.Exit(m.Run())
}

// fake is an engine for chess and Locking Chess that plays the first legal move, with the fault that kind names.
func fake(kind string) {
	var p rules.Position
	pondered, level, games := false, "", 0
	written, enough := make(chan int), make(chan struct{}, 1)
	v := rules.Variants()[0]
	p = v.Start()
	in := bufio.NewScanner(os.Stdin)
	if kind == "deaf" {
		time.AfterFunc(time.Hour, func() {}) // otherwise the runtime reports a deadlock
		select {}
	}
	for in.Scan() {
		f := strings.Fields(in.Text())
		switch f[0] {
		case "uci":
			if kind == "dumb" {
				continue
			}
			if strings.HasPrefix(kind, "pondering") {
				fmt.Println("option name Ponder type check default false")
			}
			fmt.Println("id name fake\nsomething that is no command\noption name UCI_Variant type combo default chess var " +
				"chess var locking\noption name Level type spin default 8 min 1 max 8\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "ucinewgame":
			games++
		case "setoption":
			switch f[2] {
			case "UCI_Variant":
				v, _ = rules.ByID(f[4])
			case "Level":
				level = f[4]
			}
		case "position":
			p = v.Start()
			for i, w := range f {
				if i > 2 {
					if m, err := p.ParseMove(w); err == nil {
						p.Play(m)
					}
				}
			}
		case "go":
			if f[1] == "ponder" {
				pondered = true
				continue
			}
			switch kind {
			case "levels": // the level and the time come back as score and depth
				fmt.Println("info depth", f[2], "score cp", level+"\nbestmove e2e4")
				continue
			case "games": // how many it was told of comes back as score
				fmt.Printf("info depth 1 score cp %d\nbestmove %s\n", games, p.Coord(p.AppendMoves(nil)[0]))
				continue
			case "torrent":
				go torrent(written, enough)
				continue
			}
			fakeGo(kind, &p)
		case "ponderhit":
			pondered = false
			if kind == "pondering and dying" {
				os.Exit(3)
			}
			fmt.Printf("info depth 9 score cp 77 pv %[1]s\nbestmove %[1]s\n", p.Coord(p.AppendMoves(nil)[0]))
		case "stop":
			if kind == "torrent" {
				enough <- struct{}{}
				fmt.Printf("info depth %d\nbestmove e2e4\n", <-written)
			}
			if kind == "slow" || kind == "flooding" || pondered && kind != "pondering and deaf" {
				pondered = false
				fmt.Println("bestmove " + p.Coord(p.AppendMoves(nil)[0]))
			}
		case "quit":
			if kind != "stubborn" {
				return
			}
		}
	}
}

// torrent writes lines until it is enough, and then says how many bytes they had.
func torrent(written chan<- int, enough <-chan struct{}) {
	for n := 0; ; {
		select {
		case <-enough:
			written <- n
			return
		default:
			k, _ := fmt.Println("info string " + strings.Repeat("x", 999))
			n += k
		}
	}
}

func fakeGo(kind string, p *rules.Position) {
	first := p.Coord(p.AppendMoves(nil)[0])
	once := os.Getenv("BOARDD_TEST_ONCE")
	if once != "" { // the fault shows the first time only
		if _, err := os.Stat(once); err == nil {
			kind = "good"
		}
		_ = os.WriteFile(once, nil, 0o644)
	}
	switch kind {
	case "dying":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	case "mute", "slow":
	case "hungry":
		var eaten [][]byte
		for range 64 {
			eaten = append(eaten, bytes.Repeat([]byte{1}, 16<<20))
		}
		fmt.Println("bestmove", first, len(eaten))
	case "flooding":
		for range 2000 {
			fmt.Println("info depth 1 score cp 0 nodes 1 pv " + first)
		}
	case "endless":
		fmt.Print(strings.Repeat("x", 2*longestLine))
	case "cheating":
		fmt.Println("bestmove e2e5")
	case "shut":
		os.Stdout.Close()
	default:
		fmt.Printf("info depth 3 multipv 1 score cp 35 nodes 10 pv %s a7a6 nonsense\n"+
			"info depth 4 multipv 2 score cp -900 pv h2h3\ninfo string bestmove soon\nbestmove %s ponder e7e5\n", first, first)
	}
}

// patience is how long a test waits for what must happen: a busy machine is no fault.
const patience = 10 * time.Minute

// seat is a client of a fake engine. The tests check the order of events, not their times.
func seat(t *testing.T, kind string, o Options) (*Client, *[]string) {
	t.Helper()
	t.Setenv("BOARDD_TEST_ENGINE", kind)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // a program under the race detector sleeps a second before it ends
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	o.Command = []string{self}
	o.Ordinary = true
	o.Times = Times{StartSilence: patience, Grace: patience, Reply: patience, Think: time.Millisecond, Quit: patience}
	switch kind { // short limits for what never comes
	case "dumb":
		o.Times.StartSilence = time.Millisecond
	case "deaf":
		o.Times.StartSilence, o.Times.Quit = time.Millisecond, time.Millisecond
	case "stubborn":
		o.Times.Quit = time.Millisecond
	case "mute":
		o.Times.Grace, o.Times.Reply = time.Millisecond, time.Millisecond
	case "slow", "flooding", "torrent":
		o.Times.Grace = time.Millisecond
	}
	if o.MemoryMB == 0 {
		o.MemoryMB = 8192 // the race detector takes that much
	}
	var c *Client
	o.Say = func(text say.Said, _ bool) {
		said = append(said, text.English)
		if len(said) > 1 && os.Getenv("BOARDD_TEST_ONCE") != "" { // this engine does not fail, and must get time
			c.times.Reply = patience
		}
	}
	c = New(o)
	t.Cleanup(c.Close)
	return c, &said
}

// TestPriority: every thread of a program has the lowest priority, and this program keeps its own.
func TestPriority(t *testing.T) {
	own := func() (lowered int) {
		for _, nice := range priorities(t, os.Getpid()) {
			if nice == lowest {
				lowered++
			}
		}
		return lowered
	}
	c, _ := seat(t, "good", Options{})
	c.options.Ordinary = false
	if _, err := c.Ask(t.Context(), Question{Start: chess()}); err != nil {
		t.Fatal(err)
	}
	threads := priorities(t, c.child.cmd.Process.Pid)
	if len(threads) < 3 {
		t.Errorf("%d threads, too few to tell", len(threads))
	}
	for _, nice := range threads {
		if nice != lowest {
			t.Errorf("the threads have the priorities %d, want %d each", threads, lowest)
			break
		}
	}
	if n := own(); n > 1 { // the one that started the program may not be gone yet
		t.Errorf("%d threads of this program have the lowest priority as well", n)
	}
}

// priorities is the nice value of each thread of a process.
func priorities(t *testing.T, pid int) (list []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		nice, err := strconv.Atoi(strings.Fields(rest)[16]) // proc_pid_stat(5): field 19, and this begins with field 3
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, nice)
	}
	return list
}

func chess() rules.Position { return rules.Variants()[0].Start() }

func TestAsk(t *testing.T) {
	c, said := seat(t, "good", Options{Level: 3})
	for range 3 {
		a, err := c.Ask(t.Context(), Question{Start: chess()})
		p := chess()
		if err != nil || a.Move != p.AppendMoves(nil)[0] {
			t.Fatalf("got %+v, %v", a, err)
		}
		if a.Score.String() != "+0.35" || a.Depth != 3 || len(a.Line) != 2 {
			t.Errorf("got score %v, depth %d and %d moves, want those of the first line", a.Score, a.Depth, len(a.Line))
		}
		if len(a.Lines) != 2 || a.Lines[0].Score.String() != "+0.35" || a.Lines[1].Score.String() != "-9.00" ||
			p.Coord(a.Lines[1].Moves[0]) != "h2h3" {
			t.Errorf("got %+v, want both lines", a.Lines)
		}
	}
	if len(*said) != 1 {
		t.Errorf("said %q, want one start for three questions", *said)
	}
}

// TestForced: the only legal move is not thought about for long, unless a clock says how long the game may last.
func TestForced(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"7k/8/8/8/8/8/6Q1/K7 w - - 0 1", "go movetime 3000"},
		{"7k/8/6K1/8/8/8/8/5Q2 b - - 0 1", "go movetime 100"},
	} {
		p, err := rules.Variants()[0].ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		q := Question{Start: p}
		if line, most := q.limit(think, &p); line != c.want || most > think {
			t.Errorf("%s, with %d moves: %q for %v at most, want %q", c.fen, p.CountMoves(), line, most, c.want)
		}
		q.Clock = &Clock{Left: [2]time.Duration{time.Minute, time.Minute}}
		if line, _ := q.limit(think, &p); !strings.HasPrefix(line, "go wtime 60000") {
			t.Errorf("%s with a clock: %q", c.fen, line)
		}
	}
}

// TestLines: several lines are requested only from a program that can give them, and not more than it can.
func TestLines(t *testing.T) {
	for offered, want := range map[string]string{
		"option name MultiPV type spin default 1 min 1 max 500": "setoption name MultiPV value 3",
		"option name MultiPV type spin default 1 min 1 max 2":   "setoption name MultiPV value 2",
		"option name Threads type spin default 1 min 1 max 2":   "",
	} {
		o := offer{options: map[string]option{}}
		o.take(offered)
		lines, err := o.choose(told{variant: "chess"}, &Options{Lines: 3})
		if got := strings.Join(lines, "\n"); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", offered, got, err, want)
		}
	}
}

// TestFaultsMended: a fault that happens once costs a new start, but no move.
func TestFaultsMended(t *testing.T) {
	for _, kind := range []string{"dying", "cheating", "shut", "endless", "mute"} {
		t.Run(kind, func(t *testing.T) {
			t.Setenv("BOARDD_TEST_ONCE", filepath.Join(t.TempDir(), "once"))
			c, said := seat(t, kind, Options{})
			a, err := c.Ask(t.Context(), Question{Start: chess()})
			if err != nil || a.Move == rules.NoMove {
				t.Fatalf("got %+v, %v", a, err)
			}
			if len(*said) != 3 || !strings.Contains((*said)[2], "started again") {
				t.Errorf("said %q, want start, start, and then the fault", *said)
			}
		})
	}
}

// TestFaultsTold: a permanent fault is an error that names it, and the client can be asked again.
func TestFaultsTold(t *testing.T) {
	for kind, want := range map[string]string{
		"dying": "exit status 3: out of luck", "dumb": "has not said uciok", "mute": "does not stop thinking",
		"cheating": `"e2e5", which is not a legal move`,
		"deaf":     "has not said uciok",
	} {
		t.Run(kind, func(t *testing.T) {
			c, said := seat(t, kind, Options{})
			for range 2 {
				if _, err := c.Ask(t.Context(), Question{Start: chess()}); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want an error that says %q", err, want)
				}
			}
			for _, text := range *said {
				if strings.Contains(text, want) {
					t.Errorf("said %q as well as the error", text)
				}
			}
		})
	}
}

// TestTooLong: an engine that exceeds its time is told to stop, and its move counts.
func TestTooLong(t *testing.T) {
	for _, kind := range []string{"slow", "flooding"} {
		c, said := seat(t, kind, Options{})
		if a, err := c.Ask(t.Context(), Question{Start: chess(), Time: time.Millisecond}); err != nil ||
			a.Move == rules.NoMove {
			t.Errorf("%s: got %+v, %v", kind, a, err)
		}
		if len(*said) != 1 {
			t.Errorf("%s: said %q, want no new start", kind, *said)
		}
	}
}

// TestTorrent: a program that talks without end costs no more time than a limited number of bytes does. It can be
// stopped all the same, and its move counts.
func TestTorrent(t *testing.T) {
	c, said := seat(t, "torrent", Options{})
	begun := time.Now()
	a, err := c.Ask(t.Context(), Question{Start: chess(), Time: time.Second})
	if err != nil || a.Move == rules.NoMove || len(*said) != 1 {
		t.Fatalf("got %+v, %v, and it said %q", a, err, *said)
	}
	const inPipe = 1 << 18 // bytes that wait in the pipe and in buffers
	if most := burst + inPipe + int(time.Since(begun).Seconds()*flow); a.Depth > most {
		t.Errorf("%d bytes were read, want at most %d", a.Depth, most)
	}
}

// TestThrottle: what comes at once is read at once. After that no more is read than may flow, and a pause counts.
func TestThrottle(t *testing.T) {
	now := time.Unix(1000, 0)
	r := &throttle{from: bytes.NewReader(make([]byte, 10<<20)), now: func() time.Time { return now },
		pause: func(d time.Duration) { now = now.Add(d) }}
	read := func(n int64) time.Duration {
		begun := now
		if _, err := io.CopyN(io.Discard, r, n); err != nil {
			t.Fatal(err)
		}
		return now.Sub(begun)
	}
	if took := read(burst); took != 0 {
		t.Errorf("the first took %v, want no time", took)
	}
	if took, want := read(4*flow), 4*time.Second; took < want-mostRead*time.Second/flow || took > want {
		t.Errorf("%d bytes more took %v, want %v", 4*flow, took, want)
	}
	now = now.Add(time.Hour)
	if took := read(burst); took != 0 {
		t.Errorf("after a pause it took %v, want no time", took)
	}
}

// TestLevels: each question has its own level and time, also to a program that runs already.
func TestLevels(t *testing.T) {
	c, said := seat(t, "levels", Options{Level: 3})
	for _, want := range []Question{{Level: 5, Think: 7 * time.Millisecond}, {Level: 8, Think: 9 * time.Millisecond},
		{}} {
		want.Start = chess()
		a, err := c.Ask(t.Context(), want)
		want.Level, want.Think = cmp.Or(want.Level, 3), cmp.Or(want.Think, time.Millisecond)
		if err != nil || a.Score.Cents != want.Level || a.Depth != int(want.Think.Milliseconds()) {
			t.Errorf("got %+v, %v, want level %d and %v", a, err, want.Level, want.Think)
		}
	}
	if len(*said) != 1 {
		t.Errorf("said %q, want one start", *said)
	}
}

// TestLevelTakenOff: a program that was told a level, and is then to play as well as it can, is started again. No
// option takes a level off.
func TestLevelTakenOff(t *testing.T) {
	c, said := seat(t, "levels", Options{})
	var cents []int
	for _, level := range []int{0, 2, 0} {
		a, err := c.Ask(t.Context(), Question{Start: chess(), Level: level, Think: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		cents = append(cents, a.Score.Cents)
	}
	if cents[1] != 2 || cents[2] != cents[0] || len(*said) != 2 {
		t.Errorf("played at %v, said %q, want no level, 2, and none after a second start", cents, *said)
	}
}

// TestStrength: the user's options of strength count more than the level of the configuration, and less than one that
// was chosen for the game. Where the program is to play as well as it can, they do not count. An option that stays set
// costs a new start, and no other does.
func TestStrength(t *testing.T) {
	offered := offer{options: map[string]option{}}
	for _, line := range []string{"UCI_LimitStrength type check default false", "Hash type spin min 1 max 512",
		"UCI_Elo type spin default 1500 min 1000 max 2400", "Skill Level type spin default 20 min 0 max 20"} {
		offered.take("option name " + line)
	}
	configured := told{variant: "chess", level: 4}
	chosen, highest := told{"chess", 5, true, 0, 0}, told{"chess", mostLevel, true, 0, 0}
	of := map[string]string{"hash": "16", "uci_elo": "2000", "Skill Level": "3"}
	for _, c := range []struct {
		want told
		o    Options
		set  string
	}{
		{configured, Options{}, "UCI_LimitStrength true, UCI_Elo 1600"},
		{configured, Options{Settings: of}, "Hash 16, Skill Level 3, UCI_Elo 2000, UCI_LimitStrength true"},
		{configured, Options{Settings: map[string]string{"Skill Level": "20"}}, "Skill Level 20"},
		{configured, Options{Settings: map[string]string{"UCI_LimitStrength": "false", "UCI_Elo": "1400"}},
			"UCI_Elo 1400, UCI_LimitStrength false"},
		{chosen, Options{Settings: of}, "Hash 16, UCI_LimitStrength true, UCI_Elo 1800"},
		{highest, Options{Settings: of}, "Hash 16, UCI_LimitStrength false, UCI_Elo 2400"},
		{told{variant: "chess"}, Options{Settings: of}, "Hash 16, Skill Level 3, UCI_Elo 2000, UCI_LimitStrength true"},
		{told{variant: "chess"}, Options{Settings: of, Best: true}, "Hash 16"},
	} {
		lines, err := offered.choose(c.want, &c.o)
		got := strings.NewReplacer("setoption name ", "", " value ", " ").Replace(strings.Join(lines, ", "))
		if err != nil || got != c.set {
			t.Errorf("%+v with %v: got %q, %v, want %q", c.want, c.o.Settings, got, err, c.set)
		}
	}
	if o := (Options{Settings: of}); !offered.sticks(configured, chosen, &o) || offered.sticks(chosen, configured, &o) {
		t.Error("want a new start when Skill Level was set and is not any more, and none when it comes")
	}
	if of := map[string]string{"Skill Level": "3"}; !offered.sticks(chosen, configured, &Options{Settings: of}) {
		t.Error("want a new start when UCI_Elo was set and is not any more")
	}
	none := offer{options: map[string]option{}}
	if none.sticks(chosen, told{variant: "chess"}, &Options{}) {
		t.Error("a program without options of strength is started again")
	}
	played := func(o Options, levels ...int) (cents []int) {
		c, _ := seat(t, "levels", o)
		for _, level := range levels {
			a, err := c.Ask(t.Context(), Question{Start: chess(), Level: level, Think: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			cents = append(cents, a.Score.Cents)
		}
		return cents
	}
	of = map[string]string{"Level": "2"}
	if got := played(Options{Level: 4, Settings: of}, 0, 6, 0); !slices.Equal(got, []int{2, 6, 2}) {
		t.Errorf("played at %v, want the user's option, the game's level, the user's option", got)
	}
}

// TestNewGame: a program is told of each new game, and of none when a game goes on or moves are taken back.
func TestNewGame(t *testing.T) {
	c, _ := seat(t, "games", Options{})
	p := chess()
	var moves []rules.Move
	for _, text := range []string{"e2e4", "e7e5", "g1f3", "b8c6"} {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		p.Play(m)
	}
	var got []int
	for _, q := range []Question{
		{Start: chess(), Moves: moves[:2]}, {Start: chess(), Moves: moves}, {Start: chess(), Moves: moves[:3]},
		{Start: chess()}, {Start: chess(), Moves: moves[:1]}, {Start: chess(), Moves: moves[:4]},
		{Start: p}, {Start: p}, {Start: chess(), Moves: moves[:2]},
	} {
		q.Time = time.Second
		a, err := c.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Score.Cents)
	}
	if want := []int{1, 1, 1, 2, 2, 2, 3, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("told of %v games, want %v", got, want)
	}
}

// TestSeed: a program that has the option is told the seed of the game, and the user's own seed counts more.
func TestSeed(t *testing.T) {
	for _, c := range []struct {
		offers string
		own    map[string]string
		want   []string
	}{
		{"Seed type spin default 0 min 0 max 9999", nil, []string{"setoption name Seed value 77"}},
		{"Seed type spin default 0 min 0 max 9999", map[string]string{"Seed": "5"},
			[]string{"setoption name Seed value 77", "setoption name Seed value 5"}},
		{"Hash type spin min 1 max 512", nil, nil},
	} {
		o := offer{options: map[string]option{}}
		o.take("option name " + c.offers)
		got, err := o.choose(told{variant: "chess", seed: 77}, &Options{Settings: c.own})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s, own %v: got %q, %v; want %q", c.offers, c.own, got, err, c.want)
		}
	}
}

// TestIdle: a program that nobody asks anything for a while is ended, and started again by the next question.
func TestIdle(t *testing.T) {
	c, said := seat(t, "good", Options{})
	c.times.Idle = time.Millisecond
	for range 2 {
		if _, err := c.Ask(t.Context(), Question{Start: chess()}); err != nil {
			t.Fatal(err)
		}
		<-c.turn
		running := c.child
		c.turn <- struct{}{}
		if running == nil {
			continue // it has ended already
		}
		select {
		case <-running.over:
		case <-time.After(20 * time.Second):
			t.Fatal("the program still runs")
		}
	}
	for _, text := range *said {
		if !strings.Contains(text, "is ready after") {
			t.Errorf("said %q, though it was not in trouble", text)
		}
	}
}

// TestMemory: a program that takes too much memory ends, and nothing else does.
func TestMemory(t *testing.T) {
	c, _ := seat(t, "hungry", Options{MemoryMB: 300})
	if a, err := c.Ask(t.Context(), Question{Start: chess(), Time: time.Minute}); err == nil {
		t.Errorf("got %+v of a program that took a gigabyte, want an error", a)
	}
}

// TestCancel: withdrawing a question stops the engine's thinking. The engine keeps running and is asked again.
func TestCancel(t *testing.T) {
	c, said := seat(t, "slow", Options{})
	ctx, cancel := context.WithCancel(t.Context())
	replies := c.Begin(ctx, Question{Start: chess(), Time: time.Hour})
	cancel()
	if r := <-replies; !errors.Is(r.Err, context.Canceled) {
		t.Errorf("got %+v, want that it was cancelled", r)
	}
	if _, err := c.Ask(t.Context(), Question{Start: chess(), Time: time.Millisecond}); err != nil {
		t.Errorf("the next question: %v", err)
	}
	if len(*said) > 2 {
		t.Errorf("said %q", *said)
	}
}

// TestPonder: a program that may and can ponder does so on the move that it expects. When that move comes it is told
// so, and answers with what it has found by then. Otherwise it is asked again: after another move, for a question with
// its own time, after Rest, and after it died.
func TestPonder(t *testing.T) {
	const fresh, hit = 35, 77
	for _, c := range []struct {
		kind  string
		may   bool
		reply string
		time  time.Duration
		rest  bool
		want  int
		said  int // lines
	}{
		{"pondering", true, "e7e5", 0, false, hit, 1},
		{"pondering", true, "d7d5", 0, false, fresh, 1},
		{"pondering", true, "e7e5", time.Millisecond, false, fresh, 1},
		{"pondering", true, "e7e5", 0, true, fresh, 1},
		{"pondering", false, "e7e5", 0, false, fresh, 1},
		{"good", true, "e7e5", 0, false, fresh, 1},
		{"pondering and dying", true, "e7e5", 0, false, fresh, 3},
		{"pondering and deaf", true, "d7d5", 0, false, fresh, 2},
	} {
		client, said := seat(t, c.kind, Options{Ponder: c.may})
		if c.kind == "pondering and deaf" {
			client.times.Reply, client.times.Quit = 10*time.Millisecond, time.Millisecond
		}
		q := Question{Start: chess(), Clock: &Clock{Left: [2]time.Duration{time.Minute, time.Minute}}}
		a, err := client.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		p := chess()
		p.Play(a.Move)
		reply, err := p.ParseMove(c.reply)
		if err != nil {
			t.Fatal(err)
		}
		if c.rest {
			client.StopPondering()
		}
		client.times.Reply = patience
		if c.kind == "pondering and deaf" {
			client.times.Reply = 10 * time.Millisecond
		}
		a, err = client.Ask(t.Context(), Question{Start: q.Start, Moves: []rules.Move{a.Move, reply}, Clock: q.Clock,
			Time: c.time})
		if err != nil || a.Score.Cents != c.want || len(*said) != c.said {
			t.Errorf("%+v: got %+v, %v, and it said %q", c, a.Score, err, *said)
		}
	}
}

func TestRefusals(t *testing.T) {
	flying, _ := rules.ByID("flying")
	c, _ := seat(t, "good", Options{})
	if _, err := c.Ask(t.Context(), Question{Start: flying.Start()}); err == nil ||
		!strings.Contains(err.Error(), "fake does not play flying") || !errors.As(err, new(*NotPlayed)) {
		t.Errorf("a game it does not play: %v", err)
	}
	if _, err := c.Ask(t.Context(), Question{Start: flying.Start()}); !errors.As(err, new(*NotPlayed)) || c.child != nil {
		t.Errorf("asked again: %v, want the same without a start", err)
	}
	if _, err := c.Ask(t.Context(), Question{Start: chess()}); err != nil {
		t.Errorf("a game it plays: %v", err)
	}
	c, _ = seat(t, "good", Options{Settings: map[string]string{"Contempt": "3"}})
	if _, err := c.Ask(t.Context(), Question{Start: chess()}); err == nil ||
		!strings.Contains(err.Error(), `no option "Contempt": it has Level, UCI_Variant`) {
		t.Errorf("an option it does not have: %v", err)
	}
	c = New(Options{Command: []string{"/nonexistent/engine"}})
	if _, err := c.Ask(t.Context(), Question{Start: chess()}); err == nil ||
		!strings.Contains(err.Error(), "does not start") {
		t.Errorf("a program that is not there: %v", err)
	}
	mated, err := rules.Variants()[0].ParseFEN("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(t.Context(), Question{Start: mated}); !errors.Is(err, ErrNoMove) {
		t.Errorf("a mate: %v", err)
	}
}

// TestEnds: no program is left behind, not even one that does not quit.
func TestEnds(t *testing.T) {
	for _, kind := range []string{"good", "stubborn", "deaf"} {
		c, _ := seat(t, kind, Options{})
		_, _ = c.Ask(t.Context(), Question{Start: chess()})
		var pid int
		if c.child != nil {
			pid = c.child.cmd.Process.Pid
		}
		c.Close()
		if pid != 0 {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
				t.Errorf("%s: process %d is still there", kind, pid)
			}
		}
	}
}

// TestGame plays a game of Locking Chess through the client, with all moves told each time.
func TestGame(t *testing.T) {
	c, _ := seat(t, "good", Options{})
	locking, err := rules.ByID("locking")
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Start: locking.Start(), Clock: &Clock{Left: [2]time.Duration{time.Minute, time.Minute}}}
	p := q.Start
	for range 10 {
		a, err := c.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Moves = append(q.Moves, a.Move)
		p.Play(a.Move)
	}
}

// TestStockfish seats Debian's Stockfish for real: it plays a few moves at level 1, and a mate in one with its clock
// running.
func TestStockfish(t *testing.T) {
	const path = "/usr/games/stockfish"
	if _, err := exec.LookPath(path); err != nil {
		t.Skip("stockfish is not installed (apt-get install stockfish)")
	}
	times := Times{StartSilence: patience, Grace: patience, Reply: patience}
	c := New(Options{Command: []string{path}, Level: 1, Settings: map[string]string{"Hash": "8"}, Times: times,
		Ordinary: true})
	defer c.Close()
	q := Question{Start: chess(), Time: 20 * time.Millisecond}
	for range 4 {
		a, err := c.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Moves = append(q.Moves, a.Move)
	}
	p, err := rules.Variants()[0].ParseFEN("7k/8/6K1/8/8/8/8/1R6 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	times.Idle = time.Millisecond
	a, err := New(Options{Command: []string{path}, Times: times, Ordinary: true}).Ask(t.Context(),
		Question{Start: p, Clock: &Clock{Left: [2]time.Duration{time.Minute, time.Minute}}})
	if err != nil || p.Coord(a.Move) != "b1b8" || a.Score.Mate != 1 {
		t.Errorf("got %s with %v, %v; want the mate b1b8", p.Coord(a.Move), a.Score, err)
	}
}

// FuzzAnswer: no output of a program makes the reader panic, and every line in an answer can be played.
func FuzzAnswer(f *testing.F) {
	f.Add("info depth 3 score mate -2 pv e2e4 e7e5")
	f.Add("option name Hash type spin default 1 min 1 max 2")
	f.Fuzz(func(t *testing.T, line string) {
		p := chess()
		var h heard
		h.take(line)
		a := h.answer(&p)
		for _, m := range a.Line {
			if !strings.Contains(line, p.Coord(m)) {
				t.Errorf("%q gave %s", line, p.Coord(m))
			}
			p.Play(m)
		}
		o := offer{options: map[string]option{}}
		o.take(line)
		_, _ = o.choose(told{variant: "chess", level: 4}, &Options{Lines: 3})
	})
}
