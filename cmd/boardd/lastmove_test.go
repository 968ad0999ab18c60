// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/hardware/rig"
	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/journal"
	"boardd/sync/web"
	"boardd/sync/wire"

	"periph.io/x/conn/v3/i2c/i2ctest"
)

// unsure is a decoder that says what a test sets, until it is told how the game went on. What it saw meanwhile counts
// then. Which woods make a real decoder ask about an earlier move is tested in its package.
type unsure struct {
	table.Decoder
	says atomic.Pointer[reconcile.Explanation]
}

// Count is what the explanation says.
func (u *unsure) Count(p wood.Place) int {
	if x := u.says.Load(); x != nil {
		for _, q := range x.Discrepancies {
			if q.Place == p {
				return q.See
			}
		}
	}
	return len(u.Wood()[p])
}

func (u *unsure) Explain(at time.Time) reconcile.Explanation {
	e := u.Decoder.Explain(at)
	if s := u.says.Load(); s != nil {
		return *s
	}
	return e
}

func (u *unsure) Expect(bases []reconcile.Base) {
	u.says.Store(nil)
	u.Decoder.Expect(bases)
}

func (u *unsure) Follow(bases []reconcile.Base, before *rules.Position) {
	u.says.Store(nil)
	u.Decoder.Follow(bases, before)
}

// at is a square of the lower deck.
func at(name string) wood.Place {
	q, err := rules.ParseSquare(name)
	if err != nil {
		panic(err)
	}
	return wood.PlaceAt(sensing.Lower, q)
}

// carry moves the top piece of a square to another one.
func (w *troubled) carry(from, to string) {
	w.t.Helper()
	must(w.t, w.v.Lift("right", sensing.Lower, at(from).Square(), 1))
	must(w.t, w.v.Place("right", sensing.Lower, at(to).Square()))
}

// doubt plays the knight to f3. Then the knight goes on to h3 while the other side replies, and the decoder asks which
// of the two was the move.
func (w *troubled) doubt(u *unsure, until func(what string, ok func(*wire.Game) bool) wire.Game) {
	until("the array stands", synced)
	w.carry("g1", "f3")
	until("the move is made", func(g *wire.Game) bool { return moved("g1f3")(g) && synced(g) })
	// is refused, but only once the loop is done with the move
	w.b.ask(w.t.Context(), wire.Command{ID: "1", Do: wire.DoAnswer}, atPage)
	start := w.b.table.Game().Start()
	var choices []reconcile.Choice
	for _, to := range []string{"f3", "h3"} {
		m, err := start.ParseMove("g1" + to)
		must(w.t, err)
		choices = append(choices, reconcile.Choice{Move: m, Place: at(to)})
	}
	u.says.Store(&reconcile.Explanation{State: reconcile.Asking, Base: 1, Discrepancies: astray("h3"), Choices: choices})
	w.carry("f3", "h3")
	w.carry("g8", "f6")
	g := until("it asks", func(g *wire.Game) bool { return g.Wood.State == wire.Asking })
	if want := []string{"g1f3", "g1h3"}; !slices.Equal(g.Wood.Choices, want) || !moved("g1f3")(&g) {
		w.t.Errorf("it asks for %v after %v, want %v after g1f3", g.Wood.Choices, g.Moves, want)
	}
}

// astray is what differs from the game in which the knight went to f3. A knight that stands elsewhere is named by its
// square.
func astray(knight string) []reconcile.Discrepancy {
	list := []reconcile.Discrepancy{{Place: at("f3"), Want: "N"}, {Place: at("f6"), See: 1}, {Place: at("g8"), Want: "n"}}
	if knight != "" {
		list = append(list, reconcile.Discrepancy{Place: at(knight), See: 1})
	}
	return list
}

// shown is the game as the page shows it.
func (w *troubled) shown() (g wire.Game) {
	must(w.t, json.Unmarshal(w.b.feed.Get("game"), &g))
	return g
}

// until waits in virtual time.
func (w *troubled) until(what string, ok func(*wire.Game) bool) wire.Game {
	w.t.Helper()
	for range 200 {
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if g := w.shown(); ok(&g) {
			return g
		}
	}
	w.t.Errorf("waited in vain until %s: %+v", what, w.shown())
	return w.shown()
}

