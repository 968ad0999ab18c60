// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

const (
	reedSweep   = 2 * time.Millisecond
	weightSweep = 12500 * time.Microsecond
	heightRound = 24 * time.Millisecond // two checkerboard halves of 12 ms
	settling    = 12 * time.Millisecond // time constant of a load cell: 50 ms to 98 % (hardware/README.md)
)

// bench is a board without chips. Its wood is moved at given times, and its sensors behave like real ones and are as
// noisy. It has the decoder under test. Its time is virtual.
type bench struct {
	t       testing.TB
	g       wood.Geometry
	d       table.Decoder
	rand    *rand.Rand
	now     time.Time
	weights time.Time // when the next weights are due
	heights time.Time
	wood    wood.Wood
	hands   [2]string
	load    [64]float64 // what the cells show, milligrams
	bounce  [wood.Places]time.Time
	last    reconcile.Explanation
	broken  broken
	late    rules.Bitboard // squares whose height nobody has time to measure
	heard   [64]int32      // what height sensors showed last
	leans   scale.Load     // the load of a hand that leans on a scale board
	unheard rules.Bitboard // corners of the scale that do not answer
}

// broken is what is wrong with the sensors of a bench; the zero value is nothing.
type broken struct {
	reed   func(p wood.Place, closed bool) bool     // what a reed shows instead; it may look at the bench
	cell   func(q rules.Square, mg float64) float64 // what a load cell shows instead
	height func(q rules.Square, um float64) float64 // what a height sensor shows instead
	silent func(k sensing.Kind, d sensing.Deck) rules.Bitboard
}

func (b *broken) any() bool {
	return b.reed != nil || b.cell != nil || b.height != nil || b.silent != nil
}

// known returns the squares of a bank that answer.
func (b *bench) known(k sensing.Kind, d sensing.Deck) rules.Bitboard {
	if b.broken.silent == nil {
		return ^rules.Bitboard(0)
	}
	return ^b.broken.silent(k, d)
}

func newBench(t testing.TB, g wood.Geometry, seed uint64) *bench {
	return &bench{t: t, g: g, d: reconcile.New(g, reconcile.DefaultTiming()), rand: rand.New(rand.NewPCG(seed, 1)),
		now: time.Unix(1000, 0)}
}

// stand sets up the wood of a position and lets everything settle.
func (b *bench) stand(p *rules.Position) {
	b.wood = b.g.Lay(p)
	for s := range b.load {
		b.load[s] = b.mass(b.wood[s])
	}
}

func (b *bench) mass(p wood.Pile) (sum float64) {
	for i := range len(p) {
		sum += float64(b.g.Mass[p[i]])
	}
	return sum
}

// pass lets time go by. It ends early, and reports so, when the decoder's state is one that the daemon would act on.
func (b *bench) pass(d time.Duration) bool {
	for end := b.now.Add(d); b.now.Before(end); {
		b.now = b.now.Add(reedSweep)
		b.sweep()
		b.last = b.d.Explain(b.now)
		switch b.last.State {
		case reconcile.Moved, reconcile.TakenBack, reconcile.Asking:
			return true
		}
	}
	return false
}

func (b *bench) sweep() {
	decks := 1
	if b.g.TwoDecks {
		decks = 2
	}
	for deck := range decks {
		r := sensing.Reading{At: b.now, Kind: sensing.Reeds, Deck: sensing.Deck(deck),
			Known: b.known(sensing.Reeds, sensing.Deck(deck))}
		for s := range rules.Square(64) {
			p := wood.PlaceAt(sensing.Deck(deck), s)
			closed := b.wood[p] != ""
			if b.now.Before(b.bounce[p]) {
				closed = b.rand.IntN(2) == 0
			}
			if b.broken.reed != nil {
				closed = b.broken.reed(p, closed)
			}
			if closed && r.Known.Has(s) {
				r.Closed |= s.Bit()
			}
		}
		b.d.Observe(&r)
	}
	if (b.g.Weights || b.g.Scale) && !b.now.Before(b.weights) {
		b.weights = b.now.Add(weightSweep)
		if b.g.Scale {
			b.balance()
		} else {
			b.weigh()
		}
	}
	if b.g.Heights && !b.now.Before(b.heights) {
		b.heights = b.now.Add(heightRound)
		b.measure()
	}
}

func (b *bench) measure() {
	r := sensing.Reading{At: b.now, Kind: sensing.Heights, Known: b.known(sensing.Heights, sensing.Lower)}
	for s := range rules.Square(64) {
		um := float64(len(b.wood[s]))*float64(b.g.CubeHeight) + b.rand.NormFloat64()*1500
		if b.broken.height != nil {
			um = b.broken.height(s, um)
		}
		switch {
		case !r.Known.Has(s):
		case b.late.Has(s):
			r.Value[s] = b.heard[s]
			r.Stale |= s.Bit()
		default:
			r.Value[s] = int32(um)
		}
	}
	b.heard = r.Value
	b.d.Observe(&r)
}

func (b *bench) weigh() {
	r := sensing.Reading{At: b.now, Kind: sensing.Weights, Known: b.known(sensing.Weights, sensing.Lower)}
	k := 1 - math.Exp(-float64(weightSweep)/float64(settling))
	for s := range b.load {
		b.load[s] += k * (b.mass(b.wood[s]) - b.load[s])
		mg := b.load[s] + b.rand.NormFloat64()*60
		if b.broken.cell != nil {
			mg = b.broken.cell(rules.Square(s), mg)
		}
		if r.Known.Has(rules.Square(s)) {
			r.Value[s] = int32(mg)
		}
	}
	b.d.Observe(&r)
}

// balance is weigh of a scale board, with the load of a hand that leans on it.
func (b *bench) balance() {
	k := 1 - math.Exp(-float64(weightSweep)/float64(settling))
	sum := b.leans
	for s := range b.load {
		b.load[s] += k * (b.mass(b.wood[s]) - b.load[s])
		sum = sum.Plus(scale.On(b.load[s], rules.Square(s)))
	}
	r := sensing.Reading{At: b.now, Kind: sensing.Scale, Known: scale.Known &^ b.unheard}
	for i, mg := range sum.Share() {
		r.Value[scale.Squares[i]] = int32(mg + b.rand.NormFloat64()*150)
	}
	b.d.Observe(&r)
}

// act moves the wood at once; reeds whose contact changes bounce for a millisecond.
func (b *bench) act(a hands.Act) {
	b.t.Helper()
	h := &b.hands[a.Hand]
	pile := string(b.wood[a.Place])
	switch a.Do {
	case hands.Lift:
		if a.Count > len(pile) {
			b.t.Fatalf("%v: only %q stands there", a, pile)
		}
		*h += pile[len(pile)-a.Count:]
		b.set(a.Place, pile[:len(pile)-a.Count])
	case hands.Put:
		b.set(a.Place, pile+*h)
		*h = ""
	case hands.Discard:
		*h = ""
	case hands.Take:
		*h += a.Pieces
	}
}

func (b *bench) set(p wood.Place, pile string) {
	if (b.wood[p] == "") != (pile == "") {
		b.bounce[p] = b.now.Add(time.Millisecond)
	}
	b.wood[p] = wood.Pile(pile)
}
