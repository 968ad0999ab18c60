// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

func TestAnyWiringIsLearned(t *testing.T) {
	for _, kind := range []string{"stack", "twin", "scale", "reeds"} {
		t.Run(kind, func(t *testing.T) {
			b := newBench(t, kind, 1)
			b.obey("")
			b.check()
		})
	}
}

// TestResumed: a session that is saved in the middle of the walk and resumed ends with the same result.
func TestResumed(t *testing.T) {
	b := newBench(t, "stack", 2)
	b.obey("walk-lower 31")
	for i := range b.truth.Empty {
		b.truth.Empty[i] += 5000 // the room has become warmer meanwhile
	}
	c := b.s.Calibration()
	text, err := c.Marshal(b.s.Where())
	if err != nil {
		t.Fatal(err)
	}
	c, where, err := Unmarshal("it", text)
	if err != nil {
		t.Fatal(err)
	}
	b.s = Begin(b.b, c)
	if err := b.s.Resume(where); err != nil {
		t.Fatal(err)
	}
	if b.s.Where() != "walk-lower 31 60000" {
		t.Fatalf("resumed at %q", b.s.Where())
	}
	b.obey("")
	b.check()
}

// again puts a session away as a file and goes on from that.
func (b *bench) again() {
	b.t.Helper()
	c := b.s.Calibration()
	text, err := c.Marshal(b.s.Where())
	if err != nil {
		b.t.Fatal(err)
	}
	c, where, err := Unmarshal("it", text)
	if err != nil {
		b.t.Fatal(err)
	}
	b.s = Begin(b.b, c)
	if err := b.s.Resume(where); err != nil {
		b.t.Fatal(err)
	}
}

// TestResumedAnywhere: a session that is saved and resumed after every single action ends as if it had not been
// interrupted. This holds even with lights that are asked for one by one, and with dead switches.
func TestResumedAnywhere(t *testing.T) {
	for _, kind := range []string{"stack", "twin"} {
		t.Run(kind, func(t *testing.T) {
			b := newBench(t, kind, 8)
			w := &b.truth.Lights[0]
			// light 63 lies in its row, light 0 and 7 and 8 as well; so the four probes fit: see below
			w[3], w[12] = w[12], w[3]
			w[0], w[12] = w[12], w[0] // and now they do not
			b.dead = rules.Square(17).Bit() | rules.Square(40).Bit()
			b.sweep()
			for n := 0; !b.s.Done(); n++ {
				if n > 2000 {
					t.Fatalf("stays at %s: %+v", b.s.Where(), b.s.Prompt())
				}
				looking := b.s.goal != nil // at the empty board, after having been taken up
				b.one()
				if !b.s.Done() && !looking {
					b.again()
					b.sweep()
				}
			}
			got := b.s.Calibration()
			if got.Lights[0] != b.truth.Lights[0] {
				t.Errorf("lights %v, want %v", got.Lights[0], b.truth.Lights[0])
			}
			if want := b.truth.Reeds[0][17].Bit() | b.truth.Reeds[0][40].Bit(); got.Dead[0] != want {
				t.Errorf("dead %v, want %v", names(got.Dead[0]), names(want))
			}
			for i, sq := range b.truth.Reeds[0] {
				if !b.dead.Has(rules.Square(i)) && got.Reeds[0][i] != sq {
					t.Errorf("input %d is on %v, want %v", i, got.Reeds[0][i], sq)
				}
			}
			if kind == "stack" && got.Cells != b.truth.Cells {
				t.Errorf("cells %v, want %v, also where the switch is dead", got.Cells, b.truth.Cells)
			}
			if kind == "twin" && got.Eyes != b.truth.Eyes {
				t.Errorf("height sensors %v, want %v, also where the switch is dead", got.Eyes, b.truth.Eyes)
			}
		})
	}
}

