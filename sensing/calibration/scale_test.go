// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// TestScaleResumed: a walk over a scale that is interrupted goes on with its samples, and ends with all 64 squares.
func TestScaleResumed(t *testing.T) {
	b := newBench(t, "scale", 3)
	b.obey("walk-lower 40")
	b.again()
	w := b.s.steps[len(b.s.steps)-2].(*walk)
	if len(w.felt) != 40 {
		t.Fatalf("%d squares felt after going on, want 40", len(w.felt))
	}
	b.obey("")
	b.check()
}

// TestScaleSeesAPieceElsewhere: a piece that stood on the wrong square is left out of the fit, and the person is told.
func TestScaleSeesAPieceElsewhere(t *testing.T) {
	b := newBench(t, "scale", 4)
	b.obey("walk-lower 63")
	w := b.s.steps[b.s.step].(*walk)
	x := w.felt[20]
	w.felt[20].Shown = w.felt[30].Shown
	b.one()
	if !strings.Contains(b.s.seen.English, "Left out are "+x.Square.String()) {
		t.Errorf("said %q, want that %v was left out", b.s.seen.English, x.Square)
	}
	b.obey("")
	b.check()
}

// TestScaleLacksACorner: a reading that lacks a corner says nothing of the others, and the empty board is not tared by
// it.
func TestScaleLacksACorner(t *testing.T) {
	c := New()
	r := sensing.Reading{Kind: sensing.Scale, Known: scale.Known &^ rules.Square(7).Bit()}
	if got := c.Reading(r); got.Known != 0 {
		t.Errorf("known %x, want nothing", got.Known)
	}
	b := newBench(t, "scale", 5)
	b.sweep()
	b.say("")
	r = *b.balance()
	r.Known &^= rules.Square(7).Bit()
	b.s.Observe(&r)
	if !strings.Contains(b.s.seen.English, "h1") {
		t.Errorf("said %q, want the corner that is missing", b.s.seen.English)
	}
}

// TestScaleFiles: an error names each wrong figure of a scale in a file.
func TestScaleFiles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"scale: {empty_mg: [1, 2, 3], gain: [1,1,1,1], right_mm: [1,1,1,1], up_mm: [1,1,1,1]}",
			"scale.empty_mg: 3 numbers"},
		{"scale: {empty_mg: [1, 2, 3, 4], gain: [1,1,99,1], right_mm: [1,1,1,1], up_mm: [1,1,1,1]}", "scale.gain: 99"},
	} {
		_, _, err := Unmarshal("it", []byte("kind: scale\n"+c.text+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}
