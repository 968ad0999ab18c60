// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
	"boardd/sync/words"
)

// board is a table without wood: a game between two boards, in which the seat is the other board.
type board struct {
	t         *testing.T
	game      *game.Game
	seat      *Seat
	names     *wire.Names
	texts     []string
	hurries   int
	conflicts []string
	stop      func()
	done      chan struct{}
}

// sit begins a game against the server, whose moves the board follows. White is this board's unless black is set.
func sit(t *testing.T, s *server, w GameOptions, black bool, start string) *board {
	t.Helper()
	b := &board{t: t}
	b.fresh(black, start)
	b.connect(s, w)
	return b
}

// fresh begins another game with the server, as a board does that is switched on.
func (b *board) fresh(black bool, start string) {
	b.t.Helper()
	set := game.Setup{ID: "0000000000-000001", Variant: "chess", Board: "north", White: "north", Black: game.Lichess,
		Start: start}
	if black {
		set.White, set.Black = game.Lichess, "north"
	}
	if b.game != nil {
		set.ID = game.NewID(time.Now(), 1, b.game.ID())
	}
	b.begin(set)
}

func (b *board) begin(set game.Setup) {
	b.t.Helper()
	e, err := game.Start(set, time.Now())
	if err == nil {
		b.game, err = game.New(e)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// connect seats the server.
func (b *board) connect(s *server, w GameOptions) {
	ctx, stop := context.WithCancel(b.t.Context())
	b.seat, b.done = NewSeat(New("https://lichess.example", "secret", memory{s}), "north", w), make(chan struct{})
	b.stop = func() { stop(); <-b.done }
	seat := b.seat
	go func() { defer close(b.done); seat.Run(ctx) }()
	b.show()
}

// show says the whole game, as the table does.
func (b *board) show() {
	g, set, start := b.game, b.game.Setup(), b.game.Start()
	m := &wire.Game{Game: g.ID(), Seats: wire.Seats{White: set.White, Black: set.Black}, Start: start.FEN(),
		Moves: g.Coords(), Outcome: g.Outcome(), Takebacks: g.Takebacks(),
		Offer: string(g.Offer()), NoDraw: string(g.DeclinedDraw()), Wood: wire.Wood{State: wire.Synced}}
	if g.Over() {
		m.Reason = string(g.Reason())
	}
	for _, side := range []game.Side{game.White, game.Black} {
		if number, to, open := g.TakebackRequest(side); set.Here(side) {
			if open {
				m.Ask = &wire.Ask{By: string(side), Number: number, To: to}
			}
			m.Declined = max(m.Declined, g.DeclinedTakeback(side))
		}
	}
	b.seat.Show(m)
}

// take takes what the seat says.
func (b *board) take(s Update) {
	switch {
	case s.Names != nil:
		b.names = s.Names
	case s.Hurry > 0:
		b.hurries++
	case s.Text != "":
		b.texts = append(b.texts, s.Text)
	}
	m := s.Game
	if m == nil {
		return
	}
	h := game.RemoteGame{Board: game.Lichess, ID: m.Game, Variant: m.Variant, White: m.Seats.White, Black: m.Seats.Black,
		Start: m.Start, Moves: m.Moves, Outcome: m.Outcome, Reason: m.Reason,
		Offer: game.Side(m.Offer), Takebacks: m.Takebacks, Timing: words.Timing(m.Timing), Old: s.Old}
	if m.Ask != nil {
		h.AskBy, h.AskNumber, h.AskTo = game.Side(m.Ask.By), m.Ask.Number, m.Ask.To
	}
	if m.Clock != nil {
		h.WhiteLeft, h.BlackLeft, h.Running = &m.Clock.White, &m.Clock.Black, m.Clock.Running != ""
	}
	if h.ID != b.game.ID() {
		set, err := game.Invited(h, "north", b.game)
		if err != nil {
			b.conflicts = append(b.conflicts, err.Error())
			return
		}
		b.begin(set)
	}
	events, err := b.game.Merge(h, time.Now())
	if err != nil {
		var c *game.ConflictError
		if !errors.As(err, &c) {
			b.t.Error(err)
		}
		b.conflicts = append(b.conflicts, err.Error())
		return
	}
	for _, e := range events {
		if err := b.game.Apply(e); err != nil {
			b.t.Error(err)
		}
	}
	b.show()
}

// wait lets so much time pass, and takes what comes.
func (b *board) wait(d time.Duration) {
	end := time.NewTimer(d)
	for {
		select {
		case s := <-b.seat.Said():
			b.take(s)
		case <-end.C:
			synctest.Wait()
			return
		}
	}
}

// do does something at the board.
func (b *board) do(a game.Action) {
	b.t.Helper()
	events, err := b.game.Decide(a, time.Now())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range events {
		if err := b.game.Apply(e); err != nil {
			b.t.Fatal(err)
		}
	}
	b.show()
}

// turns plays this many moves at the board, as its turn comes; it waits a quarter of an hour for each.
func (b *board) turns(n int) {
	b.t.Helper()
	for ; n > 0 && !b.game.Over(); n-- {
		for k := 0; !b.mine() && !b.game.Over(); k++ {
			if k > 900 {
				b.t.Fatalf("the opponent does not move: %v", b.game.Coords())
			}
			b.wait(time.Second)
		}
		if b.game.Over() {
			return
		}
		legal := b.game.Legal()
		b.do(game.Action{Do: game.Move, Move: legal[(7*n)%len(legal)]})
	}
}

func (b *board) mine() bool {
	return b.game.Setup().Seat(b.game.Turn()) == "north" && there(b.game.ID()) != ""
}

// agree compares the game here with the one there.
func (b *board) agree(s *server) *match {
	b.t.Helper()
	b.wait(5 * time.Minute)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.games) == 0 {
		b.t.Fatalf("no game has begun there: %v", b.texts)
	}
	m := s.games[len(s.games)-1]
	if there(b.game.ID()) != m.id || !slices.Equal(b.game.Coords(), m.moves) || b.game.Over() != (m.status != "started") {
		b.t.Errorf("here %s: %v %q; there %s: %v %s; said %v, conflicts %v", b.game.ID(), b.game.Coords(), b.game.Outcome(),
			m.id, m.moves, m.status, b.texts, b.conflicts)
	}
	if b.seat.Going() != (m.status == "started") {
		b.t.Errorf("the seat says that a game goes on: %v, there it is %s", b.seat.Going(), m.status)
	}
	c := *m
	return &c
}

var computer = GameOptions{Opponent: "computer", Level: 3, Minutes: 15, Increment: 10}

// TestGames plays against a server with each of the faults. In the end both have the same game, without
// contradictions, and no move was lost or made twice.
func TestGames(t *testing.T) {
	for what, fault := range map[string]func(*server){
		"none":             func(*server) {},
		"repeated lines":   func(s *server) { s.twice = true },
		"cut streams":      func(s *server) { s.cut = 3 },
		"cut and repeated": func(s *server) { s.cut, s.twice = 2, true },
		"busy":             func(s *server) { s.busy = 2 },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				fault(s)
				b := sit(t, s, computer, what == "repeated lines", "")
				b.wait(10 * time.Second)
				b.turns(25)
				m := b.agree(s)
				if len(b.conflicts) > 0 || len(m.moves) < 40 && !b.game.Over() {
					t.Errorf("%d moves, conflicts %v", len(m.moves), b.conflicts)
				}
				if b.names == nil || b.names.Site != "https://lichess.example/"+m.id ||
					b.names.Black != "Lichess computer, level 3" {
					t.Errorf("names %+v", b.names)
				}
				if !b.game.Over() {
					b.do(game.Action{Do: game.Resign})
				}
				m = b.agree(s)
				if m.status == "resign" && m.winner == string(b.game.Setup().Remote("white")) {
					t.Errorf("winner %s", m.winner)
				}
				b.stop()
			})
		})
	}
}

