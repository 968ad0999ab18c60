// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing/hub/protocol"
	"boardd/sensing/scale"
	"boardd/systemd/scratch"
)

// Hub is the virtual hub: it speaks the protocol at one end of a pseudo-terminal whose other end is the serial line.
type Hub struct {
	weigh func(w *protocol.Weights) // fills Raw and Absent
	dir   string
	stop  context.CancelFunc
	done  sync.WaitGroup
	rates chan uint8 // wishes of the host; room for 4, further ones are dropped

	mu     sync.Mutex // guards what follows
	term   *terminal  // nil while unplugged
	faults HubFaults
	start  time.Time
	seq    uint16
	rate   uint8
	full   bool // nobody reads
	fast   bool // the host has set another speed
}

// HubFaults is what is wrong with the hub or its line.
type HubFaults struct {
	Version uint8 // the protocol version to speak, if not the right one
	Old     bool  // the firmware says it is 0.9
	Silent  bool  // nothing is sent
	Repeat  bool  // every frame is sent twice
	Garble  int   // one frame in this many has a flipped bit; 0 none
	Cut     int   // one frame in this many ends early; 0 none
	Noise   bool  // random bytes instead of frames
}

// backlog is how many bytes may wait unread; a real line loses what nobody reads.
const backlog = 1024

// hubPrefix begins the names of the folders in which the lines of virtual hubs appear.
const hubPrefix = "boardd-hub-"

// startHub plugs a hub in.
func (b *Board) startHub() error {
	b.calibrate()
	scratch.Clean(os.TempDir(), hubPrefix)
	dir, err := scratch.Make(os.TempDir(), hubPrefix)
	if err != nil {
		return fmt.Errorf("virtual hub: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &Hub{dir: dir, stop: stop, rate: 80, start: time.Now(), rates: make(chan uint8, 4)}
	h.weigh = b.weigh
	b.hub = h
	b.undo = append(b.undo, h.close)
	if err := h.Plug(); err != nil {
		return err
	}
	h.done.Go(func() { h.run(ctx) })
	return nil
}

// Path is the line's name; it is a link that moves with every plugging in, as /dev/serial/by-id has them.
func (h *Hub) Path() string { return filepath.Join(h.dir, "hub") }

// Plug plugs the hub in: a new terminal appears under the old name, and the hub says hello.
func (h *Hub) Plug() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.term != nil {
		return errors.New("plug hub in: it is plugged in")
	}
	t, err := openTerminal()
	if err != nil {
		return fmt.Errorf("virtual hub: %w", err)
	}
	if err := os.Symlink(t.far.Name(), h.Path()); err != nil {
		return errors.Join(fmt.Errorf("virtual hub: %w", err), t.close())
	}
	h.term = t
	h.done.Go(func() { h.listen(t) })
	h.hello()
	return nil
}

// Unplug pulls the plug: the line hangs up and its name is gone.
func (h *Hub) Unplug() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.term == nil {
		return errors.New("unplug hub: it is not plugged in")
	}
	t := h.term
	h.term = nil
	return errors.Join(os.Remove(h.Path()), t.close())
}

// SetFaults replaces the faults.
func (h *Hub) SetFaults(f HubFaults) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = f
}

func (h *Hub) close() error {
	h.stop()
	h.mu.Lock()
	plugged := h.term != nil
	h.mu.Unlock()
	var err error
	if plugged {
		err = h.Unplug()
	}
	h.done.Wait()
	return errors.Join(err, os.RemoveAll(h.dir))
}

// run makes frames until ctx ends.
func (h *Hub) run(ctx context.Context) {
	tick := time.NewTicker(time.Second / 80)
	defer tick.Stop()
	var w protocol.Weights
	var buf []byte
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-h.rates:
			h.setRate(r)
			tick.Reset(time.Second / time.Duration(r))
		case now := <-tick.C:
			buf = h.frame(now, &w, buf[:0])
		}
	}
}

func (h *Hub) setRate(r uint8) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rate = r
	h.hello()
}

