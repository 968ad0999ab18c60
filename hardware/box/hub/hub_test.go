// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"net"
	"testing"
	"time"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/hub/protocol"
)

// hubLine is what the emulator has of the hub.
type hubLine struct {
	*testing.T
	conn net.Conn
	dec  protocol.Decoder
}

// await reads until a packet fits.
func (h *hubLine) await(what string, fits func(protocol.Packet) bool) {
	h.Helper()
	must(h.T, h.conn.SetReadDeadline(time.Now().Add(5*time.Minute))) // it comes at once; the computer may be busy
	buf := make([]byte, 256)
	for found := false; !found; {
		n, err := h.conn.Read(buf)
		if err != nil {
			h.Fatalf("no packet %s: %v", what, err)
		}
		h.dec.Feed(buf[:n], func(p protocol.Packet) { found = found || fits(p) })
	}
}

// weighs waits for a frame in which a square carries something or nothing: a pawn is 40000 counts, noise is below
// 1000.
func (h *hubLine) weighs(sq rules.Square, loaded bool) {
	h.Helper()
	var w protocol.Weights
	h.await("with the weight of "+sq.String(), func(p protocol.Packet) bool {
		return p.Type() == protocol.TypeWeights && p.Weights(&w) == nil && w.Absent == 0 && (w.Raw[sq] > 30000) == loaded
	})
}

// TestFirmware: what stands on the virtual board is weighed by the hub's own firmware, which begins again when it is
// plugged in.
func TestFirmware(t *testing.T) {
	t.Chdir("../../..")
	dir := t.TempDir()
	must(t, Build(dir))
	b, err := virtual.New(virtual.Options{Name: "firmware-test"})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close()) })
	f, err := Open(dir, b.Hub())
	must(t, err)
	near, far := net.Pipe()
	joined := make(chan error, 1)
	go func() { joined <- f.Join(far) }()
	t.Cleanup(func() {
		near.Close()
		must(t, f.Close())
		<-joined
	})
	h := &hubLine{T: t, conn: near}
	const e4 = rules.Square(28)
	h.weighs(e4, false)
	must(t, b.Take("right", []byte("P")))
	must(t, b.Place("right", sensing.Lower, e4))
	h.weighs(e4, true)

	must(t, f.Unplug())
	if err := f.Unplug(); err == nil {
		t.Error("a hub that is not plugged in was pulled out")
	}
	must(t, b.Lift("right", sensing.Lower, e4, 1))
	must(t, f.Plug())
	h.await("that says who is there after power-on", func(p protocol.Packet) bool {
		if p.Type() != protocol.TypeHello {
			return false
		}
		who, err := p.Hello()
		return err == nil && who.Cause == protocol.CausePower
	})
	h.weighs(e4, false)
	f.Hang()
	h.await("that says that the watchdog has started it anew", func(p protocol.Packet) bool {
		if p.Type() != protocol.TypeHello {
			return false
		}
		who, err := p.Hello()
		return err == nil && who.Cause == protocol.CauseWatchdog
	})
	h.weighs(e4, false)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