// TestBusyServerIsLeftAlone: after 429 no request goes out for a minute.
func TestBusyServerIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.busy = 1
		b := sit(t, s, computer, false, "")
		b.wait(50 * time.Second)
		if all := s.requests(); len(all) != 1 {
			t.Errorf("requests within a minute of 429: %v", all)
		}
		b.wait(time.Minute)
		if n := s.count(); n != 1 {
			t.Errorf("%d games after two minutes", n)
		}
		b.stop()
	})
}

// TestTalk: draws and takebacks, asked for here and there.
func TestTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := sit(t, s, computer, false, "")
		b.wait(10 * time.Second)
		set := func(f func(m *match)) { s.change(func() { f(s.games[0]) }) }

		// The opponent asks to take back: accepted once, declined once.
		b.turns(2)
		b.wait(30 * time.Second)
		for _, answer := range []game.ActionKind{game.AcceptTakeback, game.DeclineTakeback} {
			set(func(m *match) { m.back[1] = true })
			b.wait(5 * time.Second)
			if _, _, open := b.game.TakebackRequest(game.Black); !open {
				t.Fatalf("the opponent's request has not arrived: %v", b.texts)
			}
			b.do(game.Action{Do: answer})
			b.wait(30 * time.Second)
		}
		b.agree(s)

		// This board asks: the opponent lets it.
		set(func(m *match) { m.yields = true })
		b.turns(1)
		b.wait(30 * time.Second)
		before := b.game.Plies()
		b.do(game.Action{Do: game.Takeback, By: game.White})
		b.wait(30 * time.Second)
		if b.game.Plies() >= before || b.game.Takebacks() < 2 {
			t.Errorf("%d moves after a takeback, %d before; %d takebacks", b.game.Plies(), before, b.game.Takebacks())
		}
		b.agree(s)

		// A draw that the opponent offers is declined; one that is offered here is taken.
		set(func(m *match) { m.draw[1], m.yields = true, false })
		b.wait(5 * time.Second)
		if b.game.Offer() != game.Black {
			t.Fatal("the opponent's draw offer has not arrived")
		}
		b.do(game.Action{Do: game.DeclineDraw})
		b.wait(5 * time.Second)
		if s.last().draw[1] {
			t.Error("the offer was not declined there")
		}
		b.turns(1)
		b.wait(30 * time.Second)
		set(func(m *match) { m.yields = true })
		b.do(game.Action{Do: game.OfferDraw, By: game.White})
		b.agree(s)
		if b.game.Outcome() != game.Draw || len(b.conflicts) > 0 {
			t.Errorf("%s by %s, conflicts %v", b.game.Outcome(), b.game.Reason(), b.conflicts)
		}
		b.stop()
	})
}

