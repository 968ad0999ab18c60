// SPDX-License-Identifier: Apache-2.0

// Package capability says how well a board can follow a game, before the game begins.
package capability

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// Capability is how well a board can follow a game, worked out before it starts.
type Capability struct {
	Game        string
	Unsupported string   // why the board cannot follow the game at all, "" when it can
	Asks        []string // what it will have to ask for
	Limits      []string // what else its players should know
}

// Sentences says it in sentences; none when the board can tell everything.
func (a *Capability) Sentences() []string {
	if a.Unsupported != "" {
		return []string{a.Unsupported}
	}
	var lines []string
	if len(a.Asks) > 0 {
		lines = append(lines, "in "+a.Game+" this board has to ask for "+strings.Join(a.Asks, ", and "))
	}
	return append(lines, a.Limits...)
}

// All is how well a board can follow each game.
func All(g *wood.Geometry, faults []reconcile.Fault) []Capability {
	var list []Capability
	for _, v := range rules.Variants() {
		list = append(list, For(g, v, faults))
	}
	return list
}

// For is how well a board can follow a game while these sensors are at fault.
func For(g *wood.Geometry, v *rules.Variant, faults []reconcile.Fault) Capability {
	return board{evidence.NewGeometry(g)}.capability(v, faults)
}

// board is a board whose capability is worked out.
type board struct{ *evidence.Geometry }

// capability computes how well the board can follow a game. It depends on the decks and sensors, and on the faulty
// sensors. The weights and heights of the pieces count too, compared with the spread of their readings.
func (g board) capability(v *rules.Variant, faults []reconcile.Fault) Capability {
	a := Capability{Game: v.Name()}
	if err := g.canFollow(v); err != nil {
		a.Unsupported = err.Error()
		return a
	}
	a.Asks = g.asks(v)
	a.Limits = append(g.limits(v), g.handicaps(v, faults)...)
	return a
}

// stacks reports whether pieces of the game stand on one another on this board.
func (g board) stacks(v *rules.Variant) bool {
	return v.Stacks() && !(g.TwoDecks && v.Layered())
}

// CanFollow reports whether a board can follow a game at all; the error says what it lacks.
func CanFollow(g *wood.Geometry, v *rules.Variant) error {
	return board{evidence.NewGeometry(g)}.canFollow(v)
}

// canFollow returns what the board lacks for a game as an error. With reeds alone, a piece put on another one looks
// like a piece still in the hand. Such a board can only follow games in which nothing stands on anything else.
func (g board) canFollow(v *rules.Variant) error {
	switch {
	case g.Scale && g.stacks(v) && v.Pedestals():
		return fmt.Errorf("in %s a pedestal comes or goes with many moves, and a scale cannot tell two things that happen "+
			"at once: play it on a board with a load cell under every square, or on two decks", v.Name())
	case !g.stacks(v) || g.Weights || g.Scale:
		return nil
	case !g.Heights:
		return fmt.Errorf("this board senses only whether a square is empty, and cannot follow %s, in which pieces are "+
			"stacked: play chess on it, or add load cells or height sensors", v.Name())
	case !g.canCountHeights():
		return fmt.Errorf("pieces of %v mm are too flat for height sensors with a spread of %v mm, and %s cannot be "+
			"followed: use pieces of %v mm or more", mm(g.CubeHeight), mm(g.RangeNoise), v.Name(),
			math.Ceil(world.Outlier*g.heightSpread()/1000))
	}
	return nil
}

func mm(um int32) float64 { return float64(um) / 1000 }

// canCountHeights reports whether the heights of two piles that differ by one piece can be told apart.
func (g board) canCountHeights() bool {
	return float64(g.CubeHeight) >= world.Outlier*g.heightSpread()
}

// heightSpread is the standard deviation, in micrometres, of a height that has settled for a tenth of a second: the
// mean of four readings.
func (g board) heightSpread() float64 { return float64(g.RangeNoise) / 2 }

// asks lists in words what the board will have to ask for in a game; none when it can tell everything.
func (g board) asks(v *rules.Variant) []string {
	if !g.Weights && !g.Scale {
		return []string{"the piece that a pawn becomes", "which capture was made, when a piece could have made two and " +
			"both captured pieces were lifted"}
	}
	var asks []string
	if alike := g.indistinguishable("PNBRQ"); len(alike) > 0 {
		asks = append(asks, "the piece that a pawn becomes, for "+strings.Join(alike, ", ")+" weigh too nearly the same")
	}
	if g.Scale && g.stacks(v) {
		asks = append(asks, "which piece of a pile was moved, when another one that weighs as much could have made the "+
			"same step")
	}
	if g.Scale {
		asks = append(asks, "what happened, when two things happen at once that together weigh as much as another move")
	}
	return asks
}

