// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/rand/v2"
	"strings"
	"testing"

	"boardd/rules"
)

// random is a network of that many hidden units with random weights, as large as training may make them.
func random(v *rules.Variant, r *rand.Rand, units int) *Weights {
	w := &Weights{Game: GameOf(v), Units: units, Rows: make([][Row]int16, FeatureCount(v))}
	small := func() int16 { return int16(r.IntN(1001) - 500) }
	for i := range w.Rows {
		for j := range Row {
			if j < units || j >= Hidden {
				w.Rows[i][j] = small()
			}
		}
	}
	for j := range units {
		w.Bias[j] = small()
	}
	for s := range Phases {
		for j := range units {
			w.Out[s][j], w.Out[s][Hidden+j] = small(), small()
		}
		w.OutBias[s] = int32(r.IntN(10000))
	}
	return w
}

// walk plays a seeded random game and shows each move.
func walk(v *rules.Variant, r *rand.Rand, see func(before, after *rules.Position, m rules.Move)) {
	p := v.Start()
	for range 150 {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[r.IntN(len(moves))]
		before := p
		p.Play(m)
		see(&before, &p, m)
	}
}

// TestSumsMoveByMove: sums that follow the moves are those from scratch, and nothing allocates.
func TestSumsMoveByMove(t *testing.T) {
	for _, v := range rules.Variants() {
		r := rand.New(rand.NewPCG(1, 2))
		for _, e := range []*Eval{Handcrafted(v), Material(v), Net(v, random(v, r, narrowUnits)),
			Net(v, random(v, r, Hidden))} {
			for range 10 {
				start := v.Start()
				s := e.Accumulate(&start)
				walk(v, r, func(before, after *rules.Position, m rules.Move) {
					e.Update(&s, before, after, before.Touched(m))
					if s != e.Accumulate(after) {
						t.Fatalf("%s %s %s: the sums differ from those from scratch", v, before.FEN(), before.Coord(m))
					}
				})
			}
			p := v.Start()
			s := e.Accumulate(&p)
			if n := testing.AllocsPerRun(10, func() { e.Update(&s, &p, &p, p.Occupied()); e.Score(&s, &p) }); n > 0 {
				t.Errorf("%s: %v allocations", v, n)
			}
		}
	}
}

// TestScoreByThePlainSum holds the packed rows, narrow and wide, to the network's formula.
func TestScoreByThePlainSum(t *testing.T) {
	for _, v := range rules.Variants() {
		r := rand.New(rand.NewPCG(3, 4))
		for _, units := range []int{narrowUnits, Hidden} {
			w := random(v, r, units)
			e := Net(v, w)
			walk(v, r, func(_, p *rules.Position, _ rules.Move) {
				s, want := e.Accumulate(p), plainSum(w, p)
				if got := e.Score(&s, p); got != want {
					t.Fatalf("%s, %d units, %s: got %d, want %d", v, units, p.FEN(), got, want)
				}
			})
		}
	}
}

// plainSum is the score of a network, worked out number by number.
func plainSum(w *Weights, p *rules.Position) int {
	views := [2][Row]int{}
	for j := range Row {
		if j < Hidden {
			views[0][j], views[1][j] = int(w.Bias[j]), int(w.Bias[j])
		}
		for _, in := range AppendFeatures(nil, p) {
			views[0][j] += int(w.Rows[in][j])
			views[1][j] += int(w.Rows[in.Turned()][j])
		}
	}
	sum, stage := 0, Phase(p)
	for j := range Hidden {
		mine, theirs := min(max(views[p.Turn()][j], 0), One), min(max(views[p.Turn().Other()][j], 0), One)
		sum += mine*mine*int(w.Out[stage][j]) + theirs*theirs*int(w.Out[stage][Hidden+j])
	}
	worth := (views[p.Turn()][Hidden+stage] - views[p.Turn().Other()][Hidden+stage]) / 2
	return min(max((sum/One+int(w.OutBias[stage]))*Pawns/(One*OutOne)+worth, -Limit), Limit)
}

// TestStart: the network that training begins with says about what the hand-made estimate says.
func TestStart(t *testing.T) {
	for _, v := range rules.Variants() {
		hand, start := Handcrafted(v), Net(v, InitialWeights(v))
		walk(v, rand.New(rand.NewPCG(3, 9)), func(_, p *rules.Position, _ rules.Move) {
			a, b := hand.Accumulate(p), start.Accumulate(p)
			if x, y := hand.Score(&a, p), start.Score(&b, p); x-y > 60 || y-x > 60 {
				t.Fatalf("%s %s: by hand %d, by the network %d", v, p.FEN(), x, y)
			}
		})
	}
}