// TestAcceptedDraw: an offer of the opponent that is accepted here ends the game there.
func TestAcceptedDraw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := sit(t, s, computer, false, "")
		b.wait(10 * time.Second)
		s.change(func() { s.games[0].wantsDraw = true })
		b.turns(1)
		b.wait(30 * time.Second)
		b.do(game.Action{Do: game.AcceptDraw})
		if m := b.agree(s); m.status != "draw" {
			t.Errorf("there it is %s", m.status)
		}
		b.stop()
	})
}

// TestRefusedMove: a move that the server refuses is reported, and not sent again and again. People decide what to do
// then.
func TestRefusedMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := sit(t, s, computer, false, "")
		b.wait(10 * time.Second)
		s.change(func() { s.refuse = 1 })
		b.turns(1)
		b.wait(10 * time.Minute)
		moves := slices.DeleteFunc(s.requests(), func(p string) bool { return !strings.Contains(p, "/move/") })
		if len(moves) != 1 || !strings.Contains(strings.Join(b.texts, "\n"), "Lichess refuses: move 1") {
			t.Errorf("sent %v; people are told %v", moves, b.texts)
		}
		b.stop()
	})
}

// TestClocks: the server's clocks count, however far they are from those here, and no flag falls here.
func TestClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := sit(t, s, computer, false, "")
		b.wait(10 * time.Second)
		b.turns(3)
		b.wait(20 * time.Second)
		s.change(func() { s.drift = -90 * time.Second })
		b.turns(1)
		b.wait(20 * time.Second)
		m := s.last()
		c, _ := b.game.Clocks(time.Now())
		want := [2]time.Duration{m.left[0] - 90*time.Second - time.Since(m.since), m.left[1] - 90*time.Second}
		if d := [2]time.Duration{(c.White - want[0]).Abs(), (c.Black - want[1]).Abs()}; d[0] > 3*time.Second ||
			d[1] > 3*time.Second {
			t.Errorf("the clocks show %v and %v, there %v", c.White, c.Black, want)
		}
		if _, falls := b.game.FlagAt(); falls {
			t.Error("a flag falls here")
		}
		b.wait(time.Hour)
		b.do(game.Action{Do: game.Move, Move: b.game.Legal()[0]}) // late: the server says whether too late
		s.change(func() { s.games[0].status, s.games[0].winner = "outoftime", "black" })
		b.wait(time.Minute)
		if b.game.Outcome() != "0-1" || b.game.Reason() != "time" {
			t.Errorf("%s by %s", b.game.Outcome(), b.game.Reason())
		}
		b.stop()
	})
}

