// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// bench is a board wired at random, with cells and sensors that differ, and the person who calibrates it.
type bench struct {
	t     *testing.T
	s     *Session
	rnd   *rand.Rand
	b     Board
	truth Calibration
	now   time.Time
	stand [2]map[rules.Square]byte
	dead  rules.Bitboard // switches of the lower deck, in the reference wiring
	high  int32          // micrometres, what stands on a square of a twin board
}

var masses = map[byte]int32{'p': 20000, 'n': 27000, 'b': 33000, 'r': 41000, 'q': 52000, 'k': 60000, '#': 12000}

func newBench(t *testing.T, kind string, seed uint64) *bench {
	b := &bench{t: t, rnd: rand.New(rand.NewPCG(seed, 7)), now: time.Unix(1, 0), truth: New()}
	b.b = Board{Name: "test", Kind: kind, Lights: true, Weights: masses, CubeHeight: 35000}
	b.stand, b.high = [2]map[rules.Square]byte{{}, {}}, 35000
	for _, w := range []*Wiring{&b.truth.Reeds[0], &b.truth.Reeds[1], &b.truth.Cells, &b.truth.Eyes} {
		b.rnd.Shuffle(64, func(i, j int) { w[i], w[j] = w[j], w[i] })
	}
	told := [4]rules.Square{}
	for i, p := range probes {
		told[i] = turned(5, int(p)%8, int(p)/8, true)
	}
	w, ok := chain(told)
	if !ok {
		t.Fatal("no chain")
	}
	b.truth.Lights = [2]Wiring{w, w}
	for i := range 64 {
		b.truth.Empty[i] = b.rnd.Int32N(400_000) - 200_000
		b.truth.Gain[i] = 0.8 + 0.4*b.rnd.Float64()
		b.truth.Lift[i] = b.rnd.Int32N(8000) - 4000
	}
	b.s = Begin(b.b, New())
	return b
}

// sweep lets the session see the board for a while.
func (b *bench) sweep() {
	for range 40 {
		b.now = b.now.Add(12 * time.Millisecond)
		for d := range b.b.decks() {
			r := sensing.Reading{At: b.now, Kind: sensing.Reeds, Deck: d, Known: ^rules.Bitboard(0)}
			for i, sq := range b.truth.Reeds[d] {
				if b.stand[d][sq] != 0 && !(d == 0 && b.dead.Has(rules.Square(i))) {
					r.Closed |= rules.Square(i).Bit()
				}
			}
			b.s.Observe(&r)
		}
		if b.b.Kind == "stack" {
			b.s.Observe(b.reading(sensing.Weights))
		}
		if b.b.Kind == "twin" {
			b.s.Observe(b.reading(sensing.Heights))
		}
		if b.b.Kind == "scale" {
			b.s.Observe(b.balance())
		}
	}
}

func (b *bench) reading(k sensing.Kind) *sensing.Reading {
	r := &sensing.Reading{At: b.now, Kind: k, Known: ^rules.Bitboard(0)}
	for i := range 64 {
		if k == sensing.Weights {
			sq := b.truth.Cells[i]
			mg := float64(masses[b.stand[0][sq]|0x20])
			if b.stand[0][sq] == '#' {
				mg = float64(masses['#'])
			}
			r.Value[i] = int32(mg/b.truth.Gain[sq]) + b.truth.Empty[sq] + int32(100*b.rnd.NormFloat64())
			continue
		}
		sq := b.truth.Eyes[i]
		if b.stand[0][sq] != 0 {
			r.Value[i] = b.high
		}
		r.Value[i] += int32(800*b.rnd.NormFloat64()) - b.truth.Lift[sq]
	}
	return r
}

// uneven is how much more each corner of the bench's scale shows than the reference kind. feet is where the corner is,
// in mm from the middle.
var (
	uneven = [scale.Corners]float64{1.1, 0.85, 0.95, 1.2}
	feet   = 180.0
)

// balance is the reading of the scale. Pieces stand a few millimetres off the middle, and the board bends.
func (b *bench) balance() *sensing.Reading {
	r := &sensing.Reading{At: b.now, Kind: sensing.Scale, Known: scale.Known}
	for i, corner := range scale.Squares {
		sx, sy := scale.Side(i)
		mg := float64(b.truth.Empty[corner]) + 200*b.rnd.NormFloat64()
		for sq, letter := range b.stand[0] {
			m := float64(masses[letter|0x20])
			if letter == '#' {
				m = float64(masses['#'])
			}
			x, y := scale.Middle(sq)
			x, y = (x+float64(sq%3)-1)/feet, (y+float64(sq%5)-2)/feet
			mg += m / scale.Corners * (1 + sx*x + sy*y + 0.4*sx*sy*x*y) * uneven[i]
		}
		r.Value[corner] = int32(mg)
	}
	return r
}

// say answers, and must succeed.
func (b *bench) say(word string) {
	b.t.Helper()
	if err := b.s.Answer(word); err != nil {
		b.t.Fatalf("%+v: answer %q: %v", b.s.Prompt(), word, err)
	}
}

