// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// middle is a middle game for a benchmark, and a move made in it by hand: from is lifted, to is filled.
type middle struct {
	name, board, variant, fen string
	from, to                  rules.Square
}

func middles() []middle {
	return []middle{
		{"stack", "stack", "locking", "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7", 18, 35},
		{"twin", "twin", "flying", "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7", 18, 35},
		{"pillar", "twin", "pillar-liberal", "r2q1rk1/ppp2p1p/2np4/2b1p3/1[bpnR]B1P[nQ]2/3P1[ppN]2/PPP2PPP/5RK1 w - - 0 12",
			25, 24},
		{"scale", "scale", "locking", "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2P[PB]P/R2Q1RK1 w - - 0 7", 18, 35},
		{"reeds", "reeds", "chess", "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7", 18, 35},
	}
}

// stage is a decoder that has settled on a middle game, with two snapshots of readings. One is as the game has it, the
// other has a piece carried from one square to another.
type stage struct {
	d        *reconcile.Decoder
	p        rules.Position
	bases    []reconcile.Base
	readings [2][]sensing.Reading
	now      time.Time
}

func newStage(t testing.TB, m middle) *stage {
	v, err := rules.ByID(m.variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(m.fen)
	if err != nil {
		t.Fatal(err)
	}
	g := boards()[m.board]
	s := &stage{d: reconcile.New(g, reconcile.DefaultTiming()), p: p, now: time.Unix(1000, 0)}
	before := v.Start()
	s.bases = []reconcile.Base{{Position: p, Moves: true, OpponentHere: true},
		{Position: before, Moves: true, Takeback: true}}
	s.d.Expect(s.bases)
	wood := g.Lay(&p)
	s.readings[0] = snapshot(&g, &wood)
	wood[m.to] = wood[m.from]
	wood[m.from] = ""
	s.readings[1] = snapshot(&g, &wood)
	for range 200 {
		s.see(0)
	}
	return s
}

// snapshot is one reading of every bank.
func snapshot(g *wood.Geometry, w *wood.Wood) []sensing.Reading {
	all := ^rules.Bitboard(0)
	rs := []sensing.Reading{{Kind: sensing.Reeds, Known: all}}
	if g.TwoDecks {
		rs = append(rs, sensing.Reading{Kind: sensing.Reeds, Deck: sensing.Upper, Known: all})
	}
	for p := range wood.Place(wood.Places) {
		if w[p] != "" {
			rs[p.Deck()].Closed |= p.Square().Bit()
		}
	}
	analog := sensing.Reading{Known: all}
	for s := range analog.Value {
		for i := range len(w[s]) {
			if g.Weights {
				analog.Value[s] += g.Mass[w[s][i]]
			} else {
				analog.Value[s] += g.CubeHeight
			}
		}
	}
	if g.Weights {
		analog.Kind = sensing.Weights
		rs = append(rs, analog)
	}
	if g.Heights {
		analog.Kind = sensing.Heights
		rs = append(rs, analog)
	}
	if g.Scale {
		var load scale.Load
		for p := range wood.Place(wood.Places) {
			for i := range len(w[p]) {
				load = load.Plus(scale.On(float64(g.Mass[w[p][i]]), p.Square()))
			}
		}
		whole := sensing.Reading{Kind: sensing.Scale, Known: scale.Known}
		for i, mg := range load.Share() {
			whole.Value[scale.Squares[i]] = int32(mg)
		}
		rs = append(rs, whole)
	}
	return rs
}

// see takes a snapshot in and explains it.
func (s *stage) see(which int) reconcile.Explanation {
	s.now = s.now.Add(reedSweep)
	for i := range s.readings[which] {
		r := &s.readings[which][i]
		r.At = s.now
		s.d.Observe(r)
	}
	return s.d.Explain(s.now)
}

// BenchmarkSnapshot takes in a reading of every bank and explains it. It does so while all stands as it should, while
// a piece is in the hand or has landed, and while nothing explains the wood.
func BenchmarkSnapshot(b *testing.B) {
	for _, m := range middles() {
		for which, name := range []string{"rest", "moving"} {
			b.Run(m.name+"/"+name, func(b *testing.B) {
				s := newStage(b, m)
				b.ReportAllocs()
				for b.Loop() {
					s.see(which)
				}
			})
		}
	}
}

// BenchmarkExpect measures what an accepted move costs before the next one can be recognised.
func BenchmarkExpect(b *testing.B) {
	for _, m := range middles() {
		b.Run(m.name, func(b *testing.B) {
			s := newStage(b, m)
			b.ReportAllocs()
			for b.Loop() {
				s.d.Expect(s.bases)
			}
		})
	}
}
