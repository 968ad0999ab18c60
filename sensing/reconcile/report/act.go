// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/wood"
)

// chooseMove draws a move at random. In every second game it prefers captures, promotions and stacking moves.
func (m *match) chooseMove(moves []rules.Move) rules.Move {
	if !m.biased {
		return moves[m.rand.IntN(len(moves))]
	}
	sum := 0
	for _, x := range moves {
		sum += moveWeight(x)
	}
	n := m.rand.IntN(sum)
	for _, x := range moves {
		if n -= moveWeight(x); n < 0 {
			return x
		}
	}
	return moves[0]
}

// moveWeight is the weight of a move in a biased game.
func moveWeight(m rules.Move) int {
	switch {
	case m.IsEnPassant(), m.Promotion() != rules.NoKind:
		return 20
	case m.IsCastling(), m.IsHeadbutt():
		return 12
	case m.IsMarked(), m.FromAir() || m.ToAir():
		return 5
	case m.IsCapture(), m.Count() > 1:
		return 4
	}
	return 1
}

// makeMove makes one move by hand and checks how it is recognised.
func (m *match) makeMove(move rules.Move) {
	began := cpuTime()
	now := m.sampler.Now()
	quick := m.rand.Float64() < m.style.QuickReply && len(m.made) > 0
	pause := 300*ms + time.Duration(m.rand.Float64()*float64(m.style.Think))
	m.pass(now + pause)
	m.checkSteady()
	m.writeTrace(m.recognisedHere)
	m.prepare(move)
	m.perform()
	if quick && m.replyEarly() {
		m.perform()
	}
	m.awaitMove()
	m.tally.cpu += cpuTime() - began
}

// prepare prepares for one move.
func (m *match) prepare(move rules.Move) {
	p := m.position
	m.before = m.table.Wood()
	m.plain.finish()
	m.plain.expect(&p, move)
	m.position.Play(move)
	m.after = m.geometry.Lay(&m.position)
	m.made = append(m.made, move)
	m.tally.moves++
	m.firstTouch, m.lit, m.calledWrong, m.early, m.touched = 0, false, false, false, wood.Set{}
	if m.verbose != nil {
		fmt.Fprintf(m.verbose, "%9.3f s  ply %d: hands make %s in %s\n", m.sampler.Now().Seconds(), len(m.made),
			p.Coord(move), p.FEN())
	}
}

// replyEarly begins the reply of the other side before the board has said anything. It reports whether the game goes
// on.
func (m *match) replyEarly() bool {
	moves := m.position.AppendMoves(nil)
	if m.position.Result() != rules.Playing {
		return false
	}
	m.pass(m.sampler.Now() + time.Duration(20+m.rand.IntN(130))*ms)
	first := m.touched
	m.prepare(m.chooseMove(moves))
	m.touched[0] |= first[0]
	m.touched[1] |= first[1]
	m.lit = true // a light could be for either move
	m.early = true
	return true
}

// perform carries a plan out.
func (m *match) perform() {
	wood := m.table.Wood()
	acts := hands.Vary(m.rand, &m.style, &wood, &m.after)
	m.acting = true
	at := m.sampler.Now()
	for i := range acts {
		a := &acts[i]
		at += a.After
		m.table.Announce(at, a)
		m.pass(at)
		if m.verbose != nil {
			fmt.Fprintf(m.verbose, "%9.3f s    %v\n", at.Seconds(), *a)
		}
		m.acting = i < len(acts)-1
		m.act(at, a)
	}
	m.acting = false
}

func (m *match) act(at time.Duration, a *hands.Act) {
	reed, cell, hand := m.table.Act(at, a)
	m.sampler.Stirred()
	if a.Do == hands.Discard || a.Do == hands.Take || a.Do == hands.Hover {
		return
	}
	m.lastContact = [3]time.Duration{reed, cell, max(m.lastContact[2], hand)}
	m.touched.Add(a.Place)
	m.calledWrong, m.misplaced = false, a.Do == hands.Put && m.acting && m.table.Empty()
	if a.Do == hands.Lift && m.firstTouch == 0 {
		m.firstTouch, m.firstPlace = at, a.Place
		// a piece was put back: lights may go out before
		m.lit = m.lit || m.before[a.Place] != "" && m.after[a.Place] == m.before[a.Place]
	}
}
