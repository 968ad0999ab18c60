// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// bench is a board with a crew, without a table.
type bench struct {
	scene    *physics.Scene
	crew     *Crew
	geometry wood.Geometry
	p        rules.Position
	dice     *rand.Rand
}

func newBench(v *rules.Variant, kind physics.Kind, seed uint64) *bench {
	b := &bench{geometry: wood.Reference(), p: v.Start(), dice: rand.New(rand.NewPCG(seed, 1))}
	b.geometry.TwoDecks = kind == physics.Twin
	b.scene = physics.New(kind, 35, physics.Draw{Rand: rand.New(rand.NewPCG(seed, 2)), Factor: 1})
	var masses [128]float64
	for i, mg := range b.geometry.Mass {
		masses[i] = float64(mg) / 1000
	}
	lies := b.geometry.Lay(&b.p)
	b.crew = New(b.scene, &lies, masses, rand.New(rand.NewPCG(seed, 3)), 1)
	return b
}

// play makes a random move, and lets time pass until all hands are away. It gives the script; nil when there is no
// move.
func (b *bench) play(t *testing.T, h Habits) *Script {
	t.Helper()
	moves := b.p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil
	}
	m := moves[b.dice.IntN(len(moves))]
	for range 4 { // captures and stacks are what hands find hard
		if o := moves[b.dice.IntN(len(moves))]; o.IsCapture() || o.IsMarked() || o.IsCastling() || o.Count() > 0 {
			m = o
		}
	}
	after := b.p
	after.Play(m)
	lies := b.geometry.Lay(&after)
	s, err := b.crew.Play(b.scene.Now+time.Millisecond, b.p.Turn(), &lies, wood.Place(m.From()), h)
	if err != nil {
		t.Fatalf("%s %s: %v", b.p.FEN(), b.p.Coord(m), err)
	}
	b.scene.Hands, b.scene.Presses = append(b.scene.Hands, s.Hands...), append(b.scene.Presses, s.Presses...)
	b.scene.Knocks, b.scene.Tilts = append(b.scene.Knocks, s.Knocks...), append(b.scene.Tilts, s.Tilts...)
	for end := s.End + 5*time.Millisecond; b.scene.Now < end; {
		b.scene.Advance(b.scene.Now + 4*time.Millisecond)
	}
	if err := b.crew.Check(); err != nil {
		t.Fatalf("%s %s with %q: %v", b.p.FEN(), b.p.Coord(m), h.List(), err)
	}
	b.p = after
	return s
}

// TestWoodComesOut: whatever the game, the board and the habit, the pieces stand after every move as the game has
// them.
func TestWoodComesOut(t *testing.T) {
	for _, v := range rules.Variants() {
		for kind := physics.Stack; kind <= physics.Twin; kind++ {
			if kind == physics.Twin && v.Piles() {
				continue // piles may be too high for the deck above: package trial leaves such moves out
			}
			for i := range Count {
				b := newBench(v, kind, uint64(i))
				for range 25 {
					if b.play(t, 1<<i|RookFirst) == nil {
						break
					}
				}
			}
		}
	}
}

// TestHabitsShow: each habit that concerns a move changes what hands do in some move of a game.
func TestHabitsShow(t *testing.T) {
	for i := range Count {
		if h := Habits(1) << i; h == Quick || h == Takeback {
			continue
		}
		differs := false
		for seed := uint64(0); seed < 20 && !differs; seed++ {
			with, without := newBench(rules.Variants()[0], physics.Stack, seed), newBench(rules.Variants()[0],
				physics.Stack, seed)
			for range 60 {
				a, b := with.play(t, 1<<i), without.play(t, 0)
				if a == nil || b == nil {
					break
				}
				if a.End != b.End || len(a.Hands) != len(b.Hands) || len(a.Presses) != len(b.Presses) ||
					len(a.Knocks) != len(b.Knocks) {
					differs = true
					break
				}
			}
		}
		if !differs {
			t.Errorf("the habit %s changes nothing", Habits(1)<<i)
		}
	}
}

// TestPushedOverLine: a pushed piece never leaves the board, and a carried one does.
func TestPushedOverLine(t *testing.T) {
	for _, h := range []Habits{0, Push} {
		b := newBench(rules.Variants()[0], physics.Stack, 1)
		m, err := b.p.ParseMove("e2e4")
		if err != nil {
			t.Fatal(err)
		}
		after := b.p
		after.Play(m)
		lies := b.geometry.Lay(&after)
		s, err := b.crew.Play(0, rules.White, &lies, 12, h)
		if err != nil {
			t.Fatal(err)
		}
		b.scene.Hands = s.Hands
		high, id := 0.0, b.crew.piles[28][0]
		for b.scene.Now < s.End {
			b.scene.Advance(b.scene.Now + time.Millisecond)
			high = max(high, b.scene.Pieces[id].At.Z)
		}
		if pushed := high < 0.1; pushed != (h == Push) {
			t.Errorf("with %q the pawn rises to %.1f mm", h.List(), high)
		}
	}
}

// TestFingersPress: while a piece is put down its cell shows more and less than it weighs, and its weight when the
// hand is away.
func TestFingersPress(t *testing.T) {
	low, high, last := int32(1<<30), int32(0), int32(0)
	for seed := range uint64(8) {
		b := newBench(rules.Variants()[0], physics.Stack, seed)
		m, err := b.p.ParseMove("e2e4")
		if err != nil {
			t.Fatal(err)
		}
		after := b.p
		after.Play(m)
		lies := b.geometry.Lay(&after)
		s, err := b.crew.Play(time.Second, rules.White, &lies, 12, 0)
		if err != nil {
			t.Fatal(err)
		}
		b.scene.Hands, b.scene.Presses = s.Hands, s.Presses
		for b.scene.Now < s.End+200*time.Millisecond {
			b.scene.Advance(b.scene.Next())
			b.scene.Sweep(time.Unix(0, 0), func(r *sensing.Reading) {
				if r.Kind == sensing.Weights {
					last = r.Value[28]
					if b.scene.Now > s.Contact+60*time.Millisecond && b.scene.Now < s.Release {
						low, high = min(low, last), max(high, last)
					}
				}
			})
		}
		if last < 18_500 || last > 21_500 {
			t.Errorf("seed %d: the pawn weighs %d mg in the end", seed, last)
		}
	}
	if low > 17_000 || high < 25_000 {
		t.Errorf("under the fingers the pawn's cell shows %d to %d mg, want less than 17,000 and more than 25,000",
			low, high)
	}
}

// TestParseHabit: every word is read as what it is written as.
func TestParseHabit(t *testing.T) {
	for _, n := range Names() {
		if h, err := ParseHabit(n); err != nil || h.String() != n || h.List() != n {
			t.Errorf("%q is read as %q: %v", n, h, err)
		}
	}
	if _, err := ParseHabit("sneeze"); err == nil {
		t.Error("sneeze is no habit")
	}
}