// TestADeadSwitchIsSaid: if a cell bears a piece that no switch shows, the person is told.
func TestADeadSwitchIsSaid(t *testing.T) {
	b := newBench(t, "stack", 9)
	b.obey("walk-lower")
	b.say("60")
	b.dead = ^rules.Bitboard(0)
	b.stand[0] = map[rules.Square]byte{0: 'K'}
	b.sweep()
	if seen := b.s.Prompt().Seen; !strings.Contains(seen, "no switch closes") || !strings.Contains(seen, "skip") {
		t.Errorf("said %q", seen)
	}
}

// TestHeightOfAPiece: pieces a little lower than configured are measured. Very different heights are refused.
func TestHeightOfAPiece(t *testing.T) {
	b := newBench(t, "twin", 10)
	b.high = 33000
	b.obey("")
	got := b.s.Calibration()
	if got.CubeHeight < 32000 || got.CubeHeight > 34000 {
		t.Errorf("a piece of 33 mm is %d um", got.CubeHeight)
	}
	for i := range 64 {
		if d := got.Lift[i] - b.truth.Lift[i]; d > 2000 || d < -2000 {
			t.Errorf("%v: offset %d, want %d", rules.Square(i), got.Lift[i], b.truth.Lift[i])
		}
	}
	b.s = Begin(b.b, got)
	if err := b.s.Resume("height 0"); err != nil {
		t.Fatal(err)
	}
	b.one()
	b.stand[0] = map[rules.Square]byte{heap: 'K'} // one, not two
	b.say("")
	b.sweep()
	if seen := b.s.Prompt().Seen; !strings.Contains(seen, "are there two of them") {
		t.Errorf("one piece was taken for two: %q", seen)
	}
	tiles := b.b
	tiles.CubeHeight = 6000
	if s := Begin(tiles, got); s.Calibration().CubeHeight != 0 ||
		s.Calibration().Lift[5]-got.Lift[5] != 6000-got.CubeHeight {
		t.Errorf("the height of other pieces is kept: %+v", s.Calibration().CubeHeight)
	}
}

// TestSummary: one sentence tells that a board lies the other way round. Swapped wires are named by their squares.
func TestSummary(t *testing.T) {
	for turn, want := range map[int]string{0: "wired as on the reference board", 3: "turned by 180 degrees",
		5: "turned by 90 degrees"} {
		c := New()
		c.Kind = "stack"
		for i := range c.Reeds[0] {
			c.Reeds[0][i] = turned(turn, i%8, i/8, false)
			c.Lights[0][i] = turned(0, i%8, i/8, true)
		}
		c.Cells.put(28, 35)
		c.Dead[0] = rules.Square(28).Bit()
		got := say.List("\n", c.Summary()...).English
		for _, w := range []string{"switches of the lower deck are " + want, "run to and fro",
			"cells are wired as on the reference board, but for e4 d5", "No switch closed on e4"} {
			if !strings.Contains(got, w) {
				t.Errorf("not said: %q in\n%s", w, got)
			}
		}
	}
}

// TestReadingsGoThrough: calibrated readings show what stands on the board.
func TestReadingsGoThrough(t *testing.T) {
	b := newBench(t, "stack", 3)
	b.obey("")
	c := b.s.Calibration()
	b.stand[0] = map[rules.Square]byte{12: 'K', 63: 'p'}
	r := c.Reading(*b.reading(sensing.Weights))
	for sq := range r.Known.Squares() {
		want := float64(masses[b.stand[0][sq]|0x20])
		if math.Abs(float64(r.Value[sq])-want) > 800 {
			t.Errorf("%v: %d mg, want %.0f", sq, r.Value[sq], want)
		}
	}
}

// TestInverse: applying a wiring and its inverse changes nothing.
func TestInverse(t *testing.T) {
	var there, back Calibration
	for i, sq := range rand.New(rand.NewPCG(1, 1)).Perm(64) {
		there.Eyes[i] = rules.Square(sq)
	}
	back.Eyes = there.Eyes.Inverse()
	raw := sensing.Reading{Kind: sensing.Heights, Known: 0x123456789abcdef}
	for sq := range raw.Known.Squares() {
		raw.Value[sq] = int32(sq) + 1
	}
	if got := back.Reading(there.Reading(raw)); got != raw {
		t.Errorf("got %+v, want %+v", got, raw)
	}
}

