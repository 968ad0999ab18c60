// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

func (f *faults) command(c *Command) {
	f.text("id", c.ID, maxWord)
	f.oneOf("do", c.Do, Deeds()...)
	f.oneOf("by", c.By, "", "white", "black")
	f.text("variant", c.Variant, maxWord)
	f.text("start", c.Start, maxFEN)
	f.options(c.Options)
	f.between("plies", int64(c.Plies), 0, MaxPlies)
	f.need(c)
	if c.Seats != nil {
		f.seats(*c.Seats)
	}
	f.spec("clock", c.Clock)
}

// need checks what a deed cannot do without.
func (f *faults) need(c *Command) {
	switch c.Do {
	case DoMove, DoAnswer:
		if c.Move == "" {
			f.add("move: missing, %q needs a coordinate move", c.Do)
			return
		}
	case DoSetup:
		if c.Start == "" {
			f.add("start: missing, \"setup\" needs a stack FEN")
		}
	}
	f.text("move", c.Move, maxSAN) // people may send SAN; the rules say what it means
}

func (f *faults) spec(field string, s *ClockSpec) {
	if s == nil {
		return
	}
	f.oneOf(field+".kind", s.Kind, ClockKinds()...)
	f.between(field+".initial_ms", s.Initial, 1, maxClock)
	f.between(field+".increment_ms", s.Increment, 0, maxClock)
	f.between(field+".moves", int64(s.Moves), 0, MaxPlies)
	if !f.length(field+".periods", len(s.Periods), MaxPeriods) {
		return
	}
	for i, p := range s.Periods {
		at := fmt.Sprintf("%s.periods[%d].", field, i)
		f.between(at+"moves", int64(p.Moves), 0, MaxPlies)
		f.between(at+"initial_ms", p.Initial, 0, maxClock)
		f.between(at+"increment_ms", p.Increment, 0, maxClock)
	}
	f.allowance(field+".white", s.White)
	f.allowance(field+".black", s.Black)
}

func (f *faults) allowance(field string, a *Allowance) {
	if a == nil {
		return
	}
	f.between(field+".initial_ms", a.Initial, 1, maxClock)
	f.between(field+".increment_ms", a.Increment, 0, maxClock)
}

func (f *faults) event(e *Event) {
	f.id("kind", e.Kind)
	f.text("at", e.At, maxWord)
	f.text("game", e.Game, maxWord)
	f.between("ply", int64(e.Ply), 0, MaxPlies)
	f.text("san", e.SAN, maxSAN)
	f.text("part", e.Part, maxWord)
	f.text("text", e.Text, maxText)
	f.oneOf("by", e.By, "", "white", "black")
	if e.Move != "" {
		f.move("move", e.Move)
	}
	f.touches("squares", e.Squares)
	f.moves("choices", e.Choices, MaxLegal)
}

func (f *faults) health(h *Health) {
	f.text("version", h.Version, maxWord)
	f.text("journal", h.Journal, maxText)
	if f.length("parts", len(h.Parts), 1024) {
		for _, p := range h.Parts {
			f.text("parts.name", p.Name, maxWord)
			f.text("parts.detail", p.Detail, maxText)
		}
	}
	if f.length("faults", len(h.Faults), 2*MaxSquares) {
		for _, s := range h.Faults {
			f.text("faults.text", s.Text, maxText)
		}
	}
}
