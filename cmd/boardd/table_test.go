// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/cmd/boardd/page"
	"boardd/rules"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// mend puts right every square that the board names, as the lights ask.
func (r *running) mend(board string, g *wire.Game) {
	r.t.Helper()
	for _, s := range g.Wood.Squares {
		if s.See > 0 {
			r.hand(board, fmt.Sprintf(`{"do":"lift","square":%q,"deck":%q,"count":%d}`, s.Square, s.Deck, s.See))
			r.hand(board, `{"do":"discard"}`)
		}
	}
	for _, s := range g.Wood.Squares {
		for _, p := range s.Want {
			r.hand(board, fmt.Sprintf(`{"do":"take","pieces":[%q]}`, p))
			r.hand(board, fmt.Sprintf(`{"do":"place","square":%q,"deck":%q}`, s.Square, s.Deck))
		}
	}
}

// build makes the wood of a virtual board of one deck that of a position, whatever the board asks for. So it does not
// depend on what sensors show while they settle.
func (r *running) build(board string, v *rules.Variant, fen string) {
	r.t.Helper()
	p, err := v.ParseFEN(fen)
	if err != nil {
		r.t.Fatal(err)
	}
	g := wood.Reference()
	want := g.Lay(&p)
	var stands struct{ Lower map[string][]string }
	r.listen(board, "wood", func(data []byte) bool { return json.Unmarshal(data, &stands) == nil },
		func() string { return "the wood" })
	for s := range rules.Square(64) {
		have, pile := stands.Lower[s.String()], want[s]
		if strings.Join(have, "") == string(pile) {
			continue
		}
		if len(have) > 0 {
			r.hand(board, fmt.Sprintf(`{"do":"lift","square":%q,"count":%d}`, s, len(have)))
			r.hand(board, `{"do":"discard"}`)
		}
		for _, letter := range pile {
			r.hand(board, fmt.Sprintf(`{"do":"take","pieces":[%q]}`, string(letter)))
			r.hand(board, fmt.Sprintf(`{"do":"place","square":%q}`, s))
		}
	}
}

func (r *running) command(board, body string) {
	r.t.Helper()
	if _, reply := r.post(board, "command", body); reply["ok"] != true {
		r.t.Fatalf("%s: %v", body, reply)
	}
}

func synced(g *wire.Game) bool { return g.Wood.State == wire.Synced }

// TestRepetitionByHand: moving back to an earlier position by a legal move is a move, not a takeback.
func TestRepetitionByHand(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	r.await("table", "the array stands", synced)
	var made []string
	for _, m := range []string{"g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"} {
		r.move("table", m[:2], m[2:], 1)
		made = append(made, m)
		r.await("table", m+" is made", moved(made...))
	}
}

