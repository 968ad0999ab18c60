// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"time"
	"unicode/utf8"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/trust"
	"boardd/sync/wire"
	"boardd/sync/words"
)

// This file translates between the table's values and the messages of MQTT and the page. Moves, squares and times
// become text here and nowhere before.

// timestamp formats a time for messages.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// message is the game in the form of the contract.
func (b *board) message() wire.Game {
	played := b.table.Game()
	p, start, set := played.Position(), played.Start(), played.Setup()
	g := wire.Game{
		Schema: wire.Schema, Game: played.ID(), Variant: set.Variant, Options: set.Options,
		Seats: wire.Seats{White: set.White, Black: set.Black}, Start: start.FEN(), Moves: played.Coords(), SAN: played.SAN(),
		FEN: p.FEN(), Turn: p.Turn().String(), Check: p.InCheck(), Outcome: played.Outcome(),
		Reason: string(played.Reason()), Legal: played.Legal(), Wood: woodMessage(b.table.Wood()),
		Conflict: b.table.Conflict().English, ConflictSaid: sentences(b.table.Conflict()), Paused: played.Paused(),
		Pauses: played.Pauses(), Offer: string(played.Offer()), Takebacks: played.Takebacks(), Step: b.table.Step(),
		NoDraw: string(played.DeclinedDraw()),
	}
	for _, r := range b.table.Requests() {
		g.Requests = append(g.Requests, requestMessage(&r))
	}
	if a := b.table.Answered(); a.Number > 0 {
		g.Answered = &wire.Answered{Number: a.Number, Accepted: a.Accepted}
	}
	if x, ok := b.table.Problem(); ok {
		g.Problem = &wire.Problem{Number: x.Number, Of: x.Of, In: x.In, Only: x.Only, State: string(x.State), Tries: x.Tries,
			Solved: x.Solved, Shown: x.Shown, Refute: best(&x.From, x.Refutation), Key: best(&x.Start, x.Key)}
	}
	if from, m := b.table.Coach(); m != rules.NoMove {
		g.Blunder = best(&from, m)
	}
	now := time.Now()
	if c, ok := played.Clocks(now); ok {
		g.Clock = &wire.Clock{White: c.White.Milliseconds(), Black: c.Black.Milliseconds(), Running: string(c.Running),
			At: timestamp(now)}
	}
	switch why := played.WhyPaused(); {
	case why == table.Desync || why == table.Copying || why == table.Advising:
		g.PauseReason = why
	case strings.HasSuffix(why, table.Desync):
		g.PauseReason = game.OfRival + table.Desync
	}
	g.Timing, g.Seals, g.Names = words.Clock(set.Clock), trust.WireSeals(played), words.Names(played.Names())
	g.Date, g.Clocks = words.Times(played)
	for _, side := range []game.Side{game.White, game.Black} {
		if !set.Here(side) {
			continue
		}
		if number, to, open := played.TakebackRequest(side); open {
			g.Ask = &wire.Ask{By: string(side), Number: number, To: to}
		}
		g.Declined = max(g.Declined, played.DeclinedTakeback(side))
	}
	if m := tableMessage(b.id, &g, false); g.Seals != nil {
		g.Seals.Said = b.keys.SignSaid(&m)
	}
	return g
}

// best is a move in the form of the messages, nil for none.
func best(from *rules.Position, m rules.Move) *wire.Best {
	if m == rules.NoMove {
		return nil
	}
	return &wire.Best{Move: from.Coord(m), SAN: from.SAN(m)}
}

// woodMessage is the wood in the form of the contract. It names the squares of the game, even if the board lies the
// other way round.
func woodMessage(w table.Wood) wire.Wood {
	m := wire.Wood{Ply: w.Ply, State: string(w.State), Squares: touches(w.Touch), Choices: coords(&w.From, w.Choices),
		Held: w.Held}
	for i, c := range w.Choices {
		m.SAN = append(m.SAN, w.From.SAN(c.Move))
		if c.Place != wood.Nowhere {
			m.Answers = append(m.Answers, wire.Answer{Move: m.Choices[i], Square: c.Place.Square().String(),
				Deck: c.Place.Deck().String()})
		}
	}
	for _, k := range w.Kings {
		m.Kings = append(m.Kings, k.Square().String())
	}
	return m
}

// coords returns the moves of a question in the form of the messages.
func coords(from *rules.Position, choices []reconcile.Choice) (names []string) {
	for _, c := range choices {
		names = append(names, from.Coord(c.Move))
	}
	return names
}

// touches returns the places to put right, in the form of the messages.
func touches(ts []reconcile.Discrepancy) (out []wire.Touch) {
	for _, t := range ts {
		w := wire.Touch{Square: t.Place.Square().String(), Deck: t.Place.Deck().String(), See: t.See}
		for i := range len(t.Want) {
			w.Want = append(w.Want, string(t.Want[i]))
		}
		out = append(out, w)
	}
	return out
}

// mostText is the largest number of bytes of the text of an event.
const mostText = 1000