// indistinguishable lists the kinds, by their letters, that load cells cannot tell apart.
func (g board) indistinguishable(letters string) (pairs []string) {
	names := map[byte]string{'P': "pawn", 'N': "knight", 'B': "bishop", 'R': "rook", 'Q': "queen", 'K': "king"}
	for i := range len(letters) {
		for j := i + 1; j < len(letters); j++ {
			black := strings.ToLower(letters)
			if !g.Weighable(wood.Pile(letters[i:i+1]), wood.Pile(letters[j:j+1])) ||
				!g.Weighable(wood.Pile(black[i:i+1]), wood.Pile(black[j:j+1])) {
				pairs = append(pairs, names[letters[i]]+" and "+names[letters[j]])
			}
		}
	}
	return pairs
}

// limits lists what the board cannot do for the game, whatever is asked.
func (g board) limits(v *rules.Variant) (list []string) {
	pillar := v.Piles()
	if most := g.maxPileUnderDeck(); pillar && most > 0 && most < 32 {
		list = append(list, fmt.Sprintf("piles of more than %d pieces of %v mm do not fit under the upper deck: flatter "+
			"pieces make room for more", most, mm(g.CubeHeight)))
	}
	if g.Heights && !g.canCountHeights() && !g.stacks(v) {
		list = append(list, "the height sensors cannot count pieces this flat: the reeds alone must do")
	}
	if g.stacks(v) && g.CubeHeight < wood.Piled {
		list = append(list, fmt.Sprintf("pieces of %v mm may stand one on a square, and not in piles, with the magnets of "+
			"the bill: two of them close the next square's switch, or no longer their own; "+
			"take pieces of %v mm or more", mm(g.CubeHeight), mm(wood.Piled)))
	}
	if g.Scale {
		list = append(list, "a hand that leans on the board blinds its scale while it leans: what is put on a piece then "+
			"is seen when the hand has gone")
	}
	pedestals := v.Pedestals() && g.stacks(v)
	if pedestals && (g.Weights || g.Scale) && !g.Weighable("P", "#P") {
		list = append(list, "a pedestal weighs too little to be told: a piece that rises or comes down on its own square "+
			"must be given on the page")
	}
	if pillar && g.Weights {
		if n := g.maxPileOnCell(); n < 32 {
			list = append(list, fmt.Sprintf("in piles of more than %d pieces the load cells cannot count any more", n))
		}
	}
	return list
}

// maxPileUnderDeck is how many pieces can stand on one another under the upper deck; 0 without an upper deck.
func (g board) maxPileUnderDeck() int {
	if !g.TwoDecks || g.Gap == 0 || g.CubeHeight == 0 {
		return 0
	}
	return int(g.Gap / g.CubeHeight)
}

// maxPileOnCell is the largest number of pieces of a pile on whose top the load cell can still tell the lightest
// piece.
func (g board) maxPileOnCell() int {
	noise, s := float64(g.CellNoise), float64(g.MassSpread)
	for n := 1; n < 32; n++ {
		if g.Lightest <= 2*world.Outlier*math.Sqrt(noise*noise+s*s*float64(n)) {
			return n - 1
		}
	}
	return 32
}

// handicaps lists what sensors at fault mean for the game.
func (g board) handicaps(v *rules.Variant, faults []reconcile.Fault) (list []string) {
	var blind, uncounted []string
	for _, f := range faults {
		other := slices.ContainsFunc(faults, func(o reconcile.Fault) bool {
			return o.Place == f.Place && o.Sensor != f.Sensor
		})
		counted := f.Place < 64 && (g.Weights || g.Heights)
		switch {
		case f.Kind == reconcile.Swapped:
		case f.Sensor == sensing.Reeds && (!counted || other):
			blind = append(blind, f.Place.String())
		case f.Sensor != sensing.Reeds && g.stacks(v) && !other:
			uncounted = append(uncounted, f.Place.String())
		}
	}
	if len(blind) > 0 {
		list = append(list, "nothing can be sensed on "+strings.Join(blind, ", ")+
			": a move there counts when the opponent touches a piece, or after a while")
	}
	if len(uncounted) > 0 {
		list = append(list, "pieces cannot be counted on "+strings.Join(uncounted, ", ")+
			": what is put on a piece there counts when the opponent touches a piece, or after a while")
	}
	return list
}

// Check returns an error with every reason why the figures of a board are impossible, nil if there is none.
func Check(figures *wood.Geometry) error {
	g := board{evidence.NewGeometry(figures)}
	var errs []error
	if g.CubeHeight <= 0 {
		errs = append(errs, fmt.Errorf("the height of a piece is %v mm: it must be more than 0", mm(g.CubeHeight)))
	}
	if g.Weights && g.Lightest <= 2*world.Outlier*float64(g.CellNoise) {
		errs = append(errs, fmt.Errorf("the lightest piece weighs %.1f g, no more than the noise of the load cells: use "+
			"heavier pieces", g.Lightest/1000))
	}
	return errors.Join(errs...)
}
