// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// agreed reports whether the game stands as hands have made it, and the wood with it.
func (m *match) agreed() bool {
	return len(m.ref.Moves()) == len(m.truth) && m.wood() && m.prefix() == len(m.truth)
}

func (m *match) wood() bool { return m.ref.Last().State == reconcile.Synced }

// prefix is how many moves of the game are those that were made.
func (m *match) prefix() (n int) {
	for n < len(m.truth) && n < len(m.ref.Moves()) && m.truth[n] == m.ref.Moves()[n] {
		n++
	}
	return n
}

// Patience: when people check why nothing happens, and when they give up.
const (
	looks   = 1300 * ms
	givesUp = 3 * time.Second
)

// Other times.
const (
	ms     = time.Millisecond
	mends  = 2 * time.Second        // how long to wait for the wood after it was put right
	rests  = 300 * time.Millisecond // how long the occupation must rest for a board of reeds alone
	eager  = 2 * time.Second        // physics.Rig.Eager at a rough level
	step   = 500 * time.Microsecond // of a spread
	tellIn = time.Minute            // from one word about progress to the next
)

// await waits until the move is recognised.
func (m *match) await() {
	began := m.feel.Now()
	straight := false
	for m.feel.Now() < began+givesUp {
		m.until(m.feel.Now()+100*ms, func() bool { return m.agreed() })
		if m.agreed() {
			m.recognised(straight)
			return
		}
		if m.ref.Last().State == reconcile.Asking && m.feel.Now() > began+150*ms && m.answer() {
			return
		}
		if !straight && m.feel.Now() >= began+looks {
			straight = m.straighten()
		}
	}
	m.unrecognised()
}

// until lets time go by until a condition holds or the limit is over.
func (m *match) until(limit time.Duration, ok func() bool) {
	if m.feel.Run(limit, func(r *sensing.Reading) bool {
		m.observe(r)
		return !ok()
	}) {
		m.look(m.feel.Time(limit))
	}
}

// straighten pushes pieces that do not close their reed to the middle of their square. It reports whether there was
// one.
func (m *match) straighten() (any bool) {
	for q := range wood.Place(wood.Places) {
		if m.touched.Has(q) && m.table.World.Pile(q.Deck(), q.Square()) != "" &&
			!m.table.World.Stands(q.Deck(), q.Square()) {
			m.table.Straighten(m.feel.Now(), q)
			m.feel.Stirred()
			any = true
		}
	}
	return any
}

// recognised counts a move that was recognised as it was made.
func (m *match) recognised(straight bool) {
	m.stalls = 0
	m.here = true
	if straight {
		m.t.straightened++
		return
	}
	h := &m.last
	m.t.margins[min(len(m.t.margins)-1, max(0, int(h.Margin)))]++
	if m.hasty {
		return // the reply began before the move was accepted: there is no last contact to count from
	}
	n := len(m.truth) - 1
	p := m.positionBefore()
	what := decides(&m.g, p, m.truth[n], m.plain.woods, &m.before, &m.after, &m.touched)
	contact := m.contact[0]
	switch what {
	case byWeight:
		contact = m.contact[1]
	case byHeight, byWay:
		contact = m.contact[2]
	case goesOn:
		if contact = max(m.contact[0], m.contact[1]); m.g.Heights && stacked(&m.before, &m.after) {
			contact = m.contact[2]
		}
	}
	late := max(0, h.At.Sub(m.feel.Time(contact)))
	m.t.commit[what].add(late)
	if m.say != nil {
		fmt.Fprintf(m.say, "%9.3f s      %s decides, %v after the last contact\n", m.feel.Now().Seconds(), what, late)
	}
}

