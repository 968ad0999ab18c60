// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/heights"
)

// Wave is how sensing/heights measures: the squares of one color and then those of the other, rank by rank. So no two
// neighbours measure at once, and a rank is fetched while the next one still measures.
type Wave struct {
	Color  time.Duration // from the start of one color to that of the other
	Rank   time.Duration // from the start of one rank to that of the next
	Ranges time.Duration // one ranging
	Fetch  time.Duration // from the start of a rank to when its values are known
	News   int32         // micrometres: a height that changes by more is told at once, the others when a color is through
	Again  time.Duration // in focus: from the start of a ranging to that of the next
	Glance time.Duration // in focus: from the start of a ranging to when its value is known
}

// eyes is how far a round of heights is.
type eyes struct {
	began time.Duration // when the color began that is being ranged
	color int
	rank  int // the next one to be fetched
	out   sensing.Reading

	awaited rules.Bitboard // the squares on which the game waits
	focus   heights.Focus
	near    [64]time.Duration // when the ranging of each square in focus began
}

// Await says on which squares the game waits for a height.
func (s *Sampler) Await(squares rules.Bitboard) {
	if s.eyes.awaited = squares; squares != 0 {
		s.wake()
	}
}

// wake lets the next round begin soon, if none is under way.
func (s *Sampler) wake() {
	e := &s.eyes
	if soon := s.now + time.Duration(s.w.rnd.Float64()*float64(ms)); e.rank == 0 && e.color == 0 && e.began > soon {
		e.began = soon
		s.due[sensing.Heights] = min(s.due[sensing.Heights], e.began+s.r.Eyes.Fetch)
	}
}

// heights fetches what comes first: one rank of one color, or a square in focus. It reports whether seen wants more.
// Whatever comes of a square in focus is told at once, so that the game can say what it waits for next.
func (s *Sampler) heights(seen func(*sensing.Reading) bool) (on bool) {
	e := &s.eyes
	news, on := true, true
	sq, known := s.nearest()
	at := min(known, s.rankKnown())
	if s.now-at < late {
		at = s.now
	}
	focused := known < s.rankKnown()
	if focused {
		s.fetch(sq, e.near[sq])
		e.near[sq] = max(s.now, e.near[sq]+s.r.Eyes.Again)
	} else {
		news = s.rank()
	}
	if news {
		e.out.At, e.out.Kind = s.Time(at), sensing.Heights
		on = seen(&e.out)
		e.out.Stale = e.out.Known
	}
	if focused && (!e.awaited.Has(sq) || e.focus.Done(e.awaited)) {
		s.refocus(e.focus.Choose)
	}
	_, known = s.nearest()
	s.due[sensing.Heights] = max(s.now, min(known, s.rankKnown()))
	return on
}

// late is how late a result is fetched at least that counts from when it was measured: twice heights.Opts.Limit,
// as the driver has it.
const late = 70 * ms

// rankKnown is when the next rank is fetched.
func (s *Sampler) rankKnown() time.Duration {
	return s.eyes.began + time.Duration(s.eyes.rank)*s.r.Eyes.Rank + s.r.Eyes.Fetch
}

// nearest is the square in focus that is fetched next, and when; a time far away without one.
func (s *Sampler) nearest() (first rules.Square, known time.Duration) {
	known = 1 << 62
	for sq := range s.eyes.focus.On().Squares() {
		if k := s.eyes.near[sq] + s.r.Eyes.Glance; k < known {
			first, known = sq, k
		}
	}
	return first, known
}

// rank fetches one rank of one color and reports whether it is worth telling at once.
func (s *Sampler) rank() (news bool) {
	e, w := &s.eyes, &s.r.Eyes
	from := e.began + time.Duration(e.rank)*w.Rank
	for file := range 8 {
		sq := rules.SquareAt(file, e.rank)
		if (file+e.rank)%2 == e.color && !(e.focus.On() | e.focus.Aside()).Has(sq) {
			news = s.fetch(sq, from) || news
		}
	}
	if e.rank++; e.rank < 8 {
		return news
	}
	e.rank, e.color = 0, 1-e.color
	if e.began += w.Color; s.host.starves {
		e.began = max(e.began, s.now)
	}
	if e.color == 0 {
		e.began += s.pace(2*w.Color) - 2*w.Color
		s.refocus(e.focus.Round)
	}
	return true
}

// refocus chooses what is looked at. Its neighbours may have to end first.
func (s *Sampler) refocus(choose func(awaited, known rules.Bitboard, value *[64]int32, now time.Time)) {
	e := &s.eyes
	old := e.focus.On()
	choose(e.awaited, e.out.Known, &e.out.Value, s.Time(s.now))
	for sq := range (e.focus.On() &^ old).Squares() {
		e.near[sq] = s.free(sq)
	}
}

// free is when the neighbours of a square, those on the next rank last, have ended.
func (s *Sampler) free(sq rules.Square) time.Duration {
	e, w := &s.eyes, &s.r.Eyes
	for k := range 2 {
		began := e.began + time.Duration(k)*w.Color + time.Duration(min(7, sq.Rank()+1))*w.Rank
		if color := (e.color + k) % 2; color != (sq.File()+sq.Rank())%2 && began <= s.now {
			return max(s.now, began+w.Glance)
		}
	}
	return s.now
}

// fetch takes what a sensor has ranged and reports whether that is worth telling at once.
func (s *Sampler) fetch(sq rules.Square, from time.Duration) (news bool) {
	e, w := &s.eyes, &s.r.Eyes
	known, old := e.out.Known.Has(sq), e.out.Value[sq]
	e.out.Known &^= sq.Bit()
	e.out.Stale &^= sq.Bit()
	e.out.Value[sq] = 0
	if !s.gone.bus && !s.gone.rows.Has(sq) && s.w.eyes[sq] != EyeGone && !s.lost(2) {
		if g := s.w.Sight(from, from+w.Ranges, sq); g.Found {
			e.out.Known |= sq.Bit()
			e.out.Value[sq] = int32((SensorHeight - g.Round()) * 1000)
		}
	}
	e.focus.Seen(sq, old, e.out.Value[sq])
	change := e.out.Value[sq] - old
	return known != e.out.Known.Has(sq) || max(change, -change) > w.News
}
