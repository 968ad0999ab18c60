// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/trace"
)

// figures returns the figures of a board of whose pieces and sensors only some are known.
func figures() trace.Figures {
	return trace.Figures{CellNoise: 150, MassSpread: 250, RangeNoise: 2000, CubeHeight: 35000,
		Mass: [128]int32{'P': 21000, 'p': 20500}, CellNoises: [64]int32{0: 180, 63: 220}, RangeNoises: [64]int32{17: 1500}}
}

// write writes a trace that has a line of every kind.
func write(t *testing.T) string {
	t.Helper()
	v, err := rules.ByID("locking")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	var b bytes.Buffer
	start := time.Unix(100, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	w := trace.New(&b, start, &p)
	w.Board("stack", figures())
	w.Reading(&sensing.Reading{At: at(2), Kind: sensing.Reeds, Known: ^rules.Bitboard(0), Closed: 0xffff})
	w.Reading(&sensing.Reading{At: at(4), Kind: sensing.Reeds, Known: ^rules.Bitboard(0), Closed: 0xffff})
	w.Reading(&sensing.Reading{At: at(9), Kind: sensing.Weights, Known: 1 << 12, Value: [64]int32{12: 20043}})
	w.Reading(&sensing.Reading{At: at(22), Kind: sensing.Weights, Known: 1 << 12, Value: [64]int32{12: 20050}})
	w.Reading(&sensing.Reading{At: at(290), Kind: sensing.Weights, Known: 1 << 12, Value: [64]int32{12: 20040}})
	w.Question(at(300))
	w.Move(at(301), "e2e4", true)
	w.Move(at(400), "e7e5", false)
	w.Back(at(500), 1, true)
	w.Back(at(501), 1, false)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRead: what was written is read back, plain and compressed. Values that did not change are not there.
func TestRead(t *testing.T) {
	plain := write(t)
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	g.Write([]byte(plain))
	g.Close()
	for name, text := range map[string]string{"plain": plain, "compressed": z.String()} {
		tr, err := trace.Read(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if tr.Board != "stack" || tr.Figures != figures() || tr.Start.Variant().ID() != "locking" {
			t.Errorf("%s: board %q %+v of %s", name, tr.Board, tr.Figures, tr.Start.Variant())
		}
		var kinds string
		for _, e := range tr.Entries {
			switch {
			case e.Unread != nil:
				kinds += fmt.Sprintf("%v %v unread %v for %v ", e.At, e.Unread.Deck, e.Unread.Kind, e.Unread.For)
			case e.Reading != nil:
				kinds += e.Reading.Kind.String() + " "
			case e.Asked:
				kinds += "asked "
			case e.Back > 0 && e.Here:
				kinds += "back by hand "
			case e.Back > 0:
				kinds += "back "
			default:
				kinds += e.Move + " "
			}
		}
		if want := "reeds weights 22ms lower unread weights for 268ms asked e2e4 e7e5 back by hand back "; kinds != want {
			t.Errorf("%s: %q, want %q", name, kinds, want)
		}
	}
}

// TestCutOff: a last line that a power cut has torn is left out and reported. Any other fault is an error.
func TestCutOff(t *testing.T) {
	text := write(t)
	if tr, err := trace.Read(strings.NewReader(text + "m 9")); err != nil || tr.Torn == nil {
		t.Errorf("a torn last line: %v, told as %v", err, tr.Torn)
	}
	if tr, err := trace.Read(strings.NewReader(text)); err != nil || tr.Torn != nil {
		t.Errorf("a whole trace: %v, told as %v", err, tr.Torn)
	}
	if _, err := trace.Read(strings.NewReader(strings.Replace(text, "m 301000", "m xyz", 1))); err == nil {
		t.Error("a line in the middle that is no time was read")
	}
	late := strings.Replace(text, "m 301000", "m 2000000000000000000", 1)
	if tr, err := trace.Read(strings.NewReader(late)); err == nil {
		t.Errorf("a time of 63,000 years was read as %v", tr.Entries)
	}
	for _, text := range []string{"boardd-trace 1\ngame locking rnbqkbnr/pp", "boardd-trace 1\n",
		"boardd-trace 1\nm 300 e2e4\n"} {
		_, err := trace.Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "the game is missing") {
			t.Errorf("%q: %v, want the game missed", text, err)
		}
	}
}

// FuzzRead: no trace makes the reader panic.
func FuzzRead(f *testing.F) {
	f.Add("boardd-trace 1\ngame chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n" +
		"r 2105 0 ffffffffffffffff ffff00000000efff\nw 9100 ff 12:20043\nb 1 1\nq 1 asked\nn 1 h 1 9000\n")
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := trace.Read(strings.NewReader(text))
		if err == nil && tr.Start == (rules.Position{}) {
			t.Error("a trace without a game was read")
		}
	})
}