// TestArrayAgain: setting up the array after the end begins the next game, however long the last one was. In the
// middle of a game it only asks the players.
func TestArrayAgain(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	first := r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	r.move("table", "e7", "e5", 1)
	r.await("table", "e5 is made", moved("e2e4", "e7e5"))
	r.move("table", "g1", "f3", 1)
	r.await("table", "Nf3 is made", moved("e2e4", "e7e5", "g1f3"))

	// One piece stays in the hand all the time, so that no move is taken back on the way, however slow the hands are.
	r.hand("table", `{"do":"lift","square":"f3","hand":"left"}`)
	r.move("table", "e5", "e7", 1)
	r.move("table", "e4", "e2", 1)
	r.hand("table", `{"do":"place","square":"g1","hand":"left"}`)
	g := r.await("table", "the array in mid-game is said to be wrong",
		func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	if standsAs(&g) != "[e2e4 e7e5 g1f3] wrong 3 [e2 e4 e5 e7 f3 g1]" {
		t.Errorf("%s; want the squares that differ from the game", standsAs(&g))
	}
	if len(g.Moves) != 3 || g.Game != first.Game {
		t.Errorf("game %s with %v; want the same game with its moves", g.Game, g.Moves)
	}
	r.command("table", `{"id":"1","do":"resign","by":"white"}`)
	next := r.await("table", "the array after the end is the next game",
		func(g *wire.Game) bool { return g.Game != first.Game && synced(g) })
	if len(next.Moves) != 0 || next.Outcome != "" {
		t.Errorf("the next game has %v, outcome %q", next.Moves, next.Outcome)
	}
	r.move("table", "d2", "d4", 1)
	r.await("table", "it is played", moved("d2d4"))
}

// TestArrayOffersANewGame: both sides sit at the board. Setting up the array in the middle of a game offers a new one,
// and both kings are lit white. It begins when one of them is lifted and put back. If a king is put elsewhere, or the
// pieces go back where the game has them, the game goes on.
func TestArrayOffersANewGame(t *testing.T) {
	t.Parallel()
	for _, board := range []string{"stack", "twin", "reeds"} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", board, ""))
			first := r.await("table", "the array stands", synced)
			made := []string{"e2e4", "e7e5", "d2d3"}
			for i, m := range made {
				r.move("table", m[:2], m[2:], 1)
				r.await("table", m+" is made", moved(made[:i+1]...))
			}
			wrong := func(g *wire.Game) bool {
				return g.Wood.State == wire.Wrong && len(g.Wood.Squares) == 6 && slices.Equal(g.Wood.Kings, []string{"e1", "e8"})
			}
			again := func() {
				r.hand("table", `{"do":"lift","square":"d3","hand":"left"}`)
				r.move("table", "e5", "e7", 1)
				r.move("table", "e4", "e2", 1)
				r.hand("table", `{"do":"place","square":"d2","hand":"left"}`)
				r.await("table", "the array is up", wrong)
			}
			again()
			r.move("table", "e1", "e3", 1)
			r.await("table", "the king stands on e3",
				func(g *wire.Game) bool { return g.Wood.State == wire.Wrong && len(g.Wood.Squares) == 8 })
			r.move("table", "e3", "e1", 1)
			if g := r.await("table", "the array is up", wrong); g.Game != first.Game {
				t.Fatal("a king that was put elsewhere has begun a new game")
			}
			r.move("table", "d2", "d3", 1)
			r.move("table", "e2", "e4", 1)
			r.move("table", "e7", "e5", 1)
			if g := r.await("table", "the game goes on", synced); g.Game != first.Game || len(g.Moves) != 3 {
				t.Fatalf("game %s with %v, want the first one to go on", g.Game, g.Moves)
			}
			again()
			r.listen("table", "leds", func(data []byte) bool {
				var l struct{ Lower []string }
				if err := json.Unmarshal(data, &l); err != nil {
					t.Fatal(err)
				}
				return white(l.Lower[4]) && white(l.Lower[60])
			}, func() string { return "both kings light white" })
			if board == "stack" {
				ctx := browser(t, 1200, 900, r.page)
				soon(t, ctx, "the page says how",
					`document.querySelector(".state")?.textContent.includes("lift a king and put it back")`)
				keep(t, ctx, "array.png")
			}
			r.hand("table", `{"do":"lift","square":"e8"}`)
			r.await("table", "the king is in the hand", func(g *wire.Game) bool { return len(g.Wood.Squares) == 7 })
			r.hand("table", `{"do":"place","square":"e8"}`)
			next := r.await("table", "a new game", func(g *wire.Game) bool { return g.Game != first.Game && synced(g) })
			if len(next.Moves) != 0 || next.Outcome != "" {
				t.Errorf("the new game has %v, outcome %q", next.Moves, next.Outcome)
			}
			r.move("table", "d2", "d4", 1)
			r.await("table", "it is played", moved("d2d4"))
		})
	}
}

// white reports whether a light, "#rrggbb", is on and has no hue.
func white(light string) bool {
	return light != "#000000" && light[1:3] == light[3:5] && light[3:5] == light[5:7]
}

