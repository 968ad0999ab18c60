// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
)

// timed plays moves on a local board, each after this many seconds of thinking, from the moment the clock is started.
func timed(t *testing.T, s game.Setup, thinks ...float64) (*game.Game, time.Time) {
	t.Helper()
	s.White, s.Black = game.Local, game.Local
	g := begin(t, s)
	now := noon
	do(t, g, game.Action{Do: game.Resume}, now)
	knights := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for i, seconds := range thinks {
		now = now.Add(time.Duration(seconds * float64(time.Second)))
		do(t, g, game.Action{Do: game.Move, Move: knights[i%4]}, now)
	}
	return g, now
}

func wantClocks(t *testing.T, name string, g *game.Game, at time.Time, white, black float64) {
	t.Helper()
	c, ok := g.Clocks(at)
	if !ok {
		t.Fatalf("%s: no clock", name)
	}
	if c.White.Seconds() != white || c.Black.Seconds() != black {
		t.Errorf("%s: got %v and %v, want %v s and %v s", name, c.White, c.Black, white, black)
	}
}

func TestKindsOfClocks(t *testing.T) {
	minute := int64(60000)
	for _, c := range []struct {
		name         string
		timing       game.Timing
		thinks       []float64
		white, black float64
	}{
		{"sudden death", game.Timing{Kind: game.SuddenDeath, Initial: minute}, []float64{10, 20, 5}, 45, 40},
		{"fischer", game.Timing{Kind: game.Fischer, Initial: minute, Increment: 5000}, []float64{10, 2, 1}, 59, 63},
		{"bronstein gives back at most what was used", game.Timing{Kind: game.Bronstein, Initial: minute, Increment: 5000},
			[]float64{10, 2, 5}, 55, 60},
		{"delay waits first", game.Timing{Kind: game.Delay, Initial: minute, Increment: 5000}, []float64{10, 2, 5}, 55, 60},
		{"hourglass", game.Timing{Kind: game.Hourglass, Initial: minute}, []float64{10, 25}, 75, 45},
		{"handicap", game.Timing{Kind: game.Fischer, Initial: minute,
			White: &game.Allowance{Initial: 30000, Increment: 1000}}, []float64{10, 10}, 21, 50},
		{"two periods", game.Timing{Kind: game.Fischer, Initial: minute, Moves: 2,
			Periods: []game.Period{{Initial: 30000, Increment: 2000}}},
			[]float64{10, 10, 10, 10, 10}, 62, 70},
		{"three periods", game.Timing{Kind: game.SuddenDeath, Initial: minute, Moves: 1,
			Periods: []game.Period{{Moves: 1, Initial: 10000}, {Initial: 1000}}},
			[]float64{1, 1, 1, 1}, 69, 69},
	} {
		g, now := timed(t, game.Setup{Clock: &c.timing}, c.thinks...)
		wantClocks(t, c.name, g, now, c.white, c.black)
	}
}

func TestClockRunsPausesAndResumes(t *testing.T) {
	g, now := timed(t, game.Setup{Clock: &game.Timing{Kind: game.Delay, Initial: 60000, Increment: 5000}}, 1)
	wantClocks(t, "within the delay", g, now.Add(4*time.Second), 60, 60)
	wantClocks(t, "after the delay", g, now.Add(7*time.Second), 60, 58)
	do(t, g, game.Action{Do: game.Pause}, now.Add(7*time.Second))
	wantClocks(t, "paused", g, now.Add(time.Hour), 60, 58)
	if c, _ := g.Clocks(now); c.Running != game.Nobody || !c.Paused {
		t.Errorf("got %+v, want nobody's time to run", c)
	}
	do(t, g, game.Action{Do: game.Resume}, now.Add(time.Hour))
	wantClocks(t, "resumed", g, now.Add(time.Hour+time.Second), 60, 57)
	wantClocks(t, "a wall clock set back", g, now.Add(-time.Hour), 60, 58)
}

