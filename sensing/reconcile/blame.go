// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"time"

	"boardd/sensing"
	"boardd/sensing/wood"
)

// blame finds the sensors that are at fault, from what they show against the wood that the game, the other sensors and the
// rules agree on. A sensor that is at fault counts as unknown until it is cured.
type blame struct {
	faults   []Fault
	news     []News
	lost     [3]wood.Set     // by kind: places that do not answer, as last looked
	lostAt   [3]time.Time    // when that set last changed
	agreed   [3]wood.Set     // by kind: faulty places that show what they should, as last looked
	agreedAt [3]time.Time    // when that set last changed
	votes    []pairVote      // pairs of places that answered for each other, or together
	hints    [][2]wood.Place // pairs of places whose reeds may answer for each other, by what people said
	suspects []suspect       // sensors whose fault would make moves of the open question right
	doubted  wood.Set        // reeds that a settled sensor contradicts, as last looked
	since    time.Time       // when that set last changed
}

// suspect is a move that is right if a sensor is at fault.
type suspect struct {
	after wood.Wood
	fault Fault
}

// Faults are the sensors that are not to be trusted now, in the order in which they were found.
func (d *Decoder) Faults() []Fault { return slices.Clone(d.blame.faults) }

// News are the faults found and gone since it was last called.
func (d *Decoder) News() []News {
	n := d.blame.news
	d.blame.news = nil
	return n
}

// has finds the fault of a sensor.
func (b *blame) has(p wood.Place, k sensing.Kind) (int, bool) {
	i := slices.IndexFunc(b.faults, func(f Fault) bool { return f.Place == p && f.Part == k })
	return i, i >= 0
}

// find notes a fault, in place of any other of the same sensor.
func (b *blame) find(d *Decoder, f Fault) {
	if i, ok := b.has(f.Place, f.Part); ok {
		if b.faults[i].Kind == f.Kind {
			return
		}
		b.clear(d, i)
	}
	b.faults = append(b.faults, f)
	b.news = append(b.news, News{Fault: f})
	if f.Kind != Swapped {
		d.seen.mute[f.Part].Add(f.Place)
	} else {
		d.seen.cross(f.Place, f.With)
	}
}

// clear lifts a fault.
func (b *blame) clear(d *Decoder, i int) {
	f := b.faults[i]
	b.faults = slices.Delete(b.faults, i, i+1)
	b.news = append(b.news, News{Fault: f, Gone: true})
	d.seen.mute[f.Part].Drop(f.Place)
	if f.Kind == Swapped {
		d.seen.swap[f.Place] = f.Place
	}
}

// cross lets the reed of one place answer for another.
func (s *seen) cross(p, with wood.Place) {
	s.crossed = true
	s.swap[p] = with
}

// trade gives each of two places what was seen of the other one's reed so far.
func (s *seen) trade(x, y wood.Place) {
	for _, set := range []*wood.Set{&s.known, &s.closed, &s.noisy, &s.calm, &s.stirred, &s.lifted, &s.away, &s.blinked, &s.turned, &s.unwatched} {
		a, b := set.Has(x), set.Has(y)
		set.Put(x, b)
		set.Put(y, a)
	}
	s.changed[x], s.changed[y] = s.changed[y], s.changed[x]
	s.touched[x], s.touched[y] = s.touched[y], s.touched[x]
	s.opened[x], s.opened[y] = s.opened[y], s.opened[x]
	s.level[x], s.level[y] = s.level[y], s.level[x]
	s.landings[x], s.landings[y] = s.landings[y], s.landings[x]
}