// TestWhichWasTheLastMove: a question about the last move is answered on the board or over MQTT, by another move or by
// that move itself. The reply that stands on the board already then counts, or has to be taken back. Page, broker and
// journal agree.
func TestWhichWasTheLastMove(t *testing.T) {
	over := func(move string) func(*troubled, *unsure) {
		return func(w *troubled, _ *unsure) { w.command(fmt.Sprintf(`{"id":"a","do":"answer","move":%q}`, move)) }
	}
	lifted := func(w *troubled, u *unsure) {
		asking := u.says.Load()
		u.says.Store(&reconcile.Explanation{State: reconcile.Moving, Discrepancies: astray("")})
		must(w.t, w.v.Lift("right", sensing.Lower, at("h3").Square(), 1))
		time.Sleep(500 * time.Millisecond)
		must(w.t, w.v.Place("right", sensing.Lower, at("h3").Square()))
		time.Sleep(500 * time.Millisecond)
		u.says.Store(asking)
	}
	for _, c := range []struct {
		name      string
		answer    func(*troubled, *unsure)
		want      []string
		takebacks int
	}{
		{"another move over MQTT", over("g1h3"), []string{"g1h3", "g8f6"}, 1},
		{"another move on the board", lifted, []string{"g1h3", "g8f6"}, 1},
		{"the same move over MQTT", over("g1f3"), []string{"g1f3", "g8f6"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := &troubled{t: t}
				done := w.open("reeds", dir)
				u := &unsure{}
				w.b.table.WrapDecoder(func(d table.Decoder) table.Decoder { u.Decoder = d; return u })
				ctx, stop := context.WithCancel(t.Context())
				var daemon sync.WaitGroup
				daemon.Go(func() { must(t, w.b.run(ctx)) })
				w.doubt(u, w.until)
				c.answer(w, u)
				if c.takebacks == 0 { // the knight stands elsewhere, and has to go back
					w.until("it is asked for", func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
					w.carry("h3", "f3")
				}
				g := w.until("the right moves are made", func(g *wire.Game) bool { return moved(c.want...)(g) && synced(g) })
				if g.Takebacks != c.takebacks || len(g.Wood.Choices) > 0 {
					t.Errorf("%d takebacks, want %d; %+v", g.Takebacks, c.takebacks, g.Wood)
				}
				var told wire.Game
				must(t, json.Unmarshal(w.net.Retained()[wire.Topic("table", wire.LeafGame)], &told))
				if !slices.Equal(told.Moves, g.Moves) {
					t.Errorf("the broker has %v, the page %v", told.Moves, g.Moves)
				}
				stop()
				daemon.Wait()
				done()
				must(t, w.v.Close())
				r := &rig.Rig{Geometry: w.b.conf.Geometry(), Bus: bus.New(&i2ctest.Record{}, bus.Opts{})}
				again, err := openBoard(w.b.conf, w.b.asked, r, journal.Options{FS: w.disk}, slog.New(slog.DiscardHandler))
				must(t, err)
				if got := again.table.Game().Coords(); !slices.Equal(got, g.Moves) {
					t.Errorf("the journal has %v, the page %v", got, g.Moves)
				}
				must(t, again.journal.Close())
				time.Sleep(time.Minute)
				must(t, w.net.Close())
				synctest.Wait()
			})
		})
	}
}

// TestWhichWasTheLastMoveOnThePage: the page asks, on a phone next to the board without scrolling, and a press of a
// button answers.
func TestWhichWasTheLastMoveOnThePage(t *testing.T) {
	t.Parallel()
	w := &troubled{t: t}
	done := w.open("reeds", t.TempDir())
	defer func() {
		done()
		must(t, w.v.Close())
		must(t, w.net.Close())
	}()
	u := &unsure{}
	w.b.table.WrapDecoder(func(d table.Decoder) table.Decoder { u.Decoder = d; return u })
	page := httptest.NewServer(web.Handler(web.Options{Access: web.Access{Visitors: web.Player}}, w.b.page()))
	defer page.Close()
	defer page.CloseClientConnections()
	ctx, stop := context.WithCancel(t.Context())
	var daemon sync.WaitGroup
	daemon.Go(func() { must(t, w.b.run(ctx)) })
	defer daemon.Wait()
	defer stop()
	r := &running{t: t, page: page.URL + "/", patience: soonEnough}
	tab := browser(t, 390, 844, page.URL)
	w.doubt(u, func(what string, ok func(*wire.Game) bool) wire.Game { return r.await("table", what, ok) })
	soon(t, tab, "the page asks",
		`[...document.querySelectorAll(".answers button")].map((b) => b.textContent).join() === "Nf3 (light on f3),Nh3 (light on h3)"`)
	soon(t, tab, "the question is in sight", `(() => { const box = (css) => document.querySelector(css).getBoundingClientRect();
		const deck = box(".deck"), state = box(".state"), answers = box(".answers");
		return state.bottom <= answers.top && answers.bottom <= innerHeight && state.top >= 0 && (answers.bottom <= deck.top || deck.bottom <= state.top); })()`)
	keep(t, tab, "lastmove.png")
	press(t, tab, "table", "Nh3 (light on h3)")
	r.await("table", "the right moves are made", func(g *wire.Game) bool { return moved("g1h3", "g8f6")(g) && synced(g) })
	soon(t, tab, "the page has them and asks no more",
		`!document.querySelector(".answers button") && /Nh3[^]*Nf6/.test(document.querySelector("section[data-board='table']").textContent)`)
}