// TestADeadSwitchSaysNothing: a switch that never closed does not say that its square is empty.
func TestADeadSwitchSaysNothing(t *testing.T) {
	c := New()
	c.Reeds[1][3], c.Reeds[1][5] = 5, 3
	c.Dead[1] = 1 << 5
	for d, want := range []rules.Bitboard{^rules.Bitboard(0), ^rules.Bitboard(1 << 5)} {
		r := c.Reading(sensing.Reading{Kind: sensing.Reeds, Deck: sensing.Deck(d), Known: ^rules.Bitboard(0),
			Closed: 1<<3 | 1<<5 | 1<<7})
		if r.Known != want || r.Closed != (1<<3|1<<5|1<<7)&want {
			t.Errorf("deck %d: known %016x closed %016x, want %016x known", d, uint64(r.Known), uint64(r.Closed), uint64(want))
		}
	}
	heights := c.Reading(sensing.Reading{Kind: sensing.Heights, Deck: sensing.Upper, Known: ^rules.Bitboard(0)})
	if heights.Known != ^rules.Bitboard(0) {
		t.Error("a height was lost for a switch")
	}
}

func TestADeadSwitchIsSkipped(t *testing.T) {
	b := newBench(t, "reeds", 4)
	b.dead = rules.Square(17).Bit()
	b.obey("")
	got := b.s.Calibration()
	for i := range got.Reeds[0] {
		if got.Reeds[0][i] != b.truth.Reeds[0][i] && !b.dead.Has(rules.Square(i)) {
			t.Errorf("input %d: %v, want %v", i, got.Reeds[0][i], b.truth.Reeds[0][i])
		}
	}
}

// TestBackMendsAMistake: the piece was put on the wrong square, and one step back corrects that.
func TestBackMendsAMistake(t *testing.T) {
	b := newBench(t, "reeds", 5)
	b.obey("walk-lower 3")
	b.stand[0] = map[rules.Square]byte{4: 'K'} // wanted is d1
	b.sweep()
	b.stand[0] = map[rules.Square]byte{}
	b.sweep()
	b.say("back")
	b.obey("")
	b.check()
}

func TestNonsenseIsRefused(t *testing.T) {
	b := newBench(t, "stack", 6)
	seen := func(what, want string) {
		t.Helper()
		before := b.s.Where()
		b.sweep()
		if p := b.s.Prompt(); b.s.Where() != before || !strings.Contains(p.Seen, want) {
			t.Errorf("%s: at %s, was %s; said %q, want %q in it", what, b.s.Where(), before, p.Seen, want)
		} else if p.SeenSaid.English != p.Seen || len(p.SeenSaid.Parts) == 0 {
			t.Errorf("%s: other languages are told %+v, want the parts of %q", what, p.SeenSaid, p.Seen)
		}
	}
	b.stand[0][9] = 'K'
	b.say("")
	seen("a piece on the empty board", "closed")
	b.stand[0] = map[rules.Square]byte{}
	b.obey("walk-lower")
	b.say("60")
	b.stand[0] = map[rules.Square]byte{0: 'K', 20: 'K'}
	seen("two pieces on the board", "Two switches")
	if err := b.s.Answer("3000"); err == nil {
		t.Error("3000 is no answer while walking")
	}
	b.obey("pieces")
	for sq := range arrayed.Squares() {
		b.stand[0][sq] = letterAt(sq)
	}
	delete(b.stand[0], 3)
	b.say("")
	seen("a queen is missing", "d1")
	masses['p'] = 700 // lighter than anything that can be told from noise
	defer func() { masses['p'] = 20000 }()
	b.stand[0][3] = 'Q'
	seen("pawns of 0.7 g", "too light")
}

func TestDriftIsTold(t *testing.T) {
	a, b := New(), New()
	if say := a.Drift(&b); len(say) != 0 {
		t.Errorf("nothing has changed: %q", say)
	}
	a.Empty[28], a.Gain[0], a.Lift[63] = 2500, 1.1, 5000
	a.Weights, b.Weights = map[byte]Weight{'p': {MG: 21000}}, map[byte]Weight{'p': {MG: 20000}}
	a.Cells.put(1, 2)
	if say := a.Drift(&b); len(say) != 5 {
		t.Errorf("five things have changed: %q", say)
	}
}

