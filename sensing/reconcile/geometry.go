package reconcile

import (
	"math"
	"slices"

	"boardd/rules"
	"boardd/sensing"
)

// Geometry is what a board is, what it can sense, and the figures of its pieces.
type Geometry struct {
	TwoDecks bool // a second deck of reeds above the first
	Weights  bool // a load cell under every square of the lower deck
	Heights  bool // a height sensor over every square of the lower deck

	Mass       [128]int32 // milligrams of each piece by its letter, '#' included
	MassSpread int32      // milligrams, standard deviation of one piece of a kind from its kind's figure
	CellNoise  int32      // milligrams, standard deviation of a settled reading
	CubeHeight int32      // micrometres, one cube
	RangeNoise int32      // micrometres, standard deviation of a height reading
}

// Lay says how a position lies on this board. A board with one deck stacks everything; with two decks the layered
// games use the lower deck for the lower level.
func (g *Geometry) Lay(p *rules.Position) Wood {
	var w Wood
	var buf [40]rules.Piece
	for s := range rules.Square(64) {
		stack := p.AppendStack(buf[:0], s)
		if len(stack) == 0 {
			continue
		}
		if g.TwoDecks && p.Variant().Layered() {
			g.layLevels(&w, p.Variant().ID() == "meirav", s, stack)
			continue
		}
		w[s] = pile(stack)
	}
	return w
}

// layLevels lays one square of a layered game on two decks. A piece alone is on the top board in meirav, on the
// ground in flying (RULES 2.1).
func (g *Geometry) layLevels(w *Wood, topFirst bool, s rules.Square, stack []rules.Piece) {
	lower, upper := stack[0], rules.NoPiece
	if len(stack) > 1 {
		upper = stack[1]
	} else if topFirst {
		lower, upper = rules.NoPiece, stack[0]
	}
	if lower != rules.NoPiece {
		w[PlaceAt(sensing.Lower, s)] = Pile(lower.Letter())
	}
	if upper != rules.NoPiece {
		w[PlaceAt(sensing.Upper, s)] = Pile(upper.Letter())
	}
}

func pile(stack []rules.Piece) Pile {
	b := make([]byte, len(stack))
	for i, p := range stack {
		if b[i] = p.Letter(); p == rules.NoPiece {
			b[i] = Pedestal
		}
	}
	return Pile(b)
}

// mass is what a pile weighs in milligrams, and the standard deviation of what a settled cell shows of it.
func (g *Geometry) mass(p Pile) (mean, spread float64) {
	var sum int32
	for i := range len(p) {
		sum += g.Mass[p[i]&127]
	}
	s, n := float64(g.MassSpread), float64(g.CellNoise)
	return float64(sum), math.Sqrt(n*n + s*s*float64(len(p)))
}

// pieces is the least number of pieces, at least one, whose masses add up to what a cell shows.
func (g *Geometry) pieces(mg float64) int {
	const most = 5 // more are counted by their mean
	sums := []float64{0}
	for k := 1; k <= most; k++ {
		var next []float64
		for _, s := range sums {
			for _, letter := range []byte("PNBRQK#pnbrqk") {
				if sum := s + float64(g.Mass[letter]); sum < mg+float64(g.MassSpread)*outlier*2 {
					next = append(next, sum)
				}
			}
		}
		slices.Sort(next)
		sums = slices.Compact(next)
		for _, s := range sums {
			if spread := math.Sqrt(float64(k))*float64(g.MassSpread) + float64(g.CellNoise); math.Abs(s-mg) <= outlier*spread {
				return k
			}
		}
	}
	return max(1, int(mg/float64(g.Mass['b'])+0.5))
}

// height is how high a pile stands in micrometres, and the standard deviation of a reading of it.
func (g *Geometry) height(p Pile) (mean, spread float64) {
	return float64(len(p)) * float64(g.CubeHeight), float64(g.RangeNoise)
}

// Reference is the geometry of the reference boards with the reference set of pieces: cubes of 35 mm that weigh
// 20 g (pawn) to 60 g (king), a pedestal of 12 g.
func Reference() Geometry {
	g := Geometry{MassSpread: 250, CellNoise: 150, CubeHeight: 35_000, RangeNoise: 2_000}
	for letter, mg := range map[byte]int32{'p': 20_000, 'n': 27_000, 'b': 33_000, 'r': 41_000, 'q': 52_000, 'k': 60_000} {
		g.Mass[letter], g.Mass[letter-'a'+'A'] = mg, mg
	}
	g.Mass[Pedestal] = 12_000
	return g
}
