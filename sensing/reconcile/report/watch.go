// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"boardd/rules"
	"boardd/rules/table/solo"
	"boardd/sensing"
	"boardd/sensing/reconcile"
)

// pass lets time go by.
func (m *match) pass(until time.Duration) {
	m.feel.Run(until, func(r *sensing.Reading) bool {
		m.observe(r)
		return true
	})
	m.look(m.feel.Time(until))
}

// look looks at the wood when the decoder has asked for that.
func (m *match) look(until time.Time) {
	for range 8 {
		a := m.ref.Again()
		if a.IsZero() || a.After(until) || !a.After(m.feel.Time(0)) {
			return
		}
		m.ref.Look(a)
		m.watch(a)
		if !m.ref.Again().After(a) {
			return
		}
	}
}

func (m *match) observe(r *sensing.Reading) {
	m.look(r.At)
	if m.record != nil {
		m.record.Reading(r)
	}
	m.plain.see(r)
	m.ref.Decoder.Observe(r)
	if again := m.ref.Again(); m.news(r) || !again.IsZero() && !again.After(r.At) {
		m.ref.Look(r.At)
		m.watch(r.At)
	}
}

// news reports whether a reading can change an explanation. The daemon looks after each. But a sweep of reeds that
// shows the same as the last one tells no more than the next look will. Of two decks swept together the upper one
// counts.
func (m *match) news(r *sensing.Reading) bool {
	if r.Kind != sensing.Reeds {
		return true
	}
	old := &m.shown[r.Deck]
	if old.Known != r.Known || old.Closed != r.Closed {
		old.Known, old.Closed = r.Known, r.Closed
		m.changed = true
	}
	if m.g.TwoDecks && r.Deck == sensing.Lower {
		return false
	}
	changed := m.changed
	m.changed = false
	return changed
}

// watch tells the height sensors which squares are awaited, as the daemon does, and measures how soon lights can be
// seen.
func (m *match) watch(at time.Time) {
	if m.g.Heights {
		m.feel.Await(m.ref.Decoder.HeightsNeeded())
	}
	e := m.ref.Last()
	if m.say != nil {
		for _, n := range m.ref.News() {
			fmt.Fprintf(m.say, "%9.3f s      fault %+v\n", at.Sub(m.feel.Time(0)).Seconds(), n)
		}
	}
	since := func(d time.Duration) time.Duration { return at.Sub(m.feel.Time(d)) + lineTime(&m.g) }
	if !m.lit && m.first > 0 {
		for _, l := range e.Lifts {
			if l.Place == m.from {
				m.lit = true
				top := 0
				if len(m.before[m.from]) > 1 {
					top = 1
				}
				m.t.lit[top].add(since(m.first))
			}
		}
	}
	if e.State == reconcile.Wrong && !m.wrong {
		m.wrong = true
		if m.say != nil {
			fmt.Fprintf(m.say, "%9.3f s      wrong is shown, %v after the last contact, misplaced: %v\n",
				at.Sub(m.feel.Time(0)).Seconds(), since(m.contact[0]), m.misplaced)
		}
		switch {
		case m.misplaced && !m.hasty:
			m.t.wrongly.add(since(m.contact[0]))
		case m.acting:
			m.t.alarms++
		}
	}
}

// handle takes in what the referee tells.
func (m *match) handle(h solo.Event) {
	if m.say != nil {
		m.log(&h)
	}
	switch h.Kind {
	case solo.Moved:
		m.last = h
	case solo.TakenBack:
		m.t.provisional += h.Plies
		if m.record != nil {
			m.recorded = min(m.recorded, len(m.ref.Moves()))
		}
	case solo.Asked:
		m.asked, m.choices = true, h.Choices
	case solo.Ended:
		m.fault(&m.t.wrong, "the game was ended by kings in the centre")
	}
}

func (m *match) log(h *solo.Event) {
	at := h.At.Sub(m.feel.Time(0)).Seconds()
	switch h.Kind {
	case solo.Moved:
		fmt.Fprintf(m.say, "%9.3f s      accepted %v, margin %.1f nats\n", at, moveName(h.Move), h.Margin)
	case solo.TakenBack:
		fmt.Fprintf(m.say, "%9.3f s      %d taken back\n", at, h.Plies)
	case solo.Ended:
		fmt.Fprintf(m.say, "%9.3f s      ended\n", at)
	case solo.Asked:
		fmt.Fprintf(m.say, "%9.3f s      asked:", at)
		for _, c := range h.Choices {
			fmt.Fprintf(m.say, " %v", moveName(c.Move))
		}
		fmt.Fprintln(m.say)
	}
}

func moveName(m rules.Move) string { return fmt.Sprintf("%v%v", m.From(), m.To()) }