// TestStartedAgain: a daemon that is restarted in the middle of a game goes on with it, and with moves that were made
// meanwhile.
func TestStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := sit(t, s, computer, false, "")
		b.wait(10 * time.Second)
		b.turns(4)
		b.stop() // the opponent's answer comes while nobody listens
		time.Sleep(time.Minute)
		b.connect(s, computer)
		if !b.seat.Going() {
			t.Error("before the server was heard, nothing is said to go on")
		}
		b.wait(10 * time.Second)
		b.turns(4)
		m := b.agree(s)
		if s.count() != 1 || len(m.moves) < 15 || len(b.conflicts) > 0 {
			t.Errorf("%d games, %d moves, conflicts %v", len(s.games), len(m.moves), b.conflicts)
		}
		b.stop()
	})
}

// TestGoing: a game of the account that is played elsewhere counts as going on until it has ended. So it does while
// the stream of events is cut. The game may end meanwhile, which the server tells nobody later. So it does too when
// another game of the account has ended.
func TestGoing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := sit(t, s, computer, false, "")
		b.wait(10 * time.Second)
		b.turns(1)
		phone := &match{id: "phone001", side: "white", status: "started", since: time.Now()}
		s.change(func() { s.games = append([]*match{phone}, s.games...) })
		b.wait(time.Minute)
		b.do(game.Action{Do: game.Resign, By: game.White})
		b.wait(2 * time.Minute)
		if m := s.last(); m.status == "started" || !b.seat.Going() {
			t.Fatalf("the game here is %s; one on the phone goes on, the seat says %v", m.status, b.seat.Going())
		}
		s.change(func() { s.down = true })
		b.wait(time.Minute)
		if !b.seat.Going() {
			t.Error("what is not heard is taken for ended")
		}
		s.change(func() { s.down, phone.status = false, "resign" })
		b.wait(5 * time.Minute)
		if b.seat.Going() {
			t.Error("a game that has ended while nobody listened goes on for ever")
		}
		b.stop()
	})
}

