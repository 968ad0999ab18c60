// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/hub/protocol"
	"boardd/sensing/scale"
	"boardd/sensing/sweep"
)

// Opts holds the options of a hub. Only Path or Open is needed.
type Opts struct {
	Path string // the serial line, best below /dev/serial/by-id/
	// opens the line; by default Path through go.bug.st/serial. Read returns 0, nil after a time-out of some 100 ms
	Open     func() (io.ReadWriteCloser, error)
	PerCount float64 // milligrams per count; 0 is 0.5
	Rate     uint8   // readings a second, 10 or 80; 0 is 80
	// four cells under the corners of the whole board, read as a1, h1, a8 and h8. The hub has them at a1 to d1; PerCount
	// 0 is then 2.5
	Scale bool
	// after so long without a good frame the weights are unknown. 0 is 500 ms. If Rate is 10 it must be more than 200 ms
	Silence time.Duration
}

// Hub is the host's end of the line. It is a sensing.Source.
type Hub struct {
	o      Opts
	kind   sensing.Kind
	cells  rules.Bitboard // those that the board has
	status status
}

var _ sensing.Source = (*Hub)(nil)

// New prepares a hub. Run opens the line, repeatedly if necessary.
func New(o Opts) *Hub {
	if o.Open == nil {
		path := o.Path
		o.Open = func() (io.ReadWriteCloser, error) { return openSerial(path) }
	}
	if o.Rate == 0 {
		o.Rate = 80
	}
	if o.Silence == 0 {
		o.Silence = silence
	}
	h := &Hub{o: o, kind: sensing.Weights, cells: ^rules.Bitboard(0)}
	if o.Scale {
		h.kind, h.cells = sensing.Scale, Corners
	}
	if o.PerCount == 0 {
		h.o.PerCount = perCount
		if o.Scale {
			h.o.PerCount = scaleCount
		}
	}
	h.status.path, h.status.cells = o.Path, uint64(h.cells)
	return h
}

// perCount is the weight of a count of the reference cells, in milligrams, to 5 %. They are 1 kg cells of 1 mV/V at
// 128 times gain, with 2^24 counts over 40 mV at 5 V of excitation. The virtual hub has such cells. The calibration
// has the differences of single cells, in zero and gain.
const perCount = 0.5

// Corners holds the cells of the hub that a scale board uses for its corners. All are on one rank, so that no other is
// ever clocked, and the clock needs no shield.
const Corners rules.Bitboard = 0b1111

// scaleCount is the same of the 5 kg cells of a scale board.
const scaleCount = 2.5

