// SPDX-License-Identifier: Apache-2.0

// Package calibratetest is a builder for tests: it does with a virtual board what a calibration asks for.
package calibratetest

import (
	"io"
	"strings"
	"testing"
	"time"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing/wood"
)

// Person calibrates a virtual board.
type Person struct {
	Board *virtual.Board
	named int // the light that was named last, counted from 1; 0: none
}

// Obey does what one line asks: looks at the lights, types, moves pieces.
func (p *Person) Obey(t *testing.T, keys io.Writer, line string) {
	t.Helper()
	v := p.Board
	typ := func(word string) {
		if _, err := io.WriteString(keys, word+"\n"); err != nil {
			t.Error(err)
		}
	}
	switch {
	case strings.Contains(line, "everything off"):
		Stand(v, nil)
		typ("")
	case strings.Contains(line, "One light"), strings.Contains(line, "That is light"):
		sq, ok := shining(v, p.named) // the question may come before its light
		if !ok {
			t.Errorf("no light but %d shines at %q", p.named, line)
		}
		p.named = int(sq) + 1
		typ(sq.String())
	case strings.Contains(line, "its weight in grams"):
		typ("60")
	case strings.Contains(line, "Put the piece on"):
		sq, err := rules.ParseSquare(strings.Fields(line[strings.Index(line, "Put the piece on")+17:])[0][:2])
		if err != nil {
			t.Error(err)
		}
		if lit, ok := shining(v, 0); !ok || lit != sq {
			t.Errorf("%v is asked for, and %v is lit", sq, lit)
		}
		Stand(v, map[rules.Square]byte{sq: 'K'})
	case strings.Contains(line, "Set all pieces up"):
		all := map[rules.Square]byte{}
		for i, letter := range "RNBQKBNRPPPPPPPP" {
			all[rules.Square(i)] = byte(letter)
			all[rules.Square(i^56)] = byte(letter) + 'a' - 'A'
		}
		Stand(v, all)
		typ("")
	case strings.Contains(line, "one pedestal"):
		Stand(v, map[rules.Square]byte{28: '#'})
		typ("")
	}
}

// Stand makes the wood of the lower deck.
func Stand(v *virtual.Board, pieces map[rules.Square]byte) {
	var w wood.Wood
	for sq, letter := range pieces {
		w[sq] = wood.Pile(letter)
	}
	v.Put(w)
}

// shining is the one square that is lit, apart from another light, counted from 1; it waits until there is one.
func shining(v *virtual.Board, other int) (rules.Square, bool) {
	late := time.After(5 * time.Second)
	for {
		var found []rules.Square
		for i, c := range v.Lights()[0] {
			if c != (leds.Color{}) && i+1 != other {
				found = append(found, rules.Square(i))
			}
		}
		if len(found) == 1 {
			return found[0], true
		}
		select {
		case <-v.Lit():
		case <-late:
			return 0, false
		}
	}
}
