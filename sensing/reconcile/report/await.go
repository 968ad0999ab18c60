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

// agrees reports whether the game stands as hands have made it, and the wood with it.
func (m *match) agrees() bool {
	return len(m.referee.Moves()) == len(m.made) && m.woodAgrees() && m.rightMoves() == len(m.made)
}

func (m *match) woodAgrees() bool { return m.referee.Last().State == reconcile.Synced }

// rightMoves is how many moves of the game are those that were made.
func (m *match) rightMoves() (n int) {
	for n < len(m.made) && n < len(m.referee.Moves()) && m.made[n] == m.referee.Moves()[n] {
		n++
	}
	return n
}

// Patience: when people check why nothing happens, and when they give up.
const (
	checksAfter  = 1300 * ms
	givesUpAfter = 3 * time.Second
)

// Other times.
const (
	ms            = time.Millisecond
	settlesIn     = 2 * time.Second        // how long to wait for the wood after it was put right
	restsFor      = 300 * time.Millisecond // how long the occupation must rest for a board of reeds alone
	roughEager    = 2 * time.Second        // physics.Rig.Eager at a rough level
	spreadStep    = 500 * time.Microsecond // of a spread
	mostLatency   = 400 * time.Millisecond // the longest time that is drawn
	progressEvery = time.Minute            // from one word about progress to the next
)

// awaitMove waits until the move is recognised. A hand that leans on the board is still at work.
func (m *match) awaitMove() {
	began := max(m.sampler.Now(), m.table.World.LeansUntil())
	straight := false
	for m.sampler.Now() < began+givesUpAfter {
		m.passUntil(m.sampler.Now()+100*ms, func() bool { return m.agrees() })
		if m.agrees() {
			m.countRecognised(straight)
			return
		}
		if m.referee.Last().State == reconcile.Asking && m.sampler.Now() > began+150*ms && m.answer() {
			return
		}
		if !straight && m.sampler.Now() >= began+checksAfter {
			straight = m.straighten()
		}
	}
	m.countUnrecognised()
}

// until lets time go by until a condition holds or the limit is over.
func (m *match) passUntil(limit time.Duration, ok func() bool) {
	if m.sampler.Run(limit, func(r *sensing.Reading) bool {
		m.observe(r)
		return !ok()
	}) {
		m.look(m.sampler.Time(limit))
	}
}

// straighten pushes pieces that do not close their reed to the middle of their square. It reports whether there was
// one.
func (m *match) straighten() (any bool) {
	for q := range wood.Place(wood.Places) {
		if m.touched.Has(q) && m.table.World.Pile(q.Deck(), q.Square()) != "" &&
			!m.table.World.Stands(q.Deck(), q.Square()) {
			m.table.Straighten(m.sampler.Now(), q)
			m.sampler.Stirred()
			any = true
		}
	}
	return any
}

// countRecognised counts a move that was recognised as it was made.
func (m *match) countRecognised(straight bool) {
	m.stalledInARow = 0
	m.recognisedHere = true
	if straight {
		m.tally.straightened++
		return
	}
	h := &m.lastMove
	m.tally.margins[min(len(m.tally.margins)-1, max(0, int(h.Margin)))]++
	if m.early {
		return // the reply began before the move was accepted: there is no last contact to count from
	}
	n := len(m.made) - 1
	p := m.positionBefore()
	what := decidedBy(&m.geometry, p, m.made[n], m.plain.woods, &m.before, &m.after, &m.touched)
	contact := m.lastContact[0]
	if m.geometry.Weights {
		contact = max(contact, m.lastContact[1]) // the last touch leaves the piece
	}
	switch what {
	case byHeight, bySequence:
		contact = m.lastContact[2]
	case goesOn:
		if contact = max(m.lastContact[0], m.lastContact[1]); m.geometry.Heights && changesPile(&m.before, &m.after) {
			contact = m.lastContact[2]
		}
	}
	late := max(0, h.At.Sub(m.sampler.Time(contact)))
	m.tally.commits[what].add(late)
	if m.verbose != nil {
		fmt.Fprintf(m.verbose, "%9.3f s      %s decides, %v after the last contact\n", m.sampler.Now().Seconds(), what,
			late)
	}
}