// Run reads until ctx ends, as sensing.Source says.
func (h *Hub) Run(ctx context.Context, out chan<- sensing.Reading) error {
	retry := firstRetry
	for {
		s, err := h.open()
		if err == nil {
			err = s.run(ctx, out)
			if s.good {
				retry = firstRetry
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		h.status.lost(err)
		if err := send(ctx, out, h.unknown()); err != nil {
			return err
		}
		if err := sweep.Until(ctx, time.Now().Add(retry)); err != nil {
			return err
		}
		retry = min(2*retry, lastRetry)
	}
}

// Health returns the part of the link, and then one for each kind of trouble with cells.
func (h *Hub) Health() []sensing.Part { return h.status.parts() }

// session is one use of the line, from opening to closing.
type session struct {
	h      *Hub
	port   io.ReadWriteCloser
	dec    protocol.Decoder
	good   bool // a frame of weights has come
	seq    uint16
	last   time.Time // when the last good frame was read, or the line opened
	at     time.Time // when that frame was sent
	millis uint32    // the same time by the hub's clock
	fresh  bool      // the reader had to wait for what it reads now
	bytes  uint64    // seen until then
	silent time.Time // when the weights were last reported as unknown
	asked  time.Time
	asks   int
	found  []sensing.Reading // of the bytes just read, not yet sent
}

func (h *Hub) open() (*session, error) {
	port, err := h.o.Open()
	if err != nil {
		return nil, err
	}
	h.status.opened()
	return &session{h: h, port: port, last: time.Now()}, nil
}

// run reads until the line fails or ctx ends, and closes it.
func (s *session) run(ctx context.Context, out chan<- sensing.Reading) (err error) {
	defer func() {
		if e := s.port.Close(); err == nil {
			err = e
		}
	}()
	buf := make([]byte, 512)
	for ctx.Err() == nil {
		if err := s.ask(); err != nil {
			return err
		}
		before := time.Now()
		n, err := s.port.Read(buf)
		if err != nil {
			return err
		}
		s.fresh = s.fresh || time.Since(before) >= prompt
		s.dec.Feed(buf[:n], s.packet)
		s.h.status.counted(&s.dec)
		if len(s.found) == 0 && time.Since(s.last) > s.h.o.Silence {
			s.silence()
		}
		for _, r := range s.found {
			if err := send(ctx, out, r); err != nil {
				return err
			}
		}
		s.found = s.found[:0]
	}
	return ctx.Err()
}

// askLimit is the most questions to an unknown hub. They must fit the kernel's buffer of 4096 bytes if nobody ever
// reads them, because a write to a full serial line blocks for ever.
const askLimit = 60

// ask asks the hub for its hello until it has come, and for the wanted rate.
func (s *session) ask() error {
	if s.asks == askLimit || time.Since(s.asked) < askEvery || s.h.status.satisfied(s.h.o.Rate) {
		return nil
	}
	s.asks++
	s.asked = time.Now()
	_, err := s.port.Write(protocol.AppendRate(protocol.AppendAsk([]byte{0}), s.h.o.Rate))
	return err
}

// packet takes in one good packet.
func (s *session) packet(p protocol.Packet) {
	if p.Version() != protocol.Version {
		s.h.status.stranger(p.Version())
		return
	}
	switch p.Type() {
	case protocol.TypeHello:
		hello, err := p.Hello()
		s.h.status.hello(hello, err)
		s.asks = 0
	case protocol.TypeWeights:
		var w protocol.Weights
		if err := p.Weights(&w); err != nil {
			s.h.status.malformed(err)
			return
		}
		s.weights(&w)
	}
}

// weights takes in one frame of counts, unless it repeats the one before.
func (s *session) weights(w *protocol.Weights) {
	if s.good && w.Seq == s.seq {
		s.h.status.repeated()
		return
	}
	now := time.Now()
	s.h.status.frame(w, s.good, w.Seq-s.seq-1, now.Sub(s.last))
	at := now
	ms := time.Duration(w.Millis-s.millis) * time.Millisecond
	if late := now.Sub(s.at.Add(ms)); s.good && late > 0 && (!s.fresh || late > tardy && ms < time.Second) {
		at = now.Add(-late)
	}
	s.good, s.seq, s.last, s.bytes = true, w.Seq, now, s.dec.Bytes
	s.at, s.millis, s.fresh = at, w.Millis, false
	r := sensing.Reading{At: at, Kind: s.h.kind}
	for cell := range (known(w) & s.h.cells).Squares() {
		sq := cell
		if s.h.o.Scale {
			sq = scale.Squares[cell]
		}
		r.Known |= sq.Bit()
		r.Value[sq] = int32(math.Round(float64(w.Raw[cell]) * s.h.o.PerCount))
	}
	s.found = append(s.found, r)
}

// known returns the cells that answered with a valid count.
func known(w *protocol.Weights) rules.Bitboard {
	if w.Flags&protocol.FlagSlow != 0 {
		return 0
	}
	return rules.Bitboard(^w.Absent &^ saturated(w))
}

func saturated(w *protocol.Weights) uint64 {
	var b uint64
	for i, v := range w.Raw {
		if v == protocol.RawMin || v == protocol.RawMax {
			b |= 1 << i
		}
	}
	return b &^ w.Absent
}

// silence sends, once per span of silence, a reading in which nothing is known.
func (s *session) silence() {
	if time.Since(s.silent) < s.h.o.Silence {
		return
	}
	s.silent = time.Now()
	s.h.status.silent(s.dec.Bytes-s.bytes, s.good, s.silent.Sub(s.last))
	s.found = append(s.found, s.h.unknown())
}

func (h *Hub) unknown() sensing.Reading { return sensing.Reading{At: time.Now(), Kind: h.kind} }

func send(ctx context.Context, out chan<- sensing.Reading, r sensing.Reading) error {
	select {
	case out <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// squares lists the squares of a set of cells, at most eight by name. For a scale it lists the corners.
func (s *status) squares(set uint64) string {
	text := ""
	if s.cells == uint64(Corners) {
		for i, sq := range scale.Squares {
			if set>>i&1 == 1 {
				text += fmt.Sprintf(" the corner at %v (A%d of a Nano, D%d of a Mega)", sq, i, 22+i)
			}
		}
		return strings.TrimSpace(text)
	}
	for n, b := 0, set; b != 0; n, b = n+1, b&(b-1) {
		if n == 8 {
			return text + " ..."
		}
		if n > 0 {
			text += " "
		}
		text += rules.Square(bits.TrailingZeros64(b)).String()
	}
	return text
}
