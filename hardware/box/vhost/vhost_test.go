// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"bytes"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
)

// emulator is the other end of the protocol, with a guest's memory in it.
type emulator struct {
	*testing.T
	conn  *net.UnixConn
	mem   []byte
	file  int
	queue []*guestRing
	free  uint64 // of the memory
}

// guestRing is a ring as the guest's driver sees it.
type guestRing struct {
	at         uint64 // descriptors, then avail, then used, at this guest address
	kick, call int
	given      uint16
	taken      uint16
}

const (
	size      = 8
	guestBase = 0x4000_0000
	userBase  = 0x7f00_0000_0000
	availAt   = 16 * size
	usedAt    = availAt + 64
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plug serves a device and connects an emulator to it.
func plug(t *testing.T, d Device) *emulator {
	path := filepath.Join(t.TempDir(), "sock")
	s, err := Serve(path, d, func(err error) { t.Log(err) })
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	must(t, err)
	e := &emulator{T: t, conn: c, free: 0x4000}
	t.Cleanup(func() { c.Close() })
	e.file, err = unix.MemfdCreate("guest", 0)
	must(t, err)
	must(t, unix.Ftruncate(e.file, 1<<16))
	e.mem, err = unix.Mmap(e.file, 0, 1<<16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(t, err)
	region := number(1)
	for _, n := range []uint64{guestBase, 1 << 16, userBase, 0} {
		region = le.AppendUint64(region, n)
	}
	e.ask(setMemory, region, e.file)
	for q := range d.Queues() {
		e.start(q)
	}
	return e
}

// start sets a ring up.
func (e *emulator) start(q int) {
	r := &guestRing{at: uint64(0x1000 * (q + 1))}
	var err error
	r.kick, err = unix.Eventfd(0, 0)
	must(e.T, err)
	r.call, err = unix.Eventfd(0, 0)
	must(e.T, err)
	two := func(n uint32) []byte { return le.AppendUint32(le.AppendUint32(nil, uint32(q)), n) }
	e.ask(setSize, two(size))
	e.ask(setBase, two(0))
	b := two(0)
	for _, n := range []uint64{r.at, r.at + usedAt, r.at + availAt, 0} {
		b = le.AppendUint64(b, userBase+n)
	}
	e.ask(setAddresses, b)
	e.ask(setCall, number(uint64(q)), r.call)
	e.ask(setKick, number(uint64(q)), r.kick)
	e.queue = append(e.queue, r)
}

// ask sends a request and waits until it is done.
func (e *emulator) ask(what uint32, body []byte, files ...int) []byte {
	e.Helper()
	m := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, what), 1|flagNeedsReply), uint32(len(body)))
	_, _, err := e.conn.WriteMsgUnix(append(m, body...), unix.UnixRights(files...), nil)
	must(e.T, err)
	in := make([]byte, 1<<12)
	n, err := e.conn.Read(in)
	must(e.T, err)
	if n < headSize || le.Uint32(in) != what {
		e.Fatalf("request %d: answer %x", what, in[:n])
	}
	return in[headSize:n]
}

// give puts a request with one buffer each way into a ring, by an indirect table, and gives where its answer will
// stand.
func (e *emulator) give(q int, in []byte, room int) (answer uint64) {
	r := e.queue[q]
	table := e.free
	data, answer := table+32, table+32+uint64(len(in))
	e.free += 32 + uint64(len(in)+room)
	copy(e.mem[data:], in)
	e.describe(table, guestBase+data, len(in), descNext, 1)
	e.describe(table+16, guestBase+answer, room, descWrite, 0)
	head := uint64(r.given % size)
	e.describe(r.at+16*head, guestBase+table, 32, descIndirect, 0)
	avail := e.mem[r.at+availAt:]
	le.PutUint16(avail[4+2*head:], uint16(head))
	r.given++
	publish(avail, r.given)
	return answer
}

func (e *emulator) describe(at, address uint64, n int, flags, next uint16) {
	d := le.AppendUint64(nil, address)
	d = le.AppendUint16(le.AppendUint16(le.AppendUint32(d, uint32(n)), flags), next)
	copy(e.mem[at:], d)
}

// kick tells the back end to look, and waits until this many requests came back.
func (e *emulator) kick(q, back int) {
	e.Helper()
	_, err := unix.Write(e.queue[q].kick, number(1))
	must(e.T, err)
	e.back(q, back)
}

func (e *emulator) back(q, n int) {
	e.Helper()
	r := e.queue[q]
	r.taken += uint16(n)
	for late := time.Now().Add(5 * time.Minute); index(e.mem[r.at+usedAt:]) != r.taken; {
		if time.Now().After(late) {
			e.Fatalf("ring %d: %d requests came back, want %d", q, index(e.mem[r.at+usedAt:]), r.taken)
		}
		poll := []unix.PollFd{{Fd: int32(r.call), Events: unix.POLLIN}}
		if n, _ := unix.Poll(poll, 100); n > 0 {
			_, err := unix.Read(r.call, make([]byte, 8))
			must(e.T, err)
		}
	}
}

// i2c is one message of a transaction.
func i2c(addr uint16, flags uint32, data ...byte) []byte {
	m := le.AppendUint16(nil, addr<<1)
	return append(le.AppendUint32(append(m, 0, 0), flags), data...)
}

