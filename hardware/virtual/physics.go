package virtual

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// reed is one switch.
type reed struct {
	on    bool      // where it comes to rest
	since time.Time // it began to bounce
	until time.Time // it rests
	seed  uint64
	fault ReedFault
}

// closed is the state of the contact now. A bouncing one opens and closes every 50 to 100 us, beginning with its new state.
func (r *reed) closed(now time.Time) bool {
	switch r.fault {
	case ReedStuckOpen:
		return false
	case ReedStuckClosed:
		return true
	case ReedNoisy:
		return r.on && mix(r.seed, uint64(now.UnixMicro()/3000))&1 == 0
	}
	if !now.Before(r.until) {
		return r.on
	}
	step := uint64(now.Sub(r.since).Microseconds() / 75)
	return r.on != (step > 0 && mix(r.seed, step)&1 == 1)
}

// mix is a small hash: the finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
func mix(a, b uint64) uint64 {
	z := a + b*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// cell is one load cell with its converter.
type cell struct {
	from, to float64 // milligrams before and after the last change
	since    time.Time
	offset   float64 // counts with no load
	gain     float64 // counts per milligram
	fault    CellFault
}

// settle is the time constant of a cell: after 50 ms, seven of them, a change of 60 g is within its noise.
const settle = 7 * time.Millisecond

// weight is the load the cell shows now, in milligrams.
func (c *cell) weight(now time.Time) float64 {
	dt := now.Sub(c.since)
	if dt > 20*settle {
		return c.to
	}
	return c.to + (c.from-c.to)*math.Exp(-float64(dt)/float64(settle))
}

// set makes a pile stand on a square: the reed and the cell under it begin to move. The board is locked.
func (b *Board) set(d sensing.Deck, sq rules.Square, pile []byte) {
	now := time.Now()
	b.wood[d][sq] = pile
	if r := &b.reeds[d][sq]; r.on != (len(pile) > 0) {
		span := 500*time.Microsecond + time.Duration(b.rnd.Int64N(int64(500*time.Microsecond)))
		r.on, r.since, r.until, r.seed = len(pile) > 0, now, now.Add(span), b.rnd.Uint64()
		b.changeAfter(span)
	}
	if d != sensing.Lower {
		return
	}
	if c, load := &b.cells[sq], b.load(pile); load != c.to {
		c.from, c.to, c.since = c.weight(now), load, now
	}
}

// changeAfter lets the chips look again when a reed has come to rest. The board is locked.
func (b *Board) changeAfter(d time.Duration) {
	var t *time.Timer
	t = time.AfterFunc(d, func() {
		b.mu.Lock()
		delete(b.later, t)
		b.mu.Unlock()
		b.bus.Changed()
	})
	b.later[t] = true
}

// load is the weight of a pile in milligrams.
func (b *Board) load(pile []byte) float64 {
	sum := int32(0)
	for _, c := range pile {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		sum += b.o.Weights[c]
	}
	return float64(sum)
}