func TestFirstMoveIsFreeUnlessTheClockWasStarted(t *testing.T) {
	g := begin(t, game.Setup{White: game.Local, Black: game.Local,
		Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 60000}})
	if _, runs := g.FlagAt(); runs {
		t.Error("time runs before the first move")
	}
	do(t, g, game.Action{Do: game.Move, Move: "e4"}, noon.Add(time.Hour))
	wantClocks(t, "after the first move", g, noon.Add(time.Hour+time.Second), 60, 59)
}

func TestFlagFallsOnce(t *testing.T) {
	g, now := timed(t, game.Setup{Clock: &game.Timing{Kind: game.Delay, Initial: 60000, Increment: 5000}}, 1)
	at, runs := g.FlagAt()
	if !runs || at.Sub(now) != 65*time.Second {
		t.Fatalf("the flag falls after %v, want 65 s", at.Sub(now))
	}
	if _, err := g.Decide(game.Action{Do: game.Flag}, at.Add(-time.Millisecond)); err == nil {
		t.Error("the flag falls a millisecond early")
	}
	if _, err := g.Decide(game.Action{Do: game.Move, Move: "e5"}, at); err == nil {
		t.Error("a move is made when the time is up")
	}
	do(t, g, game.Action{Do: game.Flag}, at)
	wantEnd(t, g, game.WhiteWins, rules.Time)
	wantClocks(t, "afterwards", g, at.Add(time.Hour), 60, 0)
	if _, err := g.Decide(game.Action{Do: game.Flag}, at.Add(time.Second)); err == nil {
		t.Error("the flag falls twice")
	}
	if _, runs := g.FlagAt(); runs {
		t.Error("time runs after the end")
	}
}

func TestNoWinOnTimeAgainstABareKing(t *testing.T) {
	for _, c := range []struct{ variant, fen, want string }{
		{"chess", "k7/8/8/8/8/8/8/KQ6 w - - 0 1", game.Draw},           // White's flag, Black has the king alone
		{"chess", "kr6/8/8/8/8/8/8/KQ6 w - - 0 1", game.BlackWins},     //
		{"locking", "k7/8/8/8/8/8/[pQ]7/K7 w - - 0 1", game.BlackWins}, // a locked piece may be free again
	} {
		g := begin(t, game.Setup{White: game.Local, Black: game.Local, Variant: c.variant, Start: c.fen,
			Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 1000}})
		do(t, g, game.Action{Do: game.Resume}, noon)
		do(t, g, game.Action{Do: game.Flag}, noon.Add(time.Second))
		wantEnd(t, g, c.want, rules.Time)
	}
}

func TestTakebackTurnsTheClocksBack(t *testing.T) {
	g, now := timed(t, game.Setup{Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 60000}}, 10, 20)
	do(t, g, game.Action{Do: game.Takeback}, now)
	wantClocks(t, "one back", g, now.Add(time.Second), 50, 59)
	do(t, g, game.Action{Do: game.Takeback}, now)
	wantClocks(t, "two back", g, now.Add(time.Second), 59, 60)
}

func TestRemoteTimeTravelsWithTheMove(t *testing.T) {
	g := begin(t, game.Setup{Clock: &game.Timing{Kind: game.Fischer, Initial: 60000, Increment: 1000}})
	do(t, g, game.Action{Do: game.Move, Move: "e4"}, noon)
	if _, runs := g.FlagAt(); runs {
		t.Error("the flag of a side that is played elsewhere is watched here")
	}
	if _, err := g.Decide(game.Action{Do: game.Flag}, noon.Add(time.Hour)); err == nil {
		t.Error("the flag of a side that is played elsewhere falls here")
	}
	black, white := int64(45000), int64(61000)
	h := game.RemoteGame{Board: "south", ID: "g1", Variant: "chess", White: "north", Black: "south",
		Moves: []string{"e2e4", "e7e5"}, BlackLeft: &black, WhiteLeft: &white}
	events, err := g.Merge(h, noon.Add(30*time.Second)) // the message took long, or that clock was paused
	if err != nil {
		t.Fatal(err)
	}
	apply(t, g, events)
	wantClocks(t, "after the move", g, noon.Add(31*time.Second), 60, 45)
}