func FuzzFile(f *testing.F) {
	c := New()
	c.Kind = "stack"
	c.Weights = map[byte]Weight{'p': {20000, 100}}
	text, err := c.Marshal("walk-lower 3")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("kind: twin\n"))
	f.Add([]byte("kind: twin\nreeds: {lower: [a1 a1]}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, where, err := Unmarshal("it", text)
		if err != nil {
			return
		}
		again, err := c.Marshal(where)
		if err != nil {
			t.Fatal(err)
		}
		d, w, err := Unmarshal("it", again)
		if err != nil || w != where || d.Reeds != c.Reeds || d.Kind == "stack" && d.Cells != c.Cells {
			t.Fatalf("%v\n%s", err, again)
		}
	})
}

// TestCrosstalkInTheFile: the light that a cover reflects is kept in the file, by square. Without a cover the file has
// no table for it.
func TestCrosstalkInTheFile(t *testing.T) {
	c := New()
	c.Kind = "twin"
	text, err := c.Marshal("")
	if err != nil || strings.Contains(string(text), "crosstalk") {
		t.Errorf("no cover: error %v in\n%s", err, text)
	}
	c.Crosstalk[5] = 51
	if text, err = c.Marshal(""); err != nil {
		t.Fatal(err)
	}
	got, _, err := Unmarshal("file", text)
	if err != nil || got.Crosstalk != c.Crosstalk {
		t.Errorf("got %v, error %v", got.Crosstalk, err)
	}
	bad := strings.Replace(string(text), " 51 ", " 70000 ", 1)
	if _, _, err := Unmarshal("file", []byte(bad)); err == nil || !strings.Contains(err.Error(), "f1: 70000") {
		t.Errorf("a value that no register holds: got %v", err)
	}
}

// TestStaleFollowsTheWiring: the stale squares of a reading are real squares.
func TestStaleFollowsTheWiring(t *testing.T) {
	c := New()
	c.Eyes.put(3, 9)
	got := c.Reading(sensing.Reading{Kind: sensing.Heights, Known: 0xff, Stale: 1 << 3})
	if got.Stale != 1<<9 {
		t.Errorf("got %x, want the square where the sensor is", uint64(got.Stale))
	}
}

// TestFileOfALaterVersion: after a downgrade the calibration still counts.
func TestFileOfALaterVersion(t *testing.T) {
	c := New()
	c.Kind = "stack"
	c.Empty[5] = 77
	text, err := c.Marshal("")
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := Unmarshal("file", append(text, "colour_of_the_wood: oak\nlater:\n  more: [1, 2]\n"...))
	if err != nil || got.Empty != c.Empty {
		t.Errorf("%v, %v", err, got.Empty)
	}
}

// TestOddCells: a piece whose weight was entered wrongly, and a cell that bears only half of it, are named at once.
func TestOddCells(t *testing.T) {
	b := newBench(t, "stack", 11)
	for i := range b.truth.Gain {
		b.truth.Gain[i] = 1
	}
	b.truth.Gain[5] = 2 // f1
	b.obey("walk-lower")
	b.say("180")
	b.one()
	if seen := b.s.Prompt().Seen; !strings.Contains(seen, "does the piece really weigh 180.0 g") {
		t.Errorf("a king of 60 g is taken for 180 g: %q", seen)
	}
	b.say("back")
	if seen := b.s.Prompt(); !strings.Contains(seen.Do, "Type its weight") {
		t.Errorf("back does not ask for the weight again: %+v", seen)
	}
	b.obey("walk-lower 5")
	b.one()
	if seen := b.s.Prompt().Seen; !strings.Contains(seen, "f1 is found") ||
		!strings.Contains(seen, "50 % of what the others do") {
		t.Errorf("a cell that feels half of the piece: %q", seen)
	}
}
