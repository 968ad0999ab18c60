package physics

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Wave is how sensing/heights ranges: the squares of one color and then those of the other, rank by rank, so that no two
// neighbours measure at once and a rank is fetched while the next one still ranges.
type Wave struct {
	Color  time.Duration // from the start of one color to that of the other
	Rank   time.Duration // from the start of one rank to that of the next
	Ranges time.Duration // one ranging
	Fetch  time.Duration // from the start of a rank to when its values are known
	News   int32         // micrometres: a height that changes by more is told at once, the others when a color is through
}

// ReferenceWave is that of the reference board at 400 kHz: a round of all 64 takes 31.8 ms. Every chip has its own clock, 10 % off at
// most; all are as slow as the slowest here.
func ReferenceWave() Wave {
	return Wave{Color: 15_900 * time.Microsecond, Rank: 1500 * time.Microsecond, Ranges: 13_300 * time.Microsecond, Fetch: 14_900 * time.Microsecond, News: 10_000}
}

// eyes is how far a round of heights is.
type eyes struct {
	began time.Duration // when the color began that is being ranged
	color int
	rank  int // the next one to be fetched
	out   sensing.Reading
}

// wake lets the next round begin soon, if none is under way.
func (s *Sampler) wake() {
	e := &s.eyes
	if soon := s.now + time.Duration(s.w.rnd.Float64()*float64(ms)); e.rank == 0 && e.color == 0 && e.began > soon {
		e.began = soon
		s.due[sensing.Heights] = e.began + s.r.Eyes.Fetch
	}
}

// heights fetches one rank of one color.
func (s *Sampler) heights(seen func(*sensing.Reading) bool) bool {
	e, w := &s.eyes, &s.r.Eyes
	news := s.fetch(e.began+time.Duration(e.rank)*w.Rank, s.now)
	if e.rank++; e.rank == 8 {
		e.rank, e.color = 0, 1-e.color
		if e.began += w.Color; e.color == 0 {
			e.began += s.pace(2*w.Color) - 2*w.Color
		}
		news = true
	}
	s.due[sensing.Heights] = max(s.now, e.began+time.Duration(e.rank)*w.Rank+w.Fetch)
	if !news {
		return true
	}
	e.out.At, e.out.Kind = s.Time(s.now), sensing.Heights
	on := seen(&e.out)
	e.out.Stale = e.out.Known
	return on
}

// fetch takes what a rank has ranged and tells whether that is worth telling at once.
func (s *Sampler) fetch(from, now time.Duration) (news bool) {
	e, w := &s.eyes, &s.r.Eyes
	for file := range 8 {
		sq := rules.SquareAt(file, e.rank)
		if (file+e.rank)%2 != e.color {
			continue
		}
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
		change := e.out.Value[sq] - old
		news = news || known != e.out.Known.Has(sq) || max(change, -change) > w.News
	}
	return news
}
