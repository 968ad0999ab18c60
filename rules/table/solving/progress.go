// SPDX-License-Identifier: Apache-2.0

package solving

import (
	"maps"
	"slices"

	"boardd/rules/game"
)

// Progress is what the journal keeps of the solving of problems, with the game that is the problem. Without it, a
// restart would lose the score, show problems again, and forget what was played before.
type Progress struct {
	Solved int `json:"solved,omitempty"` // problems, since somebody began to solve them here
	Shown  int `json:"shown,omitempty"`  // problems that are over
	Tries  int `json:"tries,omitempty"`  // wrong tries at this problem
	// the number of takebacks before the last wrong try, plus 1; 0: there was none
	Wrong   int                `json:"wrong,omitempty"`
	Counted bool               `json:"counted,omitempty"` // this problem is over, and in the numbers above
	Seen    map[string]numbers `json:"seen,omitempty"`    // problems, by rule set
	White   string             `json:"white,omitempty"`   // the seats of the game before the problems; "": not known
	Black   string             `json:"black,omitempty"`
	Options map[string]string  `json:"options,omitempty"` // its options
	Clock   *game.Timing       `json:"clock,omitempty"`   // its clock; nil: none
	In      int                `json:"in,omitempty"`      // only problems of this many moves come; 0: all
}

// Clone returns a copy that may be changed.
func (p *Progress) Clone() Progress {
	c := *p
	c.Seen, c.Options = map[string]numbers{}, maps.Clone(p.Options)
	for id, n := range p.Seen {
		c.Seen[id] = slices.Clone(n)
	}
	return c
}

// Show notes that a problem of a rule set is shown.
func (p *Progress) Show(variant string, number int) {
	if p.Seen == nil {
		p.Seen = map[string]numbers{}
	}
	p.Seen[variant] = p.Seen[variant].with(number)
}

// Turn begins another problem: what was tried at the last one no longer counts.
func (p *Progress) Turn() { p.Tries, p.Wrong, p.Counted = 0, 0, false }

// Try counts a wrong try that was made after a number of takebacks, once. It reports whether it was a new one.
func (p *Progress) Try(takebacks int) bool {
	if p.Wrong == takebacks+1 {
		return false
	}
	p.Wrong, p.Tries = takebacks+1, p.Tries+1
	return true
}

// Count adds a problem that is over to the score, once.
func (p *Progress) Count(solved bool) {
	if p.Counted {
		return
	}
	if p.Counted, p.Shown = true, p.Shown+1; solved {
		p.Solved++
	}
}

// Remember keeps what of the game before the problems the game after them is to have.
func (p *Progress) Remember(s game.Setup) {
	p.White, p.Black, p.Options, p.Clock = s.White, s.Black, maps.Clone(s.Options), s.Clock
}

// Restore gives a game that follows the problems what the game before them had.
func (p *Progress) Restore(s *game.Setup) {
	if p.White != "" {
		s.White, s.Black = p.White, p.Black
	}
	s.Options, s.Clock = maps.Clone(p.Options), p.Clock
}

// numbers is a set of numbers from 1, with a bit for each.
type numbers []byte

func (s numbers) has(n int) bool { return n/8 < len(s) && s[n/8]>>(n%8)&1 != 0 }

func (s numbers) with(n int) numbers {
	for n/8 >= len(s) {
		s = append(s, 0)
	}
	s[n/8] |= 1 << (n % 8)
	return s
}

// drop takes a number out of the set.
func (s numbers) drop(n int) {
	if s.has(n) {
		s[n/8] &^= 1 << (n % 8)
	}
}
