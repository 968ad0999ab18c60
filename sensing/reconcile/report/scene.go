// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/capability"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// scene is a game, a board, a level and faults. With the seed and the number of a game it makes the game reproducible.
type scene struct {
	game, board, level string
	faults             []string
}

// String is the name by which -only finds the scene: game/board/level/fault+fault.
func (s scene) String() string {
	f := "none"
	if len(s.faults) > 0 {
		f = strings.Join(s.faults, "+")
	}
	return strings.Join([]string{s.game, s.board, s.level, f}, "/")
}

// seedOffset makes the games of scenes with faults, and of other levels, different from those at club level.
func (s scene) seedOffset() uint64 {
	if s.level == "club" && len(s.faults) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(s.String()))
	return h.Sum64() &^ 1 // the last bit says whether the game is biased
}

func parseScene(text string) (s scene, err error) {
	w := strings.Split(text, "/")
	if len(w) != 4 {
		return s, fmt.Errorf("scene %q: write game/board/level/fault, as chess/stack/club/none", text)
	}
	s = scene{game: w[0], board: w[1], level: w[2]}
	if w[3] != "none" {
		s.faults = strings.Split(w[3], "+")
	}
	for _, f := range s.faults {
		if !slices.Contains(faultNames("stack"), f) && !slices.Contains(faultNames("twin"), f) {
			return s, fmt.Errorf("fault %q: want one of %v or %v", f, faultNames("stack"), faultNames("twin"))
		}
	}
	if _, err := rules.ByID(s.game); err != nil {
		return s, err
	}
	if !slices.Contains([]string{"stack", "twin", "scale", "reeds"}, s.board) {
		return s, fmt.Errorf("board %q: want stack, twin, scale or reeds", s.board)
	}
	_, err = physics.LevelByName(s.level)
	return s, err
}

// geometry is what the daemon knows of the board: what it senses and, from calibration, how well.
func (s scene) geometry(l *physics.Level) wood.Geometry {
	g := wood.Reference()
	g.TwoDecks, g.Weights, g.Heights, g.Scale = s.board == "twin", s.board == "stack", s.board == "twin",
		s.board == "scale"
	g.CellNoise = max(100, int32(l.CellNoise)) // no better than cmd/boardd believes any measurement to be
	if g.Scale {
		g.CellNoise = max(100, int32(physics.CornerNoise*l.CellNoise))
	}
	g.RangeNoise = max(1000, int32(l.RangeNoise*1000*1.03)) // it is given in whole millimetres
	g.MassSpread = max(g.MassSpread, int32(l.PieceMass))
	if s.board == "twin" && strings.HasPrefix(s.game, "pillar") {
		g.CubeHeight = 6_000 // tiles: no more than four cubes fit between the decks (docs/build.md)
	}
	return g
}

// canFollow reports whether the daemon allows the game on such a board.
func (s scene) canFollow() bool {
	v, err := rules.ByID(s.game)
	l, _ := physics.LevelByName(s.level)
	g := s.geometry(&l)
	return err == nil && capability.CanFollow(&g, v) == nil
}

// faultNames are the faults that a board can have.
func faultNames(board string) []string {
	names := []string{"dead-reed", "stuck-reed", "noisy-reed", "swapped-reeds", "crosstalk", "reed-bank-gone", "bus-gone",
		"starved-host"}
	switch board {
	case "stack", "scale":
		names = append(names, "dead-cell", "saturated-cell", "noisy-cell", "drifting-cell", "hub-gone")
	case "twin":
		names = append(names, "blind-eye", "noisy-eye", "dead-eye", "mux-gone")
	}
	return names
}

// onOneSquare reports whether the fault is limited to one square, so that the game has to go on.
func onOneSquare(fault string) bool {
	return !strings.HasSuffix(fault, "gone") && fault != "swapped-reeds" && fault != "crosstalk" &&
		fault != "starved-host"
}

// breakPart puts a fault into a world, on a square drawn at random. On a scale board, the fault of a load cell is at
// one of its corners.
func breakPart(fault string, w *physics.World, s *physics.Sampler, r *rand.Rand, decks int, board string) string {
	sq, d := rules.Square(r.IntN(64)), sensing.Deck(r.IntN(decks))
	if board == "scale" && strings.HasSuffix(fault, "-cell") {
		sq = scale.Squares[sq.Rank()/2]
	}
	next := rules.SquareAt((sq.File()+1)%8, sq.Rank())
	where := fmt.Sprintf("%s at %v %v", fault, sq, d)
	switch fault {
	case "dead-reed":
		w.Reed(d, sq, physics.ReedStuckOpen)
	case "stuck-reed":
		w.Reed(d, sq, physics.ReedStuckClosed)
	case "noisy-reed":
		w.Reed(d, sq, physics.ReedNoisy)
	case "swapped-reeds":
		w.Swap(d, sq, next)
	case "crosstalk":
		w.Crosstalk(d, sq, next)
	case "reed-bank-gone":
		s.Bank(d, r.IntN(4))
	case "bus-gone":
		s.Bus(true)
	case "starved-host":
		s.Starve()
		return fault
	case "dead-cell":
		w.Cell(sq, physics.CellAbsent)
	case "saturated-cell":
		w.Cell(sq, physics.CellSaturated)
	case "noisy-cell":
		w.Cell(sq, physics.CellNoisy)
	case "drifting-cell":
		w.Cell(sq, physics.CellDrifting)
	case "hub-gone":
		s.Hub(true)
	case "blind-eye":
		w.Eye(sq, physics.EyeBlind)
	case "noisy-eye":
		w.Eye(sq, physics.EyeNoisy)
	case "dead-eye":
		w.Eye(sq, physics.EyeGone)
	case "mux-gone":
		s.Row(r.IntN(8))
	}
	return where
}
