// SPDX-License-Identifier: Apache-2.0

package protocol

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func sample(seq uint16) Weights {
	w := Weights{Seq: seq, Rate: 80, Millis: 123456, Absent: 1 << 63}
	for i := range w.Raw {
		w.Raw[i] = int32(i*7919-250000) * 13
	}
	w.Raw[0], w.Raw[1], w.Raw[2] = RawMin, RawMax, -1
	return w
}

func decode(t *testing.T, d *Decoder, line []byte) []Weights {
	t.Helper()
	var got []Weights
	d.Feed(line, func(p Packet) {
		var w Weights
		if err := p.Weights(&w); err != nil {
			t.Fatal(err)
		}
		got = append(got, w)
	})
	return got
}

func TestCOBSReturnsEveryLength(t *testing.T) {
	for _, fill := range []byte{0, 1, 0xff} {
		for _, n := range []int{0, 1, 2, 252, 253, 254, 255, 256, 508, 509, 1000} {
			p := bytes.Repeat([]byte{fill}, n)
			if n > 3 {
				p[n/2] ^= 1
			}
			q := appendCOBS(nil, p)
			if bytes.IndexByte(q, 0) >= 0 {
				t.Fatalf("%d bytes of %d: the coding holds a zero", n, fill)
			}
			got, err := appendUnCOBS(nil, q)
			if err != nil || !bytes.Equal(got, p) {
				t.Fatalf("%d bytes of %d: got %d bytes back, error %v", n, fill, len(got), err)
			}
		}
	}
}

// TestFramesInTheDocument: the examples in PROTOCOL.md are these bytes. Another hub can be checked with them.
func TestFramesInTheDocument(t *testing.T) {
	doc, err := os.ReadFile("../../../hardware/firmware/hub/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	hello := Hello{Major: 1, Cells: 64, Rates: 3, Rate: 80, Cause: CausePower, Name: "boardd hub"}
	for name, frame := range map[string][]byte{"ask": AppendAsk(nil), "rate 80": AppendRate(nil, 80),
		"hello": AppendHello(nil, &hello)} {
		if want := fmt.Sprintf("`% x`", frame); !strings.Contains(string(doc), want) {
			t.Errorf("%s: PROTOCOL.md does not have the frame %s", name, want)
		}
	}
}

func TestWeightsReturn(t *testing.T) {
	want := sample(65535)
	var d Decoder
	got := decode(t, &d, AppendWeights(nil, &want))
	if len(got) != 1 || got[0] != want {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

func TestHelloReturns(t *testing.T) {
	want := Hello{Major: 1, Minor: 2, Cells: 64, Rates: 3, Rate: 80, Cause: CauseWatchdog, Name: "boardd hub"}
	var d Decoder
	n := 0
	d.Feed(AppendHello(nil, &want), func(p Packet) {
		n++
		got, err := p.Hello()
		if err != nil || got != want || p.Version() != Version || p.Type() != TypeHello {
			t.Errorf("got %+v, error %v, want %+v", got, err, want)
		}
	})
	if n != 1 {
		t.Fatalf("got %d packets, want 1", n)
	}
}

// TestOneDamagedFrameCostsOneFrame: every cut and every flipped bit loses one frame, is counted, and leaves the next
// frame whole.
func TestOneDamagedFrameCostsOneFrame(t *testing.T) {
	first, second := sample(1), sample(2)
	a, b := AppendWeights(nil, &first), AppendWeights(nil, &second)
	check := func(what string, i int, damaged []byte) {
		t.Helper()
		var d Decoder
		got := decode(t, &d, append(damaged, b...))
		if len(got) != 1 || got[0] != second || d.Bad == 0 {
			t.Fatalf("%s %d: got %d packets and %d bad frames, want the second packet and a bad frame", what, i, len(got),
				d.Bad)
		}
	}
	for i := 1; i < len(a)-1; i++ {
		check("cut before byte", i, slices.Clone(a[i:]))
		check("byte lost", i, slices.Delete(slices.Clone(a), i, i+1))
	}
	for i := range (len(a) - 1) * 8 {
		c := slices.Clone(a)
		c[i/8] ^= 1 << (i % 8)
		check("bit", i, c)
	}
}

func TestEndlessGarbageTakesNoMemory(t *testing.T) {
	var d Decoder
	garbage := bytes.Repeat([]byte{0x55}, 1<<16)
	d.Feed(garbage, func(Packet) { t.Fatal("a packet in garbage") })
	if cap(d.frame) > 2*maxFrame {
		t.Fatalf("the decoder holds %d bytes, want at most %d", cap(d.frame), 2*maxFrame)
	}
	want := sample(3)
	if got := decode(t, &d, append([]byte{0}, AppendWeights(nil, &want)...)); len(got) != 1 {
		t.Fatalf("got %d packets after the garbage, want 1", len(got))
	}
}

func TestWrongLengthsAreSaid(t *testing.T) {
	for _, p := range []Packet{{1, 'W'}, {1, 'W', 0, 0, 0}, append(Packet{1, 'W'}, make([]byte, weightsBody+1)...)} {
		if err := p.Weights(new(Weights)); err == nil {
			t.Errorf("weights of %d bytes: got no error", len(p))
		}
	}
	for _, p := range []Packet{{1, 'H'}, append(Packet{1, 'H'}, make([]byte, 60)...), {1, 'H', 0, 0, 0, 0, 0, 0, 7}} {
		if _, err := p.Hello(); err == nil {
			t.Errorf("hello of %d bytes: got no error", len(p))
		}
	}
}

// Whatever comes down the line, the decoder does not fail, and lets nothing through whose CRC is wrong. How the bytes
// are portioned makes no difference.
func FuzzDecoder(f *testing.F) {
	w := sample(7)
	f.Add(AppendWeights(nil, &w), uint8(3))
	f.Add(AppendHello(AppendAsk([]byte{0, 0}), &Hello{Name: "x"}), uint8(1))
	f.Add([]byte{1, 1, 1, 0, 255, 0}, uint8(2))
	f.Fuzz(func(t *testing.T, line []byte, step uint8) {
		var whole, parts Decoder
		var a, b [][]byte
		whole.Feed(line, func(p Packet) {
			a = append(a, slices.Clone(p))
			var w Weights
			if p.Weights(&w) == nil {
				again := AppendWeights(nil, &w)
				if p.Version() == Version && p.Type() == TypeWeights && len(again) != weightsBody+overhead+2 {
					t.Errorf("a frame of weights has %d bytes", len(again))
				}
			}
			_, _ = p.Hello()
			_, _ = p.Rate()
			sum := binary.LittleEndian.AppendUint32(slices.Clone(p), checksum(p))
			if back, err := appendUnCOBS(nil, appendCOBS(nil, sum)); err != nil || !bytes.Equal(back, sum) {
				t.Errorf("packet % x does not return from its coding", p)
			}
		})
		for chunk := range slices.Chunk(line, int(step)+1) {
			parts.Feed(chunk, func(p Packet) { b = append(b, slices.Clone(p)) })
		}
		if !slices.EqualFunc(a, b, bytes.Equal) || whole.Bad != parts.Bad {
			t.Errorf("in one piece %d packets, %d bad; in steps of %d: %d, %d", len(a), whole.Bad, int(step)+1, len(b),
				parts.Bad)
		}
	})
}
