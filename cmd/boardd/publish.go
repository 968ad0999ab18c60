// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"boardd/leds"
	"boardd/rules/game"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sync/wire"
)

// show brings what changed to the lights, the page and the broker.
func (b *board) show() {
	w := b.woodMessage()
	if !reflect.DeepEqual(w, b.told.Wood) {
		b.publish()
	}
	if b.screen != nil {
		b.screen.show(b.face(time.Now()))
	}
	p := b.game.Position()
	view := paint(b.decoder, &p, b.wood, &b.explain)
	if view == b.view && b.lit {
		return
	}
	b.view, b.lit = view, true
	if b.lamp != nil {
		b.lamp.show(turnFrame(b.game.Flipped(), view))
	}
}

// publish tells everybody the whole game.
func (b *board) publish() {
	b.told, b.toldAt = b.message(), time.Now()
	b.feed.Set("game", b.told)
	if b.mirror != nil {
		b.mirror.Publish(b.told)
	}
}

// tell sends an event with time, game and ply filled in.
func (b *board) tell(e wire.Event) {
	e.At = stamp(time.Now())
	e.Game, e.Ply = b.game.ID(), b.game.Plies()
	var said []any
	for _, f := range [][2]string{{"move", e.Move}, {"san", e.SAN}, {"text", e.Text}} {
		if f[1] != "" {
			said = append(said, f[0], f[1])
		}
	}
	level := slog.LevelInfo
	if slices.Contains([]string{wire.EventFault, wire.EventConflict, wire.EventJournal, wire.EventLink}, e.Kind) {
		level = slog.LevelWarn
	}
	b.log.Log(context.Background(), level, e.Kind, said...)
	b.feed.Event(e)
	if b.mirror != nil {
		b.mirror.Event(e)
	}
}

// stamp is a time as messages have it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// message is the game as the contract has it.
func (b *board) message() wire.Game {
	p, start, set := b.game.Position(), b.game.Start(), b.game.Setup()
	g := wire.Game{
		Schema: wire.Schema, Game: b.game.ID(), Variant: set.Variant, Options: set.Options,
		Seats: wire.Seats{White: set.White, Black: set.Black}, Start: start.FEN(), Moves: b.game.Coords(), SAN: b.game.SAN(),
		FEN: p.FEN(), Turn: p.Turn().String(), Check: p.InCheck(), Outcome: b.game.Outcome(), Reason: string(b.game.Reason()),
		Legal: b.game.Legal(), Wood: b.woodMessage(), Conflict: b.conflict, Paused: b.game.Paused(), Pauses: b.game.Pauses(),
		Offer: string(b.game.Offer()), Takebacks: b.game.Takebacks(),
	}
	now := time.Now()
	if c, ok := b.game.Clocks(now); ok {
		g.Clock = &wire.Clock{White: c.White.Milliseconds(), Black: c.Black.Milliseconds(), Running: string(c.Running), At: stamp(now)}
	}
	if b.game.WhyPaused() == desync {
		g.PauseReason = desync
	}
	g.Timing, g.Seals = clockSpec(set.Clock), sealsMessage(b.game)
	for _, side := range []game.Side{game.White, game.Black} {
		if !set.Here(side) {
			continue
		}
		if number, to, open := b.game.Ask(side); open {
			g.Ask = &wire.Ask{By: string(side), Number: number, To: to}
		}
		g.Declined = max(g.Declined, b.game.DeclinedAsk(side))
	}
	return g
}

// woodMessage names the squares of the game, also where the board lies the other way round. Before the sensors were read, or while they
// settle on the game, it is not known whether anything has to be done.
func (b *board) woodMessage() wire.Wood {
	state := b.wood.state
	if b.wood.goal != "" && b.explain.State == reconcile.Moving && len(b.explain.Touch) == 0 {
		state = wire.Moving
	}
	return wire.Wood{Ply: b.wood.ply, State: state, Squares: touches(reconcile.Guide(b.explain.Touch)), Choices: b.choices(), SAN: b.choicesSAN(), Answers: b.answers(), Kings: b.offering()}
}

// turnFrame paints the view for a board that may lie the other way round.
func turnFrame(flipped bool, v leds.View) leds.Frame {
	f := leds.Paint(&v)
	if !flipped {
		return f
	}
	var t leds.Frame
	for d := range f {
		for s := range f[d] {
			t[d][63-s] = f[d][s]
		}
	}
	return t
}

// tellMended says what the journal had lost when the daemon started, so that nobody takes the game for complete that is not.
func (b *board) tellMended() {
	if b.mended != "" {
		b.tell(wire.Event{Kind: wire.EventJournal, Text: clip("the journal was damaged: "+b.mended+"; the game goes on from what is left, compare it with the score sheet", 1000)})
	}
}

// clip cuts a text to so many bytes at most, at the end of a letter.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// health tells how the board feels.
func (b *board) health() {
	h := wire.Health{Version: release(), Uptime: int64(time.Since(b.started).Seconds()), Temperature: temperature(), Journal: "ok", Faults: b.squareFaults()}
	if b.mended != "" {
		h.Journal = clip("mended at the start: "+b.mended, 1000)
	}
	if b.broken != nil {
		h.Journal = b.broken.Error()
	}
	banks := []interface{ Health() []sensing.Part }{b.rig.Bus}
	for _, s := range b.rig.Sources {
		banks = append(banks, s)
	}
	for _, s := range banks {
		for _, p := range s.Health() {
			h.Parts = append(h.Parts, wire.Part{Name: p.Name, OK: p.OK, Errors: p.Errors, Sweep: p.Sweep.Microseconds(), Worst: p.Worst.Microseconds(), Detail: p.Detail})
			h.BusErrors += p.Errors
			h.Sweep, h.SweepWorst = max(h.Sweep, p.Sweep.Microseconds()), max(h.SweepWorst, p.Worst.Microseconds())
		}
	}
	if b.unsigned != nil {
		h.Parts = append(h.Parts, wire.Part{Name: "key", Detail: b.unsigned.Error()})
	}
	if b.mirror != nil {
		h.Dropped = b.mirror.Dropped()
		b.mirror.Health(h)
	}
	b.feed.Set("health", h)
}

// temperature is the controller's, in degrees Celsius, nil where it cannot be read.
func temperature() *float64 {
	data, err := os.ReadFile("/sys/class/thermal/thermal_zone0/temp")
	if err != nil {
		return nil
	}
	milli, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return nil
	}
	c := float64(milli) / 1000
	return &c
}