// answer answers an open question as a player does on the page, and reports whether it could.
func (m *match) answer() bool {
	e := m.ref.Last()
	k := len(m.ref.Moves()) - e.Base
	if k < 0 || k >= len(m.truth) || m.prefix() < k {
		return false
	}
	p := m.replayTo(k)
	// a question with one choice, and nothing hidden
	right, needless := false, len(e.Choices) == 1 && !m.hidden(&p, m.truth[k])
	for _, c := range e.Choices {
		if c.Move == m.truth[k] {
			right = true
		} else if tellable(&m.g, &p, m.truth[k], c.Move, &m.touched) {
			needless = true
		}
	}
	m.t.asked++
	if m.record != nil {
		m.record.Question(m.feel.Time(m.feel.Now()))
	}
	if !right {
		m.fault(&m.t.misasked, "the question lacks the move that was made")
		m.recover()
		return true
	}
	if needless {
		m.fault(&m.t.needless, "asked without need")
	}
	m.ref.Answer(m.feel.Time(m.feel.Now()), m.truth[k])
	m.until(m.feel.Now()+800*ms, m.agreed)
	if !m.agreed() {
		m.recover()
		return true
	}
	m.write(false)
	return true
}

func (m *match) replayTo(k int) rules.Position {
	p := m.pos.Variant().Start()
	for _, x := range m.truth[:k] {
		p.Play(x)
	}
	return p
}

// unrecognised counts what was not recognised, or wrongly.
func (m *match) unrecognised() {
	if n := m.prefix(); n < len(m.ref.Moves()) {
		m.fault(&m.t.wrong, "accepted a move that was not made")
	} else if m.insensible() {
		m.t.said++
		m.recover()
		m.stalls = 0
		return
	} else {
		m.fault(&m.t.stalled, "not recognised, state "+m.ref.Last().State.String())
	}
	m.recover()
}

// fault counts a failure and notes how to see it again.
func (m *match) fault(count *int, what string) {
	*count++
	p := m.replayTo(len(m.truth) - 1)
	text := fmt.Sprintf("%s: %s, ply %d %s in %s %s  go run ./sensing/reconcile/report -seed %d -only %s -game %d",
		m.scene, what, len(m.truth),
		p.Coord(m.truth[len(m.truth)-1]), p.FEN(), m.wired, m.seed, m.scene, m.number)
	if m.say != nil {
		fmt.Fprintf(m.say, "%9.3f s  FAILURE %s, state %v, touch %v\n", m.feel.Now().Seconds(), what, m.ref.Last().State,
			m.ref.Last().Discrepancies)
	}
	switch {
	case count == &m.t.wrong:
		m.t.wrongs = append(m.t.wrongs, text)
	case len(m.t.failures) < kept:
		m.t.failures = append(m.t.failures, text)
	}
}

// recover brings the game to what hands have made, as people do on the page.
func (m *match) recover() {
	m.stalls++
	m.write(false)
	at := m.feel.Time(m.feel.Now())
	m.ref.Mend(at, m.truth)
	m.settle()
	m.feel.Stirred()
	m.until(m.feel.Now()+mends, m.agreed)
}

// steady checks that nothing has happened while nobody touched anything.
func (m *match) steady() {
	if k := m.prefix(); len(m.truth) > 0 && (k < len(m.truth) || len(m.ref.Moves()) > k) && m.stalls == 0 {
		m.fault(&m.t.wrong, "the game changed by itself")
		m.recover()
	}
}

// hidden reports whether a move looks to sensors as if its piece were in a hand: pieces on top were exchanged for as
// many.
func (m *match) hidden(p *rules.Position, x rules.Move) bool {
	q := *p
	q.Play(x)
	before, after := m.g.Lay(p), m.g.Lay(&q)
	return !m.g.Weights && upperExchange(&before, &after)
}

// insensible reports whether the board has said that no sensor of the lower deck answers. Then moves are given on the
// page.
func (m *match) insensible() bool {
	silent := 0
	for _, f := range m.ref.Decoder.Faults() {
		if f.Kind == reconcile.Silent && f.Place < 64 {
			silent++
		}
	}
	banks := 1
	if m.g.Weights {
		banks++
	}
	if m.g.Heights {
		banks++
	}
	return silent == 64*banks
}