// TestMirror: a position seen from the other side, with the colors exchanged, has the same score.
func TestMirror(t *testing.T) {
	pairs := [][2]string{
		{"chess", "r3k3/8/8/8/3N4/8/PP6/4K3 w - - 0 1"}, {"chess", "4k3/pp6/8/3n4/8/8/8/R3K3 b - - 0 1"},
		{"locking", "4k3/8/8/[nP]7/8/8/8/4K3 w - - 0 1"}, {"locking", "4k3/8/8/8/[Np]7/8/8/4K3 b - - 0 1"},
		{"pillar", "4k3/8/[nPbR]7/8/8/8/8/4K3 w - - 0 1"}, {"pillar", "4k3/8/8/8/8/[NpBr]7/8/4K3 b - - 0 1"},
	}
	for i := 0; i < len(pairs); i += 2 {
		var scores [2]int
		for j := range 2 {
			v, err := rules.ByID(pairs[i+j][0])
			if err != nil {
				t.Fatal(err)
			}
			p, err := v.ParseFEN(pairs[i+j][1])
			if err != nil {
				t.Fatal(err)
			}
			e := Net(v, random(v, rand.New(rand.NewPCG(5, 6)), Hidden))
			s := e.Accumulate(&p)
			scores[j] = e.Score(&s, &p)
		}
		if scores[0] != scores[1] {
			t.Errorf("%s scores %d, its mirror image %d", pairs[i][1], scores[0], scores[1])
		}
	}
}

// TestBuried (the trap of Meirav and Pillar Chess): in the hand-made values, what is buried counts a third or so. A
// piece under an enemy is worth less than the same piece under its own.
func TestBuried(t *testing.T) {
	score := func(id, fen string) int {
		v, err := rules.ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		p, err := v.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		e := Handcrafted(v)
		s := e.Accumulate(&p)
		return e.Score(&s, &p)
	}
	for _, id := range []string{"locking", "meirav", "pillar", "superchess"} {
		bare, under := score(id, "4k3/8/8/3b4/8/8/8/4K3 w - - 0 1"), score(id, "4k3/8/8/3[Rb]4/8/8/8/4K3 w - - 0 1")
		if gain := under - bare; gain < 50 || gain > 250 {
			t.Errorf("%s: a rook under an enemy bishop counts %d hundredths of a pawn, want about a third of 500", id, gain)
		}
	}
}

// TestWeightsRoundTrip: the file of a network is read back as it was; a file cut short or of another game is refused.
func TestWeightsRoundTrip(t *testing.T) {
	v := rules.Variants()[0]
	w := random(v, rand.New(rand.NewPCG(7, 8)), narrowUnits)
	file, err := w.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadWeights(v, file)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := back.AppendBinary(nil); string(again) != string(file) {
		t.Error("the file read and written again differs")
	}
	for _, n := range []int{0, 5, 11, 100, len(file) - 1} {
		if _, err := ReadWeights(v, file[:n]); err == nil {
			t.Errorf("a file cut to %d bytes is accepted", n)
		}
	}
	for _, other := range rules.Variants()[1:] {
		if _, err := ReadWeights(other, file); err == nil || !strings.Contains(err.Error(), `"chess"`) {
			t.Errorf("a network for chess, read for %s: %v; want an error that names chess", other, err)
		}
	}
	liberal, err := rules.ByID("pillar-liberal")
	if err != nil {
		t.Fatal(err)
	}
	pillar, _ := rules.ByID("pillar")
	if file, err = random(pillar, rand.New(rand.NewPCG(7, 8)), Hidden).AppendBinary(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadWeights(liberal, file); err != nil {
		t.Errorf("a network for pillar is refused for pillar-liberal: %v", err)
	}
}

func FuzzReadWeights(f *testing.F) {
	v := rules.Variants()[0]
	file, err := random(v, rand.New(rand.NewPCG(9, 9)), narrowUnits).AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add(file[:40])
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := ReadWeights(v, file)
		if err != nil {
			return
		}
		p := v.Start()
		e := Net(v, w)
		s := e.Accumulate(&p)
		e.Score(&s, &p)
	})
}

func BenchmarkUpdate(b *testing.B) {
	for _, v := range rules.Variants() {
		b.Run(v.ID(), func(b *testing.B) {
			e := Net(v, random(v, rand.New(rand.NewPCG(1, 1)), Hidden))
			p := v.Start()
			q := p
			m, err := p.ParseMove("e2e4")
			if err != nil {
				b.Fatal(err)
			}
			q.Play(m)
			s := e.Accumulate(&p)
			for b.Loop() {
				t := s
				e.Update(&t, &p, &q, p.Touched(m))
				e.Score(&t, &q)
			}
		})
	}
}
