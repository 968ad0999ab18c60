// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Limit is the largest trace, in bytes: about three hours of lively play on a stack board.
const Limit = 8 << 20

// Changes below these do not count: milligrams of a load cell under a square and under a corner, micrometres of a
// height.
const (
	massNoise   = 150
	scaleNoise  = 300
	heightNoise = 2_500
)

// Writer writes a trace. It belongs to one goroutine. An error of the file ends the trace; nothing else depends on it.
type Writer struct {
	w       *bufio.Writer
	start   time.Time
	written int
	err     error
	reeds   [2]sensing.Reading
	read    [8]time.Time // when each bank was last read, see [Bank]
	analog  [4]struct {
		known rules.Bitboard
		value [64]int32
		off   [64]drift
		said  bool
	}
}

// drift is how far the values of a square were from the last written one.
type drift struct {
	sum int32
	n   int32
}

// again is the number of values after which the written one is compared with their mean. A single value is noisy, and
// would otherwise stand for them all.
const again = 8

// add takes in a value's distance from the written one. It returns the mean distance when a correction is due.
func (d *drift) add(off, noise int32) (mean int32, correct bool) {
	if d.sum, d.n = d.sum+off, d.n+1; d.n < again {
		return 0, false
	}
	mean = d.sum / d.n
	*d = drift{}
	return mean, max(mean, -mean) > noise/4
}

// New begins a trace of a game.
func New(w io.Writer, start time.Time, p *rules.Position) *Writer {
	t := &Writer{w: bufio.NewWriterSize(w, 32<<10), start: start}
	t.line("boardd-trace 1\ngame %s %s\n", p.Variant().ID(), p.FEN())
	return t
}

func (t *Writer) line(format string, args ...any) {
	if t.err != nil || t.written > Limit {
		return
	}
	n, err := fmt.Fprintf(t.w, format, args...)
	t.written += n
	t.err = err
}

func (t *Writer) at(when time.Time) int64 { return max(0, when.Sub(t.start).Microseconds()) }

// unread is how long nobody must have read a bank until the trace says so. On a quiet board reeds are read every 40
// ms, the others more often.
const unread = 250 * time.Millisecond

// letters are the sensors in the order of their kinds.
const letters = "rwhs"

// Bank is the number of the bank that a reading is of.
func Bank(r *sensing.Reading) int { return int(r.Kind) + len(letters)*int(r.Deck) }

// Reading records a sweep, if anything has changed, and that nobody read the bank for a while.
func (t *Writer) Reading(r *sensing.Reading) {
	last := &t.read[Bank(r)]
	if gap := r.At.Sub(*last); !last.IsZero() && gap > unread {
		t.line("n %d %c %d %d\n", t.at(*last), letters[r.Kind], r.Deck, gap.Microseconds())
	}
	*last = r.At
	if r.Kind == sensing.Reeds {
		old := &t.reeds[r.Deck]
		if old.At.IsZero() || old.Known != r.Known || old.Closed != r.Closed {
			t.line("r %d %d %x %x\n", t.at(r.At), r.Deck, uint64(r.Known), uint64(r.Closed))
			*old = *r
		}
		return
	}
	t.values(r)
}

// values records the analog values that have moved.
func (t *Writer) values(r *sensing.Reading) {
	old := &t.analog[r.Kind]
	letter, noise := "w", int32(massNoise)
	switch r.Kind {
	case sensing.Heights:
		letter, noise = "h", heightNoise
	case sensing.Scale:
		letter, noise = "s", scaleNoise
	}
	var moved rules.Bitboard
	now := r.Value
	for s := range rules.Square(64) {
		d := r.Value[s] - old.value[s]
		switch {
		case !r.Known.Has(s) || r.Stale.Has(s) && old.known.Has(s):
		case d > noise || d < -noise || !old.said || !old.known.Has(s):
			moved |= s.Bit()
		default:
			if mean, ok := old.off[s].add(d, noise); ok {
				now[s] = old.value[s] + mean
				moved |= s.Bit()
			}
		}
	}
	if old.said && moved == 0 && r.Known == old.known {
		return
	}
	t.line("%s %d %x", letter, t.at(r.At), uint64(r.Known))
	for s := range rules.Square(64) {
		if moved.Has(s) {
			t.line(" %d:%d", s, now[s])
			old.value[s], old.off[s] = now[s], drift{}
		}
	}
	t.line("\n")
	old.known, old.said = r.Known, true
}

// Figures holds the figures of a board with which its readings were explained; 0 is not known.
type Figures struct {
	CellNoise   int32      // mg
	MassSpread  int32      // mg
	RangeNoise  int32      // micrometres
	CubeHeight  int32      // micrometres
	Mass        [128]int32 // mg, of each piece by its letter
	CellNoises  [64]int32  // mg, of each load cell that has its own
	RangeNoises [64]int32  // micrometres, of each height sensor that has its own
}

// Board records what kind of board it is, stack, twin, scale or reeds, and its figures.
func (t *Writer) Board(kind string, f Figures) {
	t.line("board 0 %s %d %d %d %d\n", kind, f.CellNoise, f.MassSpread, f.RangeNoise, f.CubeHeight)
	t.figures("mass", f.Mass[:])
	t.figures("cells", f.CellNoises[:])
	t.figures("eyes", f.RangeNoises[:])
}

// figures records those of a list that are known.
func (t *Writer) figures(what string, list []int32) {
	text := ""
	for i, v := range list {
		if v != 0 {
			text += fmt.Sprintf(" %d:%d", i, v)
		}
	}
	if text != "" {
		t.line("%s 0%s\n", what, text)
	}
}

// Question records that people were asked which move was made.
func (t *Writer) Question(when time.Time) { t.line("q %d asked\n", t.at(when)) }

// Move records a move in coordinate form; here says that it was recognised on the board.
func (t *Writer) Move(when time.Time, coord string, here bool) {
	letter := "x"
	if here {
		letter = "m"
	}
	t.line("%s %d %s\n", letter, t.at(when), coord)
}

// Back records that moves were taken back; here says that it was recognised on the board.
func (t *Writer) Back(when time.Time, plies int, here bool) {
	letter := "b"
	if here {
		letter = "u"
	}
	t.line("%s %d %d\n", letter, t.at(when), plies)
}

// Flush writes out buffered lines.
func (t *Writer) Flush() error {
	if t.err == nil {
		t.err = t.w.Flush()
	}
	return t.err
}