// TestTransaction reads an expander as Linux's driver does: a write that goes on, and a read.
func TestTransaction(t *testing.T) {
	bus := wires.New("test", 0).Untimed()
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return 0x5aa5 }, nil))
	e := plug(t, NewI2C(bus))
	for range 3 * size {
		w := e.give(0, i2c(0x20, i2cGoesOn, 0), 1)
		r := e.give(0, i2c(0x20, i2cRead), 3)
		e.kick(0, 2)
		if got := e.mem[r : r+3]; e.mem[w] != i2cOK || !bytes.Equal(got, []byte{0xa5, 0x5a, i2cOK}) {
			t.Fatalf("status %d, read %x", e.mem[w], got)
		}
	}
	if n := bus.Counters().Transactions; n != 3*size {
		t.Errorf("%d transactions on the bus: want a write and a read to be one", n)
	}
}

// TestNobodyAnswers: both messages of a transaction fail when no chip acknowledges.
func TestNobodyAnswers(t *testing.T) {
	e := plug(t, NewI2C(wires.New("test", 0).Untimed()))
	w := e.give(0, i2c(0x21, i2cGoesOn, 0), 1)
	r := e.give(0, i2c(0x21, i2cRead), 3)
	e.kick(0, 2)
	if e.mem[w] != i2cError || e.mem[r+2] != i2cError {
		t.Errorf("status %d and %d", e.mem[w], e.mem[r+2])
	}
}

// TestHeldBus: a chip that holds the bus is told apart from one that does not acknowledge.
func TestHeldBus(t *testing.T) {
	bus := wires.New("test", 0).Untimed()
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return 0 }, nil))
	bus.Stick(1)
	e := plug(t, NewI2C(bus))
	w := e.give(0, i2c(0x20, i2cGoesOn, 0), 1)
	r := e.give(0, i2c(0x20, i2cRead), 3)
	e.kick(0, 2)
	if e.mem[w] != i2cHeld || e.mem[r+2] != i2cHeld {
		t.Errorf("status %d and %d: want %d", e.mem[w], e.mem[r+2], i2cHeld)
	}
}

func gpioAsk(what, line uint16, value uint32) []byte {
	return le.AppendUint32(le.AppendUint16(le.AppendUint16(nil, what), line), value)
}

// TestEdges: an edge goes to the guest that waits for it, and one that comes before he waits is not lost.
func TestEdges(t *testing.T) {
	pin := wires.NewPin("int")
	e := plug(t, NewGPIO([]Line{{Name: "A"}, {Name: "INT", Pin: pin}}))
	names := e.give(0, gpioAsk(gpioNames, 0, 0), 7)
	e.kick(0, 1)
	if got := string(e.mem[names : names+7]); got != "\x00A\x00INT\x00" {
		t.Errorf("names %q", got)
	}
	set := e.give(0, gpioAsk(gpioIRQ, 1, edgeFalling), 2)
	e.kick(0, 1)
	if e.mem[set] != gpioOK {
		t.Fatal("falling edges are refused")
	}
	event := e.give(1, []byte{1, 0}, 1)
	e.kick(1, 0)
	pin.Drag(true)
	e.back(1, 1)
	if e.mem[event] != eventValid {
		t.Error("the edge is not valid")
	}
	level := e.give(0, gpioAsk(gpioValue, 1, 0), 2)
	e.kick(0, 1)
	if e.mem[level+1] != 0 {
		t.Error("the line reads high")
	}
	pin.Drag(false)
	pin.Drag(true)
	event = e.give(1, []byte{1, 0}, 1)
	e.kick(1, 1)
	if e.mem[event] != eventValid {
		t.Error("the edge before the wait is lost")
	}
	event = e.give(1, []byte{1, 0}, 1)
	e.kick(1, 0)
	e.give(0, gpioAsk(gpioIRQ, 1, edgeNone), 2)
	e.kick(0, 1)
	e.back(1, 1)
	if e.mem[event] != eventDropped {
		t.Error("the wait goes on though nobody watches")
	}
}

// TestNowhere: what lies outside of the guest's memory is refused, and the back end goes on with the next emulator.
func TestNowhere(t *testing.T) {
	m := memory{{guest: 0x1000, user: 0x9000, size: 0x100, offset: 0x10, bytes: make([]byte, 0x110)}}
	for _, c := range []struct {
		at, n uint64
		user  bool
		ok    bool
	}{{0x1000, 0x100, false, true}, {0x9000, 1, true, true}, {0x10ff, 2, false, false}, {0x0fff, 1, false, false},
		{0x1000, 1, true, false}, {0x1001, ^uint64(0), false, false}, {^uint64(0), 2, false, false}} {
		b, err := m.at(c.at, c.n, c.user)
		if (err == nil) != c.ok || err == nil && uint64(len(b)) != c.n || err != nil && !errors.Is(err, errNowhere) {
			t.Errorf("%d bytes at %#x: %d, %v", c.n, c.at, len(b), err)
		}
	}
}

// FuzzChain: a guest may write anything into its descriptors.
func FuzzChain(f *testing.F) {
	f.Add([]byte{0, 0x10, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}, uint16(0))
	f.Fuzz(func(t *testing.T, table []byte, head uint16) {
		mem := memory{{guest: 0x1000, user: 0x1000, size: 0x200, bytes: make([]byte, 0x200)}}
		copy(mem[0].bytes, table)
		r := ring{size: size, desc: 0x1000}
		in, _, err := r.chain(mem, head)
		if err == nil && len(in) > 0x200<<10 {
			t.Errorf("%d bytes in", len(in))
		}
	})
}
