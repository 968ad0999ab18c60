// SPDX-License-Identifier: Apache-2.0

// Package hands moves the wood of a virtual board as people do. It plans the lifts and placements that turn one wood
// into another, and carries them out with the pauses of a hand.
package hands

import (
	"strings"
	"time"

	"boardd/sensing/wood"
)

// Hand is one of the two hands.
type Hand uint8

const (
	Right Hand = iota
	Left
)

// Do is what a hand does.
type Do uint8

const (
	Lift    Do = iota // take the top Count pieces of Place
	Put               // put everything that the hand holds on Place
	Discard           // put everything that the hand holds beside the board
	Take              // take Pieces from beside the board, the first lowest
	Graze             // drag what the hand holds over the empty Place, for Span
	Knock             // knock against what stands on Place: it rocks for Span
	Adjust            // push what stands on Place to the middle, or away from it
	Hover             // hold a hand over Place for Span and touch nothing
)

// Act is one movement of one hand.
type Act struct {
	Do     Do
	Hand   Hand
	Place  wood.Place
	Count  int
	Pieces string
	After  time.Duration // pause before it; 0: as the pace has it
	Span   time.Duration // of Graze, Knock and Hover
}

// site is a place that has to change.
type site struct {
	place wood.Place
	goes  string // pieces that must leave, bottom to top; those that return at once are in aside
	comes string // pieces that must arrive, bottom to top
	aside string // pieces that are put aside and come back on top
	held  bool   // aside is in the left hand; otherwise it lies beside the board
}

// Plan lists the movements of two hands that turn one wood into the other. Whatever is in the way is put aside first,
// captured pieces leave before their captor arrives, and a king goes before its rook.
func Plan(from, to *wood.Wood) []Act {
	p := planner{sites: sites(from, to)}
	for i := range p.sites {
		p.setAside(&p.sites[i])
	}
	for p.step() {
	}
	return p.acts
}

type planner struct {
	sites []site
	acts  []Act
	left  bool // the left hand holds something
}

func sites(from, to *wood.Wood) []site {
	var ss []site
	for p := range wood.Place(wood.Places) {
		if from[p] == to[p] {
			continue
		}
		a, b := string(from[p]), string(to[p])
		keep := 0
		for keep < len(a) && keep < len(b) && a[keep] == b[keep] {
			keep++
		}
		a, b = a[keep:], b[keep:]
		back := 0
		for back < len(a) && back < len(b) && a[len(a)-1-back] == b[len(b)-1-back] {
			back++
		}
		ss = append(ss, site{place: p, goes: a[:len(a)-back], comes: b[:len(b)-back], aside: a[len(a)-back:]})
	}
	return ss
}

// setAside takes up the pieces that will stand on top again: with the left hand, or beside the board when it is full.
func (p *planner) setAside(s *site) {
	if s.aside == "" {
		return
	}
	if !p.left {
		s.held, p.left = true, true
		p.act(Act{Do: Lift, Hand: Left, Place: s.place, Count: len(s.aside)})
		return
	}
	p.act(Act{Do: Lift, Place: s.place, Count: len(s.aside)}, Act{Do: Discard})
}

func (p *planner) act(a ...Act) { p.acts = append(p.acts, a...) }

// step does the next sensible thing and reports whether there was one.
func (p *planner) step() bool {
	return p.clear() || p.move() || p.restore() || p.giveUp()
}

// clear puts away the top pieces of a place that nobody needs elsewhere, and reports whether there were any.
func (p *planner) clear() bool {
	for i := range p.sites {
		s := &p.sites[i]
		n := 0
		for n < len(s.goes) && !p.needed(s.goes[len(s.goes)-1-n]) {
			n++
		}
		if n > 0 {
			p.act(Act{Do: Lift, Place: s.place, Count: n}, Act{Do: Discard})
			s.goes = s.goes[:len(s.goes)-n]
			return true
		}
	}
	return false
}

// needed reports whether a letter has still to arrive somewhere, more often than it already lies ready.
func (p *planner) needed(letter byte) bool {
	for i := range p.sites {
		if strings.IndexByte(p.sites[i].comes, letter) >= 0 {
			return true
		}
	}
	return false
}

// move carries a run of pieces to a place that is ready for them, a king before anything else. It reports whether it
// did.
func (p *planner) move() bool {
	for _, kings := range []bool{true, false} {
		for i := range p.sites {
			s := &p.sites[i]
			if s.goes != "" || s.comes == "" || kings && !strings.ContainsAny(s.comes[:1], "Kk") {
				continue
			}
			if p.fill(s) {
				return true
			}
		}
	}
	return false
}

// fill brings the next pieces of a place, and reports whether it could. They are the longest run that stands ready
// somewhere, or a spare piece if no such piece will become free.
func (p *planner) fill(s *site) bool {
	var from *site
	n := 0
	waits := false
	for i := range p.sites {
		q := &p.sites[i]
		for k := len(q.goes); k > n; k-- {
			if strings.HasPrefix(s.comes, q.goes[len(q.goes)-k:]) {
				from, n = q, k
			}
		}
		waits = waits || strings.IndexByte(q.goes, s.comes[0]) >= 0
	}
	if from != nil {
		p.act(Act{Do: Lift, Place: from.place, Count: n}, Act{Do: Put, Place: s.place})
		from.goes = from.goes[:len(from.goes)-n]
		s.comes = s.comes[n:]
		return true
	}
	if waits {
		return false
	}
	p.act(Act{Do: Take, Pieces: s.comes[:1]}, Act{Do: Put, Place: s.place})
	s.comes = s.comes[1:]
	return true
}

// restore puts back what was put aside, once everything under it stands. It reports whether it did.
func (p *planner) restore() bool {
	for i := range p.sites {
		s := &p.sites[i]
		if s.aside == "" || s.goes != "" || s.comes != "" {
			continue
		}
		if s.held {
			p.act(Act{Do: Put, Hand: Left, Place: s.place})
			p.left = false
		} else {
			p.act(Act{Do: Take, Pieces: s.aside}, Act{Do: Put, Place: s.place})
		}
		s.aside = ""
		return true
	}
	return false
}

// giveUp breaks a ring of places that wait for each other, and reports whether there was one. What stands on one of
// them is put beside the board.
func (p *planner) giveUp() bool {
	for i := range p.sites {
		if s := &p.sites[i]; s.goes != "" {
			p.act(Act{Do: Lift, Place: s.place, Count: len(s.goes)}, Act{Do: Discard})
			s.goes = ""
			return true
		}
	}
	return false
}