// answer answers an open question as a player does on the page, and reports whether it could.
func (m *match) answer() bool {
	e := m.referee.Last()
	k := len(m.referee.Moves()) - e.Base
	if k < 0 || k >= len(m.made) || m.rightMoves() < k {
		return false
	}
	p := m.positionAfter(k)
	// a question with one choice, and nothing hidden
	right, needless := false, len(e.Choices) == 1 && !m.hidden(&p, m.made[k])
	for _, c := range e.Choices {
		if c.Move == m.made[k] {
			right = true
		} else if tellable(&m.geometry, &p, m.made[k], c.Move, &m.touched) {
			needless = true
		}
	}
	m.tally.asked++
	if m.record != nil {
		m.record.Question(m.sampler.Time(m.sampler.Now()))
	}
	if !right {
		m.fail(&m.tally.misasked, "the question lacks the move that was made")
		m.setRight()
		return true
	}
	if needless {
		m.fail(&m.tally.needless, "asked without need")
	}
	m.referee.Answer(m.sampler.Time(m.sampler.Now()), m.made[k])
	m.passUntil(m.sampler.Now()+800*ms, m.agrees)
	if !m.agrees() {
		m.setRight()
		return true
	}
	m.writeTrace(false)
	return true
}

func (m *match) positionAfter(k int) rules.Position {
	p := m.position.Variant().Start()
	for _, x := range m.made[:k] {
		p.Play(x)
	}
	return p
}

// countUnrecognised counts what was not recognised, or wrongly.
func (m *match) countUnrecognised() {
	if n := m.rightMoves(); n < len(m.referee.Moves()) {
		m.fail(&m.tally.wrong, "accepted a move that was not made")
	} else if m.sensesNothing() {
		m.tally.blind++
		m.setRight()
		m.stalledInARow = 0
		return
	} else {
		m.fail(&m.tally.stalled, "not recognised, state "+m.referee.Last().State.String())
	}
	m.setRight()
}

// fail counts a failure and notes how to see it again.
func (m *match) fail(count *int, what string) {
	*count++
	p := m.positionAfter(len(m.made) - 1)
	text := fmt.Sprintf("%s: %s, ply %d %s in %s %s  go run ./sensing/reconcile/report -seed %d -only %s -game %d",
		m.scene, what, len(m.made),
		p.Coord(m.made[len(m.made)-1]), p.FEN(), m.broken, m.seed, m.scene, m.number)
	if m.verbose != nil {
		fmt.Fprintf(m.verbose, "%9.3f s  FAILURE %s, state %v, touch %v\n", m.sampler.Now().Seconds(), what,
			m.referee.Last().State, m.referee.Last().Discrepancies)
	}
	switch {
	case count == &m.tally.wrong:
		m.tally.wrongs = append(m.tally.wrongs, text)
	case len(m.tally.failures) < mostFailures:
		m.tally.failures = append(m.tally.failures, text)
	}
}

// setRight brings the game to what hands have made, as people do on the page.
func (m *match) setRight() {
	m.stalledInARow++
	m.writeTrace(false)
	at := m.sampler.Time(m.sampler.Now())
	m.referee.Mend(at, m.made)
	m.settle()
	m.sampler.Stirred()
	m.passUntil(m.sampler.Now()+settlesIn, m.agrees)
}

// checkSteady checks that nothing has happened while nobody touched anything.
func (m *match) checkSteady() {
	right := m.rightMoves()
	if len(m.made) > 0 && (right < len(m.made) || len(m.referee.Moves()) > right) && m.stalledInARow == 0 {
		m.fail(&m.tally.wrong, "the game changed by itself")
		m.setRight()
	}
}

// hidden reports whether a move looks to sensors as if its piece were in a hand: pieces on top were exchanged for as
// many.
func (m *match) hidden(p *rules.Position, x rules.Move) bool {
	q := *p
	q.Play(x)
	before, after := m.geometry.Lay(p), m.geometry.Lay(&q)
	return !m.geometry.Weights && upperExchange(&before, &after)
}

// sensesNothing reports whether the board has said that no sensor of the lower deck answers. Then moves are given on
// the page.
func (m *match) sensesNothing() bool {
	silent := 0
	for _, f := range m.referee.Decoder.Faults() {
		if f.Kind == reconcile.Silent && f.Place < 64 {
			silent++
		}
	}
	banks := 1
	if m.geometry.Weights {
		banks++
	}
	if m.geometry.Heights {
		banks++
	}
	return silent == 64*banks
}
