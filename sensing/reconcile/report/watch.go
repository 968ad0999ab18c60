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
	m.sampler.Run(until, func(r *sensing.Reading) bool {
		m.observe(r)
		return true
	})
	m.look(m.sampler.Time(until))
}

// look looks at the wood when the decoder has asked for that.
func (m *match) look(until time.Time) {
	for range 8 {
		a := m.referee.Again()
		if a.IsZero() || a.After(until) || !a.After(m.sampler.Time(0)) {
			return
		}
		m.referee.Look(a)
		m.watch(a)
		if !m.referee.Again().After(a) {
			return
		}
	}
}

func (m *match) observe(r *sensing.Reading) {
	m.look(r.At)
	if m.record != nil {
		m.record.Reading(r)
	}
	m.plain.observe(r)
	m.referee.Decoder.Observe(r)
	if again := m.referee.Again(); m.changesAnything(r) || !again.IsZero() && !again.After(r.At) {
		m.referee.Look(r.At)
		m.watch(r.At)
	}
}

// changesAnything reports whether a reading can change an explanation. The daemon looks after each. But a sweep of
// reeds that shows the same as the last one tells no more than the next look will. Of two decks swept together the
// upper one counts.
func (m *match) changesAnything(r *sensing.Reading) bool {
	if r.Kind != sensing.Reeds {
		return true
	}
	old := &m.lastReeds[r.Deck]
	if old.Known != r.Known || old.Closed != r.Closed {
		old.Known, old.Closed = r.Known, r.Closed
		m.reedsChanged = true
	}
	if m.geometry.TwoDecks && r.Deck == sensing.Lower {
		return false
	}
	changed := m.reedsChanged
	m.reedsChanged = false
	return changed
}

// watch tells the height sensors which squares are awaited, as the daemon does, and measures how soon lights can be
// seen.
func (m *match) watch(at time.Time) {
	if m.geometry.Heights {
		m.sampler.Await(m.referee.Decoder.HeightsNeeded())
	}
	e := m.referee.Last()
	if m.verbose != nil {
		for _, n := range m.referee.News() {
			fmt.Fprintf(m.verbose, "%9.3f s      fault %+v\n", at.Sub(m.sampler.Time(0)).Seconds(), n)
		}
	}
	since := func(d time.Duration) time.Duration { return at.Sub(m.sampler.Time(d)) + lineTime(&m.geometry) }
	if !m.lit && m.firstTouch > 0 {
		for _, l := range e.Lifts {
			if l.Place == m.firstPlace {
				m.lit = true
				top := 0
				if len(m.before[m.firstPlace]) > 1 {
					top = 1
				}
				m.tally.lit[top].add(since(m.firstTouch))
			}
		}
	}
	if e.State == reconcile.Wrong && !m.calledWrong {
		m.calledWrong = true
		if m.verbose != nil {
			fmt.Fprintf(m.verbose, "%9.3f s      wrong is shown, %v after the last contact, misplaced: %v\n",
				at.Sub(m.sampler.Time(0)).Seconds(), since(m.lastContact[0]), m.misplaced)
		}
		switch {
		case m.misplaced && !m.early:
			m.tally.wrongShown.add(since(m.lastContact[0]))
		case m.acting:
			m.tally.alarms++
		}
	}
}

// hear takes in what the referee tells.
func (m *match) hear(h solo.Event) {
	if m.verbose != nil {
		m.log(&h)
	}
	switch h.Kind {
	case solo.Moved:
		m.lastMove = h
	case solo.TakenBack:
		m.tally.provisional += h.Plies
		if m.record != nil {
			m.recorded = min(m.recorded, len(m.referee.Moves()))
		}
	case solo.Ended:
		m.fail(&m.tally.wrong, "the game was ended by kings in the centre")
	}
}

func (m *match) log(h *solo.Event) {
	at := h.At.Sub(m.sampler.Time(0)).Seconds()
	switch h.Kind {
	case solo.Moved:
		fmt.Fprintf(m.verbose, "%9.3f s      accepted %v, margin %.1f nats\n", at, moveName(h.Move), h.Margin)
	case solo.TakenBack:
		fmt.Fprintf(m.verbose, "%9.3f s      %d taken back\n", at, h.Plies)
	case solo.Ended:
		fmt.Fprintf(m.verbose, "%9.3f s      ended\n", at)
	case solo.Asked:
		fmt.Fprintf(m.verbose, "%9.3f s      asked:", at)
		for _, c := range h.Choices {
			fmt.Fprintf(m.verbose, " %v", moveName(c.Move))
		}
		fmt.Fprintln(m.verbose)
	}
}

func moveName(m rules.Move) string { return fmt.Sprintf("%v%v", m.From(), m.To()) }
