// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/corentings/chess/v2"

	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/sync/wire"
	"boardd/sync/words"
)

var began = time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)

// played is a game of random moves, ten seconds each, until this many are made or it ends.
func played(t *testing.T, s game.Setup, plies int, random *rand.Rand) *game.Game {
	t.Helper()
	e, err := game.Start(s, began)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(e)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < plies && !g.Over(); n++ {
		legal := g.Legal()
		events, err := g.Decide(game.Action{Do: game.Move, Move: legal[random.IntN(len(legal))]},
			began.Add(time.Duration(n)*10*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if err := g.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return g
}

func text(t *testing.T, g *pgn.Game) string {
	t.Helper()
	var b bytes.Buffer
	if err := pgn.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// said is the message of a game, as far as a game file needs it.
func said(g *game.Game) wire.Game {
	s, start, end := g.Setup(), g.Start(), g.Position()
	m := wire.Game{Schema: wire.Schema, Game: g.ID(), Variant: s.Variant,
		Seats: wire.Seats{White: s.White, Black: s.Black}, Start: start.FEN(), Moves: g.Coords(), SAN: g.SAN(),
		FEN: end.FEN(), Outcome: g.Outcome(), Reason: string(g.Reason()), Timing: words.Clock(s.Clock),
		Names: words.Names(g.Names())}
	if !g.Over() {
		m.Reason = ""
	}
	m.Date, m.Clocks = words.Times(g)
	return m
}

var (
	minutes = &game.Timing{Kind: game.Fischer, Initial: 3_600_000, Increment: 5000}
	names   = &game.Names{Event: "Club evening", Site: "Haifa", Round: "3", Table: "7", White: "Polgar, Judit",
		WhiteTitle: "GM", WhiteFederation: "HUN", WhiteFIDE: 700070, Black: `Blunt, "Rook"`}
)

// TestReadByOthers: an independent library reads orthodox games to the last move, with clocks and names.
func TestReadByOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 25))
	for n := range 40 {
		set := game.Setup{ID: fmt.Sprint("g", n), Variant: "chess", White: game.Local, Black: game.Engine, Board: "north",
			Clock: minutes, Names: names}
		if n%4 == 1 {
			set.Start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
		}
		g := played(t, set, 10+4*n, random)
		file := text(t, File(g))
		if strings.Contains(file, "Variant") {
			t.Fatalf("a tag that others stumble over:\n%s", file)
		}
		read, err := chess.NewScanner(strings.NewReader(file)).ParseNext()
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		for tag, want := range map[string]string{"Event": "Club evening", "Site": "Haifa", "Date": "2026.11.23",
			"Round": "3.7", "White": "Polgar, Judit", "WhiteTitle": "GM",
			"WhiteFederation": "HUN", "WhiteFideId": "700070", "TimeControl": "3600+5", "Board": "7", "GameId": g.ID(),
			"WhiteSeat": "local", "BlackSeat": "engine"} {
			if got := read.GetTagPair(tag); got != want {
				t.Errorf("%s is %q, want %q", tag, got, want)
			}
		}
		moves := read.Moves()
		if len(moves) != g.Plies() {
			t.Fatalf("%d moves, want %d in\n%s", len(moves), g.Plies(), file)
		}
		for i, m := range moves {
			if want := g.Coords()[i]; m.String() != want {
				t.Fatalf("move %d is %s, want %s", i+1, m, want)
			}
			left, _ := g.ClockAt(i + 1)
			if got, _ := m.GetCommand("clk"); got != pgnClock(left) {
				t.Errorf("clock %d is %q, want %s", i+1, got, pgnClock(left))
			}
		}
		want := g.Position()
		if got := read.FEN(); strings.Fields(got)[0] != strings.Fields(want.FEN())[0] {
			t.Errorf("ends in %s, want %s", got, want.FEN())
		}
	}
}

func pgnClock(ms int64) string {
	return fmt.Sprintf("%d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
}

// TestSameText: the game and its message make the same file, which reads back as the same game, in every variant.
func TestSameText(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 25))
	for _, id := range []string{"chess", "locking", "meirav", "pillar", "pillar-liberal", "superchess", "flying"} {
		for n := range 6 {
			set := game.Setup{ID: "g1", Variant: id, White: "north", Black: game.Engine, Board: "north"}
			if n%2 == 0 {
				set.Clock, set.Names = minutes, names
			}
			g := played(t, set, 20*n, random)
			m := said(g)
			file, err := Message("north", &m)
			if err != nil {
				t.Fatal(err)
			}
			got, want := text(t, file), text(t, File(g))
			if got != want {
				t.Fatalf("%s: from the message\n%s\nfrom the game\n%s", id, got, want)
			}
			if hasVariant := strings.Contains(got, `[Variant "`+id+`"]`); hasVariant != (id != "chess") {
				t.Errorf("%s: %s", id, got)
			}
			v := g.Variant()
			if id == "chess" || id != "chess" && n > 0 {
				back, err := pgn.Read(strings.NewReader(got), v)
				if err != nil || len(back) != 1 {
					t.Fatalf("%s: %d games, %v", id, len(back), err)
				}
				if again := text(t, &back[0]); again != got {
					t.Errorf("%s: read again\n%s\nwant\n%s", id, again, got)
				}
			}
		}
	}
}

// TestTimeControl: clocks as game files write them.
func TestTimeControl(t *testing.T) {
	for want, timing := range map[string]*game.Timing{
		"-":            nil,
		"300":          {Kind: game.SuddenDeath, Initial: 300_000},
		"180+2":        {Kind: game.Fischer, Initial: 180_000, Increment: 2000},
		"90.5+0.5":     {Kind: game.Bronstein, Initial: 90_500, Increment: 500},
		"*60":          {Kind: game.Hourglass, Initial: 60_000},
		"40/5400+30:0": {Kind: game.Fischer, Initial: 5_400_000, Increment: 30_000, Moves: 40, Periods: []game.Period{{}}},
		"40/5400+30:1800+30": {Kind: game.Fischer, Initial: 5_400_000, Increment: 30_000, Moves: 40,
			Periods: []game.Period{{Initial: 1_800_000, Increment: 30_000}}},
	} {
		if got := timing.Tag(); got != want {
			t.Errorf("%+v: %q, want %q", timing, got, want)
		}
	}
	odds := &game.Timing{Kind: game.Fischer, Initial: 300_000, Black: &game.Allowance{Initial: 60_000, Increment: 1000}}
	if white, black := odds.SideTag(game.White), odds.SideTag(game.Black); white != "300" || black != "60+1" {
		t.Errorf("handicap: %q and %q", white, black)
	}
}

// TestMessageRefused: a message that is not a game becomes no file.
func TestMessageRefused(t *testing.T) {
	for what, m := range map[string]wire.Game{
		"chess9": {Variant: "chess9", Start: "8/8/8/8/8/8/8/8 w - - 0 1"},
		"fen":    {Variant: "chess", Start: "nonsense"},
		"move 1:": {Variant: "chess", Start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
			Moves: []string{"e2e5"}},
	} {
		if _, err := Message("north", &m); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