// TestWishes: each kind of opponent is asked for once, with the seats and the position of the board.
func TestWishes(t *testing.T) {
	const endgame = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
	for _, c := range []struct {
		wish  GameOptions
		black bool
		start string
		want  string
	}{
		{computer, true, "", "/api/challenge/ai"},
		{computer, false, endgame, "/api/challenge/ai"},
		{GameOptions{Opponent: "seek", Minutes: 15, Increment: 10}, false, "", "/api/board/seek"},
		{GameOptions{Opponent: "ben", Minutes: 15, Increment: 10}, true, "", "/api/challenge/ben"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t)
			b := sit(t, s, c.wish, c.black, c.start)
			b.wait(time.Minute)
			if asked := s.requests(); !slices.Equal(asked, []string{c.want}) || s.count() != 1 {
				t.Fatalf("%s: asked for %v, %d games; %v", c.wish.Opponent, asked, s.count(), b.texts)
			}
			b.turns(2)
			if b.agree(s); len(b.conflicts) > 0 {
				t.Errorf("%s: conflicts %v", c.wish.Opponent, b.conflicts)
			}
			b.stop()
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.declines = true
		b := sit(t, s, GameOptions{Opponent: "ben", Minutes: 15, Increment: 10}, false, "")
		b.wait(10 * time.Minute)
		if n := len(s.requests()); n != 1 {
			t.Errorf("a challenge that was declined went out %d times", n)
		}
		b.stop()
	})
}

// TestAnybody: a board that waits for anybody sends no request. It accepts the first challenge that it can play, and
// declines those that it cannot. During a game it ignores challenges.
func TestAnybody(t *testing.T) {
	const endgame = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
	for _, c := range []struct {
		what      string
		challenge challenge
		black     bool
		want      string // the answer to it
	}{
		{"rapid", challenge{"chal0001", "white", "rapid", "standard", "", "in"}, false, "accept"},
		{"blitz by challenge", challenge{"chal0001", "black", "blitz", "standard", "", "in"}, true, "accept"},
		{"from a position", challenge{"chal0001", "white", "classical", "fromPosition", endgame, "in"}, false, "accept"},
		{"too fast", challenge{"chal0001", "white", "bullet", "standard", "", "in"}, false, "decline"},
		{"another game", challenge{"chal0001", "white", "rapid", "atomic", "", "in"}, false, "decline"},
		{"the other color", challenge{"chal0001", "black", "rapid", "standard", "", "in"}, false, "decline"},
		{"our own", challenge{"chal0001", "white", "rapid", "standard", "", "out"}, false, ""},
		{"an id that is an address", challenge{"../x", "white", "rapid", "standard", "", "in"}, false, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				b := sit(t, s, GameOptions{Opponent: "anybody", Minutes: 15, Increment: 10}, !c.black, "")
				b.wait(10 * time.Minute)
				if asked := s.requests(); len(asked) > 0 ||
					!slices.Contains(b.texts, "Lichess: waiting for a challenge to this account") {
					t.Errorf("before anybody came: asked for %v; people are told %v", asked, b.texts)
				}
				s.change(func() { s.challenges = append(s.challenges, c.challenge) })
				b.wait(30 * time.Second)
				var want []string
				if c.want != "" {
					want = []string{"/api/challenge/chal0001/" + c.want}
				}
				if asked := s.requests(); !slices.Equal(asked, want) {
					t.Fatalf("answered by %v, want %v", asked, want)
				}
				if c.want != "accept" {
					if s.count() > 0 || b.seat.Going() {
						t.Error("a game has begun")
					}
					b.stop()
					return
				}
				b.turns(3)
				if m := b.agree(s); len(m.moves) < 4 || len(b.conflicts) > 0 {
					t.Errorf("%d moves, conflicts %v", len(m.moves), b.conflicts)
				}
				if p := b.game.Start(); c.challenge.fen != "" && !strings.HasPrefix(p.FEN(), strings.Fields(c.challenge.fen)[0]) {
					t.Errorf("the game here began in %s", p.FEN())
				}
				s.change(func() {
					s.challenges = append(s.challenges, challenge{"chal0002", c.challenge.color, "rapid", "standard", "", "in"})
				})
				b.wait(time.Minute)
				for _, path := range s.requests() {
					if strings.Contains(path, "chal0002") {
						t.Errorf("a challenge in the middle of a game: %s", path)
					}
				}
				b.stop()
			})
		})
	}
}

