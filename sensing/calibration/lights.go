// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"fmt"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// lights finds the order of the lights of one deck. One at a time is lit, and the person says where. Four are enough
// for a chain that runs in rows. If those do not fit together, every light is asked for.
type lights struct {
	deck  sensing.Deck
	told  [4]rules.Square // where the lights of probes are
	at    int             // how many of them were told
	every bool
}

// probes is the lights asked for: the ends of the first rank of the chain, the first of its second, and the last of
// all.
var probes = [4]rules.Square{0, 7, 8, 63}

func (l *lights) name() string { return "lights-" + l.deck.String() }

func (l *lights) parts() int {
	if l.every {
		return 64
	}
	return len(probes)
}

// lit is the light that shines in a part.
func (l *lights) lit(part int) rules.Square {
	if l.every {
		return rules.Square(part)
	}
	return probes[part]
}

func (l *lights) light(s *Session) (f leds.Frame) {
	f[l.deck][l.lit(s.part)] = white
	return f
}

func (l *lights) state() (words []string) {
	if l.every {
		return []string{"every"}
	}
	for _, sq := range l.told[:l.at] {
		words = append(words, sq.String())
	}
	return words
}

func (l *lights) restore(words []string) error {
	if len(words) == 1 && words[0] == "every" {
		l.every = true
		return nil
	}
	for i, word := range words {
		sq, err := rules.ParseSquare(word)
		if err != nil || i == len(l.told) {
			return fmt.Errorf("%q is no square that was told", word)
		}
		l.told[i], l.at = sq, i+1
	}
	return nil
}

func (*lights) observe(*Session, sensing.Kind) {}

func (l *lights) prompt(_ *Session, p *Prompt) {
	p.Ask(say.That("One light of the %v deck shines. Type the name of its square, as a1 or e4. If none shines, or "+
		"several, look at the chain first. \"keep\" leaves the order of the lights as it is.", l.deck))
	p.Answers = []string{"a1 ... h8", "keep"}
}

func (l *lights) answer(s *Session, word string) (bool, error) {
	if word == "keep" {
		s.skip(say.That("The order of the lights stays as it was."))
		return true, nil
	}
	sq, err := rules.ParseSquare(word)
	if err != nil {
		return false, nil
	}
	if l.every {
		return true, l.one(s, sq)
	}
	l.told[s.part], l.at = sq, s.part+1
	if s.part < len(probes)-1 {
		s.next(say.That("That is light %d of the chain.", l.lit(s.part)+1))
		return true, nil
	}
	w, ok := chain(l.told)
	if !ok {
		l.every, s.part = true, 0
		s.seen = say.That("These four do not lie as those of a chain in rows do. So every light is asked for, one by " +
			"one.")
		return true, nil
	}
	s.cal.Lights[l.deck] = w
	s.next(say.That("The lights are in order: the one that shines from now on is the square that is meant."))
	return true, nil
}

// one is the answer for a single light.
func (l *lights) one(s *Session, sq rules.Square) error {
	w := &s.cal.Lights[l.deck]
	for i := range s.part {
		if w[i] == sq {
			return say.Error("%v was already said of light %d: look again, or type back", sq, i+1)
		}
	}
	w.put(rules.Square(s.part), sq)
	s.next(say.That("Light %d is on %v.", s.part+1, sq))
	return nil
}

// chain finds the order of a chain in straight rows, in any direction, from four of its lights.
func chain(told [4]rules.Square) (Wiring, bool) {
	for turn := range 8 {
		for _, serpentine := range []bool{false, true} {
			var w Wiring
			for i := range w {
				w[i] = turned(turn, i%8, i/8, serpentine)
			}
			if w[probes[0]] == told[0] && w[probes[1]] == told[1] && w[probes[2]] == told[2] && w[probes[3]] == told[3] {
				return w, true
			}
		}
	}
	return Wiring{}, false
}

// turned is the square of place i in row r of a chain. turn is one of the eight ways in which a board can be turned
// and mirrored.
func turned(turn, i, r int, serpentine bool) rules.Square {
	if serpentine && r%2 == 1 {
		i = 7 - i
	}
	if turn&1 != 0 {
		i = 7 - i
	}
	if turn&2 != 0 {
		r = 7 - r
	}
	if turn&4 != 0 {
		i, r = r, i
	}
	return rules.SquareAt(i, r)
}
