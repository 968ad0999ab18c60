// SPDX-License-Identifier: Apache-2.0

package leds

import "boardd/sensing/wood"

// View is what the lights have to show, with a set of places for each meaning. Where sets overlap, the later field
// wins, so that information never hides what a player must do.
type View struct {
	Alarm   wood.Set // something is not saved, or was lost
	Locked  wood.Set // pieces that stand under another one and cannot move
	Check   wood.Set // a king that could be captured
	Origin  wood.Set // where the lifted piece came from
	Quiet   wood.Set // where the lifted piece may go: an empty square
	Stack   wood.Set // onto a piece that stays
	Capture wood.Set // taking something
	Special wood.Set // castling, castlock, promotion
	Stuck   wood.Set // the lifted piece has no legal move
	Held    wood.Set // where a move has come that does not count yet
	From    wood.Set // a move to copy: take up here
	To      wood.Set // a move to copy: put down here
	Wrong   wood.Set // differs from the game: put this right
	Choice  wood.Set // lift and put back the piece here to answer a question
}

// layer is one meaning, its name and its color.
type layer struct {
	squares func(*View) *wood.Set
	color   Color
	name    string
}

// palette lists the meanings from the least to the most urgent. People with the common deficiencies of color vision
// can tell the hues apart: no two differ by red against green alone.
func palette() []layer {
	return []layer{
		{func(v *View) *wood.Set { return &v.Alarm }, Color{120, 0, 60}, "alarm"},
		{func(v *View) *wood.Set { return &v.Locked }, Color{40, 18, 0}, "locked"},
		{func(v *View) *wood.Set { return &v.Check }, Color{255, 0, 90}, "check"},
		{func(v *View) *wood.Set { return &v.Origin }, Color{60, 60, 60}, "origin"},
		{func(v *View) *wood.Set { return &v.Quiet }, Color{0, 150, 60}, "quiet"},
		{func(v *View) *wood.Set { return &v.Stack }, Color{0, 60, 255}, "stack"},
		{func(v *View) *wood.Set { return &v.Capture }, Color{255, 30, 0}, "capture"},
		{func(v *View) *wood.Set { return &v.Special }, Color{170, 0, 255}, "special"},
		{func(v *View) *wood.Set { return &v.Stuck }, Color{120, 0, 0}, "stuck"},
		{func(v *View) *wood.Set { return &v.Held }, Color{90, 90, 150}, "unsent"},
		{func(v *View) *wood.Set { return &v.From }, Color{255, 150, 0}, "from"},
		{func(v *View) *wood.Set { return &v.To }, Color{0, 200, 255}, "to"},
		{func(v *View) *wood.Set { return &v.Wrong }, Color{255, 60, 60}, "wrong"},
		{func(v *View) *wood.Set { return &v.Choice }, Color{255, 255, 255}, "answer"},
	}
}

// Paint makes the frame of a view.
func Paint(v *View) Frame {
	var f Frame
	for _, l := range palette() {
		set := l.squares(v)
		for deck := range set {
			for i := range 64 {
				if set[deck]&(1<<i) != 0 {
					f[deck][i] = l.color
				}
			}
		}
	}
	return f
}

// Meanings names what each place's light tells, by place; dark places are left out. The names are those of the page.
func Meanings(v *View) map[wood.Place]string {
	names := map[wood.Place]string{}
	for _, l := range palette() {
		for p := range l.squares(v).Places() {
			names[p] = l.name
		}
	}
	return names
}
