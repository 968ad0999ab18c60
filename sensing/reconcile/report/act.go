// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/wood"
)

// choose draws a move at random. In every second game it prefers captures, promotions and stacking moves.
func (m *match) choose(moves []rules.Move) rules.Move {
	if !m.biased {
		return moves[m.rand.IntN(len(moves))]
	}
	sum := 0
	for _, x := range moves {
		sum += weight(x)
	}
	n := m.rand.IntN(sum)
	for _, x := range moves {
		if n -= weight(x); n < 0 {
			return x
		}
	}
	return moves[0]
}

// weight is the weight of a move in a biased game.
func weight(m rules.Move) int {
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

// make makes one move by hand and checks how it is recognised.
func (m *match) make(move rules.Move) {
	began := cpuTime()
	now := m.feel.Now()
	quick := m.rand.Float64() < m.style.QuickReply && len(m.truth) > 0
	pause := 300*ms + time.Duration(m.rand.Float64()*float64(m.style.Think))
	m.pass(now + pause)
	m.steady()
	m.write(m.here)
	m.stage(move)
	m.perform()
	if quick && m.another() {
		m.perform()
	}
	m.await()
	m.t.cpu += cpuTime() - began
}

// stage prepares for one move.
func (m *match) stage(move rules.Move) {
	p := m.pos
	m.before = m.table.Wood()
	m.plain.end()
	m.plain.expect(&p, move)
	m.pos.Play(move)
	m.after = m.g.Lay(&m.pos)
	m.truth = append(m.truth, move)
	m.t.moves++
	m.first, m.lit, m.wrong, m.asked, m.hasty, m.touched = 0, false, false, false, false, wood.Set{}
	if m.say != nil {
		fmt.Fprintf(m.say, "%9.3f s  ply %d: hands make %s in %s\n", m.feel.Now().Seconds(), len(m.truth), p.Coord(move),
			p.FEN())
	}
}

// another begins the reply of the other side before the board has said anything. It reports whether the game goes on.
func (m *match) another() bool {
	moves := m.pos.AppendMoves(nil)
	if m.pos.Result() != rules.Playing {
		return false
	}
	m.pass(m.feel.Now() + time.Duration(20+m.rand.IntN(130))*ms)
	first := m.touched
	m.stage(m.choose(moves))
	m.touched[0] |= first[0]
	m.touched[1] |= first[1]
	m.lit = true // a light could be for either move
	m.hasty = true
	return true
}

// perform carries a plan out.
func (m *match) perform() {
	wood := m.table.Wood()
	acts := hands.Vary(m.rand, &m.style, &wood, &m.after)
	m.acting = true
	at := m.feel.Now()
	for i := range acts {
		a := &acts[i]
		at += a.After
		m.table.Announce(at, a)
		m.pass(at)
		if m.say != nil {
			fmt.Fprintf(m.say, "%9.3f s    %v\n", at.Seconds(), *a)
		}
		m.acting = i < len(acts)-1
		m.act(at, a)
	}
	m.acting = false
}

func (m *match) act(at time.Duration, a *hands.Act) {
	reed, cell, hand := m.table.Act(at, a)
	m.feel.Stirred()
	if a.Do == hands.Discard || a.Do == hands.Take || a.Do == hands.Hover {
		return
	}
	m.contact = [3]time.Duration{reed, cell, max(m.contact[2], hand)}
	m.touched.Add(a.Place)
	m.wrong, m.misplaced = false, a.Do == hands.Put && m.acting && m.table.Empty()
	if a.Do == hands.Lift && m.first == 0 {
		m.first, m.from = at, a.Place
		// a piece was put back: lights may go out before
		m.lit = m.lit || m.before[a.Place] != "" && m.after[a.Place] == m.before[a.Place]
	}
}
