// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

func (f *faults) game(g *Game) {
	if g.Schema != Schema {
		f.add("schema: %d is unknown, this version reads %d", g.Schema, Schema)
	}
	f.id("game", g.Game)
	f.id("variant", g.Variant)
	f.options(g.Options)
	f.seats(g.Seats)
	f.text("start", g.Start, maxFEN)
	f.text("fen", g.FEN, maxFEN)
	f.moves("moves", g.Moves, MaxPlies)
	f.moves("legal", g.Legal, MaxLegal)
	f.sans("san", g.SAN, len(g.Moves))
	f.oneOf("turn", g.Turn, "", "white", "black")
	f.oneOf("outcome", g.Outcome, "", "1-0", "0-1", "1/2-1/2", "*")
	f.text("reason", g.Reason, maxWord)
	f.clock(g.Clock)
	f.wood(&g.Wood)
	f.extras(g)
}

// id checks a name that must be there.
func (f *faults) id(field, s string) {
	if s == "" {
		f.add("%s: missing", field)
	}
	f.text(field, s, maxWord)
}

func (f *faults) options(o Options) {
	if !f.length("options", len(o), MaxOptions) {
		return
	}
	for name, value := range o {
		f.text("options", name, maxWord)
		f.text("options", value, maxWord)
	}
}

func (f *faults) seats(s Seats) {
	f.seat("seats.white", s.White)
	f.seat("seats.black", s.Black)
}

// seat takes a board id; "local" and "engine" have the form of one.
func (f *faults) seat(field, s string) {
	if err := CheckBoard(s); err != nil {
		f.add("%s: want a board id, \"local\" or \"engine\": %w", field, err)
	}
}

func (f *faults) sans(field string, list []string, moves int) {
	if len(list) != 0 && len(list) != moves {
		f.add("%s: %d entries for %d moves", field, len(list), moves)
		return
	}
	for i, s := range list {
		f.text(fmt.Sprintf("%s[%d]", field, i), s, maxSAN)
	}
}

func (f *faults) clock(c *Clock) {
	if c == nil {
		return
	}
	f.between("clock.white_ms", c.White, 0, maxClock)
	f.between("clock.black_ms", c.Black, 0, maxClock)
	f.text("clock.at", c.At, maxWord)
	f.oneOf("clock.running", c.Running, "", "white", "black")
}

func (f *faults) wood(w *Wood) {
	f.between("wood.ply", int64(w.Ply), 0, MaxPlies)
	f.oneOf("wood.state", w.State, "", Synced, Moving, Executing, Asking, Wrong, Setup)
	f.touches("wood.squares", w.Squares)
	f.moves("wood.choices", w.Choices, MaxLegal)
	f.sans("wood.san", w.SAN, len(w.Choices))
}

func (f *faults) touches(field string, list []Touch) {
	if !f.length(field, len(list), MaxSquares) {
		return
	}
	for _, t := range list {
		if !square(t.Square) {
			f.add("%s: %.40q is no square", field, t.Square)
		}
		f.oneOf(field+".deck", t.Deck, "lower", "upper")
		f.between(field+".see", int64(t.See), -1, MaxStack)
		if f.length(field+".want", len(t.Want), MaxStack) {
			for _, letter := range t.Want {
				f.text(field+".want", letter, 1)
			}
		}
	}
}

func (f *faults) extras(g *Game) {
	f.oneOf("offer", g.Offer, "", "white", "black")
	f.between("takebacks", int64(g.Takebacks), 0, 1<<30)
	f.text("pause_reason", g.PauseReason, maxWord)
	f.between("pauses", int64(g.Pauses), 0, 1<<30)
	f.between("declined", int64(g.Declined), 0, 1<<30)
	f.text("conflict", g.Conflict, maxText)
	f.spec("timing", g.Timing)
	if g.Ask != nil {
		f.oneOf("ask.by", g.Ask.By, "white", "black")
		f.between("ask.number", int64(g.Ask.Number), 1, 1<<30)
		f.between("ask.to", int64(g.Ask.To), 0, MaxPlies)
	}
	if g.Seals != nil {
		f.seal("seals.white", g.Seals.White)
		f.seal("seals.black", g.Seals.Black)
	}
}

func (f *faults) seal(field string, s *Seal) {
	if s == nil {
		return
	}
	f.between(field+".ply", int64(s.Ply), 0, MaxPlies)
	f.between(field+".takebacks", int64(s.Takebacks), 0, 1<<30)
	f.oneOf(field+".outcome", s.Outcome, "", "1-0", "0-1", "1/2-1/2", "*")
	f.text(field+".reason", s.Reason, maxWord)
	f.text(field+".key", s.Key, maxSeal)
	f.text(field+".sig", s.Sig, maxSeal)
}
