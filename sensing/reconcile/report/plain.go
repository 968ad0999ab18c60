// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// plain is what electronic boards do today. They wait until the occupation of the squares has rested, and look for the
// legal move that leaves it. With last, if several moves do, it takes the one whose destination was lifted last.
type plain struct {
	layered, twoDecks bool
	closed            [2]rules.Bitboard
	since             time.Time
	lifted            [64]time.Time // when a square was last emptied
	position          rules.Position
	woods             []rules.Wood
	done              bool
	made              rules.Move
	tally             *tally
}

// expect sets the move that will be made.
func (p *plain) expect(pos *rules.Position, truth rules.Move) {
	p.position, p.made, p.done = *pos, truth, false
	p.woods = pos.AppendWoods(p.woods[:0])
	p.lifted = [64]time.Time{}
}

// occupied is the occupation that a wood leaves on the decks.
func occupied(w *rules.Wood, layered, twoDecks bool) [2]rules.Bitboard {
	if layered && twoDecks {
		return [2]rules.Bitboard{w.Lower, w.Upper}
	}
	if layered {
		return [2]rules.Bitboard{w.Lower | w.Upper}
	}
	return [2]rules.Bitboard{w.Lower}
}

func (p *plain) observe(r *sensing.Reading) {
	if r.Kind != sensing.Reeds {
		return
	}
	now := p.closed[r.Deck]&^r.Known | r.Closed
	if gone := p.closed[r.Deck] &^ now; gone != 0 {
		for s := range gone.Squares() {
			p.lifted[s] = r.At
		}
	}
	if now != p.closed[r.Deck] {
		p.closed[r.Deck], p.since = now, r.At
	} else if !p.done && !p.since.IsZero() && r.At.Sub(p.since) >= restsFor {
		p.findMove()
	}
}

// findMove looks for legal moves that leave what rests on the board.
func (p *plain) findMove() {
	var found []rules.Move
	for i := range p.woods {
		if occupied(&p.woods[i], p.layered, p.twoDecks) == p.closed {
			found = append(found, p.woods[i].Move)
		}
	}
	if len(found) == 0 {
		return
	}
	p.done = true
	p.tally.plain[p.verdict(found)]++
	if len(found) > 1 {
		best := found[:1]
		for _, m := range found[1:] {
			switch a, b := p.lifted[m.To()], p.lifted[best[0].To()]; {
			case a.After(b):
				best = []rules.Move{m}
			case a.Equal(b):
				best = append(best, m)
			}
		}
		found = best
	}
	p.tally.lifted[p.verdict(found)]++
}

// The verdicts.
const (
	verdictRight = iota
	verdictWrong
	verdictUnknown
)

func (p *plain) verdict(found []rules.Move) int {
	switch {
	case len(found) > 1:
		return verdictUnknown
	case found[0] == p.made:
		return verdictRight
	}
	return verdictWrong
}

// finish ends the move. If it was not recognised by then, it counts as not recognised.
func (p *plain) finish() {
	if !p.done && len(p.woods) > 0 {
		p.findMove()
		if !p.done {
			p.tally.plain[verdictUnknown]++
			p.tally.lifted[verdictUnknown]++
		}
	}
	p.done = true
}