// TestChallengeLeftAlone: a board that plays the computer, seeks an opponent, or challenges somebody ignores
// challenges.
func TestChallengeLeftAlone(t *testing.T) {
	for _, opponent := range []string{"seek", "ben"} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t)
			s.holds = true
			s.challenges = []challenge{{"chal0001", "white", "rapid", "standard", "", "in"}}
			b := sit(t, s, GameOptions{Opponent: opponent, Minutes: 15, Increment: 10}, true, "")
			b.wait(time.Minute)
			for _, path := range s.requests() {
				if strings.Contains(path, "chal0001") {
					t.Errorf("%s: %s", opponent, path)
				}
			}
			b.stop()
		})
	}
}

// TestSeekGoesOn: a seek is held open while nobody is found, and made again when the server ends it. It ends with the
// wish: when another game is begun on the board, and with the daemon.
func TestSeekGoesOn(t *testing.T) {
	for _, c := range []struct{ opponent, path string }{{"seek", "/api/board/seek"}, {"ben", "/api/challenge/ben"}} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t)
			s.holds = true
			waiting := func() int { s.mu.Lock(); defer s.mu.Unlock(); return s.waiting }
			b := sit(t, s, GameOptions{Opponent: c.opponent, Minutes: 15, Increment: 10}, false, "")
			b.wait(5 * time.Minute)
			if asked := s.requests(); !slices.Equal(asked, []string{c.path}) || waiting() != 1 {
				t.Fatalf("%s: asked %v, %d held open", c.opponent, asked, waiting())
			}
			if c.opponent == "seek" {
				s.change(func() { s.ends = 1 })
				b.wait(time.Minute)
				if asked := s.requests(); !slices.Equal(asked, []string{c.path, c.path}) || waiting() != 1 {
					t.Errorf("after the server ended it: asked %v, %d held open", asked, waiting())
				}
			}
			b.begin(game.Setup{ID: game.NewID(time.Now(), 1, b.game.ID()), Variant: "chess", Board: "north", White: game.Local,
				Black: game.Local})
			b.show()
			b.wait(10 * time.Second)
			if waiting() != 0 {
				t.Errorf("%s: people play each other, and it is still held open", c.opponent)
			}
			b.fresh(false, "")
			b.show()
			b.wait(time.Minute)
			if waiting() != 1 {
				t.Errorf("%s: wanted again, and %d are held open", c.opponent, waiting())
			}
			b.stop()
			synctest.Wait()
			if waiting() != 0 {
				t.Errorf("%s: the daemon has ended, and it is still held open", c.opponent)
			}
		})
	}
}

// TestHurry: the server says when it ends a game in which nobody moves.
func TestHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := &board{t: t}
		b.fresh(false, "")
		s.begin("white", "").expires = true
		b.connect(s, computer)
		b.wait(10 * time.Second)
		if b.hurries != 1 {
			t.Errorf("told %d times that time runs out", b.hurries)
		}
		b.stop()
	})
}

// TestBadToken: an invalid token is reported, and not tried again and again.
func TestBadToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		b := &board{t: t}
		b.fresh(false, "")
		ctx, stop := context.WithCancel(t.Context())
		b.seat, b.done = NewSeat(New("https://lichess.example", "wrong", memory{s}), "north", computer), make(chan struct{})
		go func() { defer close(b.done); b.seat.Run(ctx) }()
		b.show()
		b.wait(10 * time.Minute)
		if text := fmt.Sprint(b.texts); !strings.Contains(text, "401, No such token: look at the token") ||
			len(b.texts) > 20 {
			t.Errorf("told %v", b.texts)
		}
		stop()
		<-b.done
	})
}
