// SPDX-License-Identifier: Apache-2.0

package leds

import (
	"testing"

	"boardd/rules"
	"boardd/sensing/wood"
)

func TestPaint(t *testing.T) {
	e4, e5 := rules.SquareAt(4, 3), rules.SquareAt(4, 4)
	v := View{Locked: wood.Set{e4.Bit() | e5.Bit()}, Quiet: wood.Set{0, e4.Bit()}, Wrong: wood.Set{e5.Bit()}}
	f := Paint(&v)
	for _, c := range []struct {
		name string
		got  Color
		want Color
	}{
		{"e4 lower: locked", f[0][e4], Color{40, 18, 0}},
		{"e4 upper: may go there", f[1][e4], Color{0, 150, 60}},
		{"e5 lower: wrong wins over locked", f[0][e5], Color{255, 60, 60}},
		{"a1: dark", f[0][0], Color{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestPalette: every meaning has its own color, none is dark, and no two differ by red against green alone.
func TestPalette(t *testing.T) {
	layers := palette()
	for i, a := range layers {
		if a.color == (Color{}) {
			t.Errorf("layer %d is dark", i)
		}
		for j, b := range layers[:i] {
			if a.color == b.color {
				t.Errorf("layers %d and %d have the same color %v", j, i, a.color)
			}
		}
	}
}

func TestColorString(t *testing.T) {
	if got := (Color{1, 0xab, 0xff}).String(); got != "#01abff" {
		t.Errorf("got %s", got)
	}
}

// TestMeanings: each meaning has its own name. Where meanings overlap, the name is that of the visible color.
func TestMeanings(t *testing.T) {
	var v View
	for i, l := range palette() {
		l.squares(&v).Add(wood.Place(i))
	}
	v.Choice.Add(wood.Place(0)) // over what was there
	names := map[string]bool{}
	for p, name := range Meanings(&v) {
		names[name] = true
		if f := Paint(&v); p == 0 && (name != "answer" || f[0][0] != (Color{255, 255, 255})) {
			t.Errorf("a1 means %q and shines %v", name, f[0][0])
		}
	}
	if len(names) != len(palette())-1 || names[""] {
		t.Errorf("%d names of %d lights: %v", len(names), len(palette()), names)
	}
}