// eventMessage is an event in the form of the contract.
func eventMessage(e *table.Event) wire.Event {
	m := wire.Event{Kind: string(e.Kind), At: timestamp(e.At), Game: e.Game, Ply: e.Ply,
		Text: clip(e.Text.English, mostText), Said: sentences(e.Text), Part: e.Part, Squares: touches(e.Touch)}
	if e.Move != rules.NoMove {
		m.Move, m.SAN, m.By = e.From.Coord(e.Move), e.From.SAN(e.Move), e.From.Turn().String()
		m.Latency, m.Margin = float64(e.Latency.Microseconds())/1000, e.Margin
	}
	if e.Choices != nil {
		m.Choices = coords(&e.From, e.Choices)
	}
	for _, p := range e.Places {
		m.Squares = append(m.Squares, wire.Touch{Square: p.Square().String(), Deck: p.Deck().String(), See: -1})
	}
	return m
}

// mostArgs is the largest number of sentences of a text, and the most arguments of a sentence, that package wire
// allows.
const mostArgs = 32

// sentences is a text in the form of the contract, nil if it is in no catalogue.
func sentences(s say.Said) (all []wire.Sentence) {
	for i, p := range s.Parts {
		if i == mostArgs {
			return nil // the plain text is enough
		}
		one := wire.Sentence{Code: clip(p.Code, mostText)}
		for _, a := range p.Args {
			one.Args = append(one.Args, clip(a, mostText))
		}
		all = append(all, one)
	}
	return all
}

// clip cuts a text to at most n bytes, between two characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// tableMessage is a message of another board in the words of the table.
func tableMessage(from string, g *wire.Game, old bool) table.Message {
	h := game.RemoteGame{Board: from, ID: g.Game, Variant: g.Variant, Options: g.Options,
		White: seatAs(from, g.Seats.White), Black: seatAs(from, g.Seats.Black), Start: g.Start, Moves: g.Moves,
		Outcome: g.Outcome, Reason: g.Reason, Offer: game.Side(g.Offer), Takebacks: g.Takebacks, Declined: g.Declined,
		NoDraw: game.Side(g.NoDraw), Paused: g.Paused, Pauses: g.Pauses, PauseReason: g.PauseReason, Old: old,
		Timing: words.Timing(g.Timing)}
	if g.Ask != nil {
		h.AskBy, h.AskNumber, h.AskTo = game.Side(g.Ask.By), g.Ask.Number, g.Ask.To
	}
	if g.Clock != nil {
		h.WhiteLeft, h.BlackLeft, h.Running = &g.Clock.White, &g.Clock.Black, g.Clock.Running != ""
	}
	m := table.Message{Game: h, Seals: trust.SealTexts(g.Seals), Said: trust.Said(g.Seals), Conflict: g.Conflict}
	for i := range g.Requests {
		if r := &g.Requests[i]; r.Number > 0 && g.Seats.By(r.By) == from {
			m.Request = tableRequest(r)
		}
	}
	if a := g.Answered; a != nil {
		m.Answered = table.Reply{Number: a.Number, Accepted: a.Accepted}
	}
	return m
}

// requestMessage is a request in the form of the contract.
func requestMessage(r *table.Request) wire.Request {
	what := map[game.ActionKind]string{game.Takeback: "takeback", game.OfferDraw: "draw", table.NewGame: "new",
		game.Abort: "abort", game.Adjust: "adjust", table.Hint: "hint"}
	m := wire.Request{What: what[r.What], By: string(r.By), Number: r.Number, To: r.To, White: r.Left[0].Milliseconds(),
		Black: r.Left[1].Milliseconds()}
	if s := &r.Setup; r.What == table.NewGame {
		m.Game, m.Variant, m.Options, m.Start, m.Timing = s.ID, s.Variant, s.Options, s.Start, words.Clock(s.Clock)
		m.Seats = &wire.Seats{White: s.White, Black: s.Black}
	}
	return m
}

// tableRequest is the inverse of requestMessage.
func tableRequest(m *wire.Request) *table.Request {
	what := map[string]game.ActionKind{"new": table.NewGame, "abort": game.Abort, "adjust": game.Adjust,
		"hint": table.Hint}
	r := &table.Request{What: what[m.What], By: game.Side(m.By), Number: m.Number, Left: words.Left(m.White, m.Black)}
	if m.What == "new" && m.Seats != nil {
		r.Setup = game.Setup{ID: m.Game, Variant: m.Variant, Options: m.Options, Start: m.Start, White: m.Seats.White,
			Black: m.Seats.Black, Clock: words.Timing(m.Timing)}
	}
	if r.What == "" || r.What == table.NewGame && game.CheckID(r.Setup.ID) != nil {
		return nil
	}
	return r
}

// seatAs is a seat that another board names, as this board knows it: "local" there is that board.
func seatAs(from, seat string) string {
	if seat == game.Local {
		return from
	}
	return seat
}

// tableCommand is a command as the table takes it.
func tableCommand(c *wire.Command, via string) *table.Command {
	t := &table.Command{Action: game.Action{Do: game.ActionKind(c.Do), By: game.Side(c.By), Move: c.Move, Plies: c.Plies,
		Via: via, Left: words.Left(c.White, c.Black)},
		Variant: c.Variant, Options: c.Options, Start: c.Start, Clock: words.Timing(c.Clock), To: c.To}
	if c.Names != nil {
		names := game.Names(*c.Names)
		t.Names = &names
	}
	if c.Seats != nil {
		t.Seated, t.White, t.Black = true, c.Seats.White, c.Seats.Black
	}
	return t
}