// obey does what the prompts ask until a step begins whose name has the prefix.
func (b *bench) obey(until string) {
	b.t.Helper()
	b.sweep()
	for n := 0; !b.s.Done() && !(until != "" && strings.HasPrefix(b.s.Where(), until)); n++ {
		if n > 1000 {
			b.t.Fatalf("stays at %s: %+v", b.s.Where(), b.s.Prompt())
		}
		b.one()
	}
}

// one does what one prompt asks.
func (b *bench) one() {
	b.t.Helper()
	switch st := b.s.steps[b.s.step].(type) {
	case *bare, *pedestal:
		b.stand[0] = map[rules.Square]byte{}
		if st.name() == "pedestal" {
			b.stand[0][stand] = '#'
		}
		b.say("")
		b.sweep()
	case *lights:
		b.say(b.lit(st.deck).String())
	case *pile:
		b.stand[0], b.high = map[rules.Square]byte{heap: 'K'}, 2*b.high
		b.say("")
		b.sweep()
		b.stand[0], b.high = map[rules.Square]byte{}, b.high/2
	case *kinds:
		b.stand[0] = map[rules.Square]byte{stand: Letters[b.s.part]}
		b.say("")
		b.sweep()
		b.stand[0] = map[rules.Square]byte{}
	case *walk:
		if st.weighs(b.s) && st.mg == 0 {
			b.say("60")
		}
		sq := b.lit(st.deck)
		if want := b.s.place(st.deck, sq); b.s.Prompt().Square != want {
			b.t.Fatalf("the light is on %s, the prompt wants %s", want, b.s.Prompt().Square)
		}
		b.stand[st.deck] = map[rules.Square]byte{sq: 'K'}
		before := b.s.Where()
		b.sweep()
		b.stand[st.deck] = map[rules.Square]byte{}
		if b.s.Where() == before {
			b.say("skip")
		}
		b.sweep()
	case *array:
		for sq := range arrayed.Squares() {
			b.stand[0][sq] = letterAt(sq)
		}
		b.say("")
		b.sweep()
		b.stand[0] = map[rules.Square]byte{}
	}
}

// lit is the square whose light the person sees.
func (b *bench) lit(d sensing.Deck) rules.Square {
	b.t.Helper()
	f := b.s.Frame()
	for i, sq := range b.truth.Lights[d] {
		if f[d][i] != (leds.Color{}) {
			return sq
		}
	}
	b.t.Fatalf("no light on the %v deck at %s", d, b.s.Where())
	return 0
}

// check compares what was found with the truth.
func (b *bench) check() {
	b.t.Helper()
	got := b.s.Calibration()
	if got.Reeds[0] != b.truth.Reeds[0] || got.Lights[0] != b.truth.Lights[0] {
		b.t.Errorf("switches %v, want %v; lights %v, want %v", got.Reeds[0], b.truth.Reeds[0], got.Lights[0],
			b.truth.Lights[0])
	}
	switch b.b.Kind {
	case "stack":
		if got.Cells != b.truth.Cells {
			b.t.Errorf("cells %v, want %v", got.Cells, b.truth.Cells)
		}
		for i := range 64 {
			if math.Abs(got.Gain[i]/b.truth.Gain[i]-1) > 0.01 || got.Empty[i]-b.truth.Empty[i] > 100 ||
				got.Empty[i]-b.truth.Empty[i] < -100 {
				b.t.Errorf("%v: gain %g, want %g; empty %d, want %d", rules.Square(i), got.Gain[i], b.truth.Gain[i], got.Empty[i],
					b.truth.Empty[i])
			}
		}
		for letter, want := range masses {
			if w := got.Weights[letter]; w.MG < want-300 || w.MG > want+300 {
				b.t.Errorf("%c weighs %d mg, want %d", letter, w.MG, want)
			}
		}
	case "scale":
		for q := range rules.Square(64) {
			b.stand[0] = map[rules.Square]byte{q: 'N'}
			r := got.Reading(*b.balance())
			var bear [scale.Corners]float64
			for i, sq := range scale.Squares {
				bear[i] = float64(r.Value[sq])
			}
			load := scale.Read(&bear)
			x, y := load.Centre()
			wx, wy := scale.Middle(q)
			if math.Abs(load.MG-27_000) > 2000 || math.Hypot(x-wx, y-wy) > 15 {
				b.t.Errorf("%v: %.0f mg at %.1f, %.1f, want 27000 at %.0f, %.0f", q, load.MG, x, y, wx, wy)
			}
		}
		for letter, want := range masses {
			if w := got.Weights[letter]; w.MG < want-600 || w.MG > want+600 {
				b.t.Errorf("%c weighs %d mg, want %d", letter, w.MG, want)
			}
		}
	case "twin":
		if got.Eyes != b.truth.Eyes || got.Reeds[1] != b.truth.Reeds[1] {
			b.t.Errorf("height sensors %v, want %v", got.Eyes, b.truth.Eyes)
		}
		for i := range 64 {
			if d := got.Lift[i] - b.truth.Lift[i]; d > 1500 || d < -1500 {
				b.t.Errorf("%v: height offset %d, want %d", rules.Square(i), got.Lift[i], b.truth.Lift[i])
			}
		}
	}
}