// TestPauseThatNobodyHeardOf: the other board paused the clocks and let them go on, and only the last message of both
// comes. Time that was used here stays used.
func TestPauseThatNobodyHeardOf(t *testing.T) {
	g := begin(t, game.Setup{Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 60000}})
	do(t, g, game.Action{Do: game.Resume}, noon)
	h := south()
	h.Pauses, h.Running = 2, true
	events, err := g.Merge(h, noon.Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	apply(t, g, events)
	if g.Paused() {
		t.Error("the clocks stand")
	}
	wantClocks(t, "after 15 s", g, noon.Add(15*time.Second), 45, 60)
}

// TestOldMessageOfAClock: what a retained message says of the side that thinks is no more than it had then.
func TestOldMessageOfAClock(t *testing.T) {
	for _, c := range []struct {
		name       string
		told, want float64
		old        bool
	}{
		{"said just now", 58, 58, false},
		{"said long ago", 58, 45, true},
		{"said long ago, and less", 40, 40, true},
	} {
		g := begin(t, game.Setup{Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 60000}})
		do(t, g, game.Action{Do: game.Move, Move: "e4"}, noon)
		h := south("e2e4")
		told := int64(c.told * 1000)
		h.BlackLeft, h.Running, h.Old = &told, true, c.old
		now := noon.Add(15 * time.Second)
		events, err := g.Merge(h, now)
		if err != nil {
			t.Fatal(err)
		}
		apply(t, g, events)
		wantClocks(t, c.name, g, now, 60, c.want)
	}
}

func TestOutage(t *testing.T) {
	for option, want := range map[string]float64{"": 60, game.OutageStop: 60, game.OutageRun: 50} {
		o := map[string]string{}
		if option != "" {
			o[game.OptionOutage] = option
		}
		g, now := timed(t, game.Setup{Options: o, Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 60000}}, 0)
		back := now.Add(10 * time.Second)
		do(t, g, game.Action{Do: game.EndOutage}, back)
		wantClocks(t, "outage "+option, g, back, 60, want)
		wantClocks(t, "outage "+option, g, back.Add(time.Second), 60, want-1)
	}
}

// TestOutageOfUnknownLength: where the clock runs on during an outage, it does not if the computer's clock was not set
// at the last move. Otherwise a game that began in 1970 would be lost on time when a time server is found.
func TestOutageOfUnknownLength(t *testing.T) {
	at := time.Date(1970, 1, 1, 0, 1, 0, 0, time.UTC)
	e, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: game.Local, Black: game.Local, Board: "north",
		Options: map[string]string{game.OptionOutage: game.OutageRun},
		Clock:   &game.Timing{Kind: game.SuddenDeath, Initial: 60000}}, at)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(e)
	if err != nil {
		t.Fatal(err)
	}
	do(t, g, game.Action{Do: game.Move, Move: "e4"}, at)
	do(t, g, game.Action{Do: game.EndOutage}, noon)
	wantClocks(t, "dated 1970", g, noon.Add(time.Second), 60, 59)
}

// TestAdjustHourglass: the clocks of an hourglass are set only to what they show together.
func TestAdjustHourglass(t *testing.T) {
	g, now := timed(t, game.Setup{ID: "one", Board: "north", Variant: "chess",
		Clock: &game.Timing{Kind: game.Hourglass, Initial: 60000}}, 10, 25)
	adjust := func(white, black time.Duration) error {
		_, err := g.Decide(game.Action{Do: game.Adjust, Left: [2]time.Duration{white, black}}, now)
		return err
	}
	if err := adjust(time.Second, 2*time.Second); err == nil {
		t.Error("an hourglass of two minutes is set to three seconds")
	}
	if err := adjust(20*time.Second, 100*time.Second); err != nil {
		t.Errorf("20 and 100 seconds: %v", err)
	}
}