// frame makes a frame and sends it if anybody listens.
func (h *Hub) frame(now time.Time, w *protocol.Weights, buf []byte) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	if h.term == nil || h.faults.Silent || !h.heard() {
		return buf
	}
	*w = protocol.Weights{Seq: h.seq, Rate: h.rate, Millis: uint32(now.Sub(h.start).Milliseconds())}
	h.weigh(w)
	buf = protocol.AppendWeights(buf, w)
	h.put(h.spoil(buf))
	if h.faults.Repeat {
		h.put(buf)
	}
	return buf
}

// heard reports whether somebody takes the frames off the line, at the right speed or not; it looks at every eighth
// frame.
func (h *Hub) heard() bool {
	if h.seq%8 == 0 {
		h.full, h.fast = h.term.unread() > backlog, !h.term.rightBaud()
	}
	return !h.full
}

// spoil does to a frame what the faults ask for.
func (h *Hub) spoil(f []byte) []byte {
	f = h.faults.revise(f)
	hit := func(n int) bool { return n > 0 && int(h.seq)%n == 0 }
	if hit(h.faults.Garble) {
		f[int(h.seq)%(len(f)-1)] ^= 0x10
	}
	if hit(h.faults.Cut) {
		f = f[:len(f)/2]
	}
	if h.faults.Noise || h.fast {
		for i := range f {
			f[i] = byte(physics.Mix(uint64(h.seq), uint64(i)))
		}
	}
	return f
}

// put sends bytes; what does not fit is lost, as on a line without flow control.
func (h *Hub) put(b []byte) { h.term.offer(b) }

// hello says who the hub is. The hub is locked.
func (h *Hub) hello() {
	if h.term == nil || h.faults.Silent {
		return
	}
	who := protocol.Hello{Major: 1, Minor: 1, Cells: protocol.Cells, Rates: 3, Rate: h.rate, Cause: protocol.CausePower,
		Name: "virtual hub"}
	if h.faults.Old {
		who.Major, who.Minor = 0, 9
	}
	h.put(h.spoil(protocol.AppendHello(nil, &who)))
}

// listen answers the host until the line hangs up.
func (h *Hub) listen(t *terminal) {
	var dec protocol.Decoder
	buf := make([]byte, 256)
	for {
		n, err := t.near.Read(buf)
		if err != nil {
			return
		}
		dec.Feed(buf[:n], h.asked)
	}
}

// asked takes one packet of the host.
func (h *Hub) asked(p protocol.Packet) {
	if p.Version() != protocol.Version {
		return
	}
	switch p.Type() {
	case protocol.TypeAsk:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.hello()
	case protocol.TypeRate:
		r, err := p.Rate()
		if err != nil || r != 10 && r != 80 {
			return
		}
		select {
		case h.rates <- r:
		default:
		}
	}
}

// revise makes the frame say another version of the protocol.
func (f *HubFaults) revise(frame []byte) []byte {
	if f.Version == 0 {
		return frame
	}
	return protocol.Revise(frame, f.Version)
}

// calibrate gives the cells their offsets and gains: 2 counts a milligram from 0, or as cells are bought.
func (b *Board) calibrate() {
	b.mu.Lock()
	defer b.mu.Unlock()
	rnd := rand.New(rand.NewPCG(b.o.Seed, 0x626f617264))
	for i := range b.scale {
		c := &b.scale[i]
		c.gain = 2
		if b.o.Kind == Scale {
			c.gain = 0.4
		}
		if b.o.Uneven {
			c.gain *= 1 + 0.1*(rnd.Float64()-0.5)
			c.offset = 200000 * (rnd.Float64() - 0.5)
		}
	}
}

// weigh gives the counts of all cells.
func (b *Board) weigh(w *protocol.Weights) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for i, c := range b.scale {
		mg, ok := 0.0, false
		switch {
		case b.o.Kind != Scale:
			mg, ok = b.world.Weight(now, rules.Square(i))
		case i < scale.Corners:
			mg, ok = b.world.Corner(now, scale.Squares[i])
		}
		if !ok {
			w.Absent |= 1 << i
			continue
		}
		v := math.Round(c.offset + c.gain*mg)
		if mg == physics.Full {
			v = protocol.RawMax
		}
		w.Raw[i] = int32(max(protocol.RawMin, min(protocol.RawMax, v)))
	}
}