// TestAnswerOnTheBoard: a pawn left on its last rank makes the board ask. Lifting the piece on the square of a choice
// and putting it back answers, and the lights then ask for the exchange.
func TestAnswerOnTheBoard(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"setup","start":"4k3/P6P/8/8/8/8/8/R3K2R w KQ - 0 1"}`)
	g := r.await("table", "the position is to be set up", func(g *wire.Game) bool { return g.Wood.State == wire.Setup })
	r.mend("table", &g)
	r.await("table", "it stands", synced)
	r.move("table", "a7", "a8", 1)
	g = r.await("table", "it asks", func(g *wire.Game) bool { return g.Wood.State == wire.Asking })
	var rook wire.Answer
	for _, a := range g.Wood.Answers {
		if a.Move == "a7a8r" {
			rook = a
		}
	}
	if rook.Square != "a1" && rook.Square != "h1" {
		t.Fatalf("the rook is answered on %q of %v, want White's own rook", rook.Square, g.Wood.Answers)
	}
	r.hand("table", fmt.Sprintf(`{"do":"lift","square":%q}`, rook.Square))
	r.await("table", "the answer is in the hand", func(g *wire.Game) bool { return len(g.Wood.Squares) >= 2 })
	r.hand("table", fmt.Sprintf(`{"do":"place","square":%q}`, rook.Square))
	g = r.await("table", "the rook is asked for",
		func(g *wire.Game) bool { return moved("a7a8r")(g) && g.Wood.State == wire.Executing })
	if len(g.Wood.Choices) != 0 {
		t.Errorf("the question is still open: %v", g.Wood.Choices)
	}
	g = r.await("table", "the square is named", func(g *wire.Game) bool { return len(g.Wood.Squares) == 1 })
	r.mend("table", &g)
	r.await("table", "the rook stands", synced)
}

// TestKilledInTheMiddle: a move finished while the daemon was away is found when it comes back.
func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	conf := writeConfig(t, t.TempDir(), "superchess", "stack", "")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.hand("table", `{"do":"lift","square":"g1"}`)
	r.await("table", "the lift is seen", func(g *wire.Game) bool { return g.Wood.State == wire.Moving })
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	r.end() //nolint:errcheck // it was killed
	r = start(t, "run", "--config", conf)
	r.await("table", "the piece in the hand is missed", func(g *wire.Game) bool { return len(g.Wood.Squares) == 1 })
	r.hand("table", `{"do":"take","pieces":["N"]}`)
	r.hand("table", `{"do":"place","square":"f3"}`)
	r.await("table", "the move is found", moved("g1f3"))
}

// TestArrayOnTwoBoards: after the end, setting up the array on either board begins the next game, and the other board
// follows.
func TestArrayOnTwoBoards(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	first := r.await("north", "the array stands", synced)
	r.move("north", "e2", "e4", 1)
	r.await("south", "the move is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
	r.command("south", `{"id":"1","do":"resign"}`)
	r.await("north", "the end is known", func(g *wire.Game) bool { return g.Outcome == "1-0" })
	// South never copied the move: its array is still that of the old game.
	r.hand("south", `{"do":"lift","square":"g8"}`)
	r.await("south", "the old game stands", func(g *wire.Game) bool {
		return g.Game == first.Game &&
			slices.ContainsFunc(g.Wood.Squares, func(s wire.Touch) bool { return s.Square == "g8" })
	})
	r.hand("south", `{"do":"place","square":"g8"}`)
	r.move("north", "e4", "e2", 1)
	next := r.await("north", "the next game has begun",
		func(g *wire.Game) bool { return g.Game != first.Game && synced(g) })
	r.await("south", "it has begun here as well", func(g *wire.Game) bool { return g.Game == next.Game && synced(g) })
}

// TestTakenPort: if a port that was asked for is in use, the error names it. A default port is replaced by the next
// free one.
func TestTakenPort(t *testing.T) {
	l, err := page.Listen("127.0.0.1:0", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().String()
	if _, err := page.Listen(taken, false, nil); err == nil || !strings.Contains(err.Error(), taken) {
		t.Errorf("the taken port was given or not named: %v", err)
	}
	next, err := page.Listen(taken, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if next.Addr().String() == taken {
		t.Error("the taken port was given twice")
	}
	next.Close()
}
