// SPDX-License-Identifier: Apache-2.0

package pca9548_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/wires"
	"boardd/sensing/pca9548"
)

// tag is a chip that answers with its own number, so that it shows who was reached.
type tag byte

func (c tag) Tx(_, r []byte) {
	for i := range r {
		r[i] = byte(c)
	}
}

const addr = 0x29

// rack is two multiplexers with a chip of the same address on every channel: number 16 * mux + channel.
type rack struct {
	bus   *wires.Bus
	muxes [2]*wires.PCA9548
	group *pca9548.Group
}

func newRack(t *testing.T) *rack {
	r := &rack{bus: wires.New("rack", 400*physic.KiloHertz).Untimed()}
	for i := range r.muxes {
		r.muxes[i] = wires.NewPCA9548()
		for ch := range 8 {
			r.muxes[i].Attach(ch, addr, tag(16*i+ch))
		}
		r.bus.Attach(0x70+uint16(i), r.muxes[i])
	}
	g, err := pca9548.New(r.bus, 0x70, 0x71)
	if err != nil {
		t.Fatal(err)
	}
	r.group = g
	return r
}

// ask reads from a chip and says what went wrong.
func (r *rack) ask(mux, ch int) error {
	var b [1]byte
	if err := r.group.Channel(mux, ch).Tx(addr, []byte{0}, b[:]); err != nil {
		return err
	}
	if want := byte(16*mux + ch); b[0] != want {
		return fmt.Errorf("chip %d answered instead of %d", b[0], want)
	}
	return nil
}

// TestNeverTwoAnswersAtOnce: two open multiplexers would answer with the AND of both chips, and 0x00 & 0x10 is chip 0.
func TestNeverTwoAnswersAtOnce(t *testing.T) {
	r := newRack(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		if err := r.ask(rnd.IntN(2), rnd.IntN(8)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLeftOpenBySomebodyElse: the same, after an earlier program left both open.
func TestLeftOpenBySomebodyElse(t *testing.T) {
	r := newRack(t)
	for i, m := range []byte{0xff, 0x0f} {
		if err := r.bus.Tx(0x70+uint16(i), []byte{m}, nil); err != nil {
			t.Fatal(err)
		}
	}
	g, err := pca9548.At(r.bus, 0x70, 0x71)
	if err != nil {
		t.Fatal(err)
	}
	r.group = g
	if err := r.ask(1, 2); err != nil {
		t.Error(err)
	}
}

func TestRunOnOneChannelSelectsOnce(t *testing.T) {
	r := newRack(t)
	before := r.bus.Counters().Transactions
	for range 10 {
		if err := r.ask(1, 5); err != nil {
			t.Fatal(err)
		}
	}
	if n := r.bus.Counters().Transactions - before; n != 11 {
		t.Errorf("got %d transactions for 10 transfers, want 11", n)
	}
}

func TestResetIsMendedWithinTheTransfer(t *testing.T) {
	r := newRack(t)
	if err := r.ask(0, 3); err != nil {
		t.Fatal(err)
	}
	r.muxes[0].Reset()
	if err := r.ask(0, 3); err != nil {
		t.Error(err)
	}
	if h := r.group.Health()[0]; h.Errors != 1 || !strings.Contains(h.Detail, "reset once") {
		t.Errorf("got %+v, want one reset", h)
	}
}

func TestResetIsNoticedByVerify(t *testing.T) {
	r := newRack(t)
	if err := r.ask(0, 3); err != nil {
		t.Fatal(err)
	}
	if err := r.group.Verify(); err != nil {
		t.Error(err)
	}
	r.muxes[0].Reset()
	if err := r.group.Verify(); err == nil {
		t.Error("got no error after a reset")
	}
	if err := r.ask(0, 3); err != nil {
		t.Error(err)
	}
}

func TestMissingMultiplexerCostsItsChannels(t *testing.T) {
	r := newRack(t)
	r.bus.Silence(r.muxes[1], true)
	for ch := range 8 {
		if err := r.ask(1, ch); err == nil || !strings.Contains(err.Error(), "0x71") {
			t.Errorf("channel %d: got %v, want an error that names 0x71", ch, err)
		}
		if err := r.ask(0, ch); err != nil {
			t.Errorf("its neighbour's channel %d: %v", ch, err)
		}
	}
	r.muxes[1].Reset()
	r.bus.Silence(r.muxes[1], false)
	if err := r.ask(1, 7); err != nil {
		t.Error(err)
	}
	if h := r.group.Health()[1]; !h.OK || h.Errors == 0 {
		t.Errorf("got %+v, want it well again, with errors counted", h)
	}
}

// TestRefusalsGiveErrorsOrTheRightAnswer: a disturbed bus may lose transfers, but never gives another chip's answer.
func TestRefusalsGiveErrorsOrTheRightAnswer(t *testing.T) {
	r := newRack(t)
	r.bus.SetFaults(wires.Faults{NackEvery: 7})
	rnd := rand.New(rand.NewPCG(3, 4))
	good := 0
	for range 3000 {
		switch err := r.ask(rnd.IntN(2), rnd.IntN(8)); {
		case err == nil:
			good++
		case strings.Contains(err.Error(), "instead of"):
			t.Fatal(err)
		}
	}
	if good < 300 {
		t.Errorf("got %d good transfers of 3000", good)
	}
}

func TestAddresses(t *testing.T) {
	bus := wires.New("rack", physic.KiloHertz)
	for _, a := range [][]uint16{{0x6f}, {0x78}, {0x70, 0x70}} {
		if _, err := pca9548.At(bus, a...); err == nil {
			t.Errorf("addresses %x: got no error", a)
		}
	}
}

// ear is a chip that remembers what was written to it.
type ear struct{ heard []byte }

func (c *ear) Tx(w, _ []byte) { c.heard = append(c.heard, w...) }

func TestSeveralChannelsHearOneTransfer(t *testing.T) {
	r := newRack(t)
	var ears [8]ear
	for ch := range ears {
		r.muxes[1].Attach(ch, addr, &ears[ch])
	}
	if err := r.group.Channels(1, 0b10100101).Tx(addr, []byte{7}, nil); err != nil {
		t.Fatal(err)
	}
	for ch := range ears {
		if got, want := len(ears[ch].heard) == 1, 0b10100101>>ch&1 == 1; got != want {
			t.Errorf("channel %d: heard it %v, want %v", ch, got, want)
		}
	}
	if err := r.group.Channels(1, 0b11).Tx(addr, []byte{7}, make([]byte, 1)); err == nil ||
		!strings.Contains(err.Error(), "several channels") {
		t.Errorf("reading from two channels: got %v, want a refusal", err)
	}
	if err := r.ask(0, 3); err != nil {
		t.Errorf("one channel after several: %v", err)
	}
	if got := r.group.Channel(1, 5).String(); got != "rack-pca9548-71-5" {
		t.Errorf("got %q for one channel", got)
	}
}

// held is a bus on which every transfer waits.
type held struct {
	i2c.Bus
	waits, goOn chan struct{}
}

func (b held) Tx(uint16, []byte, []byte) error {
	b.waits <- struct{}{}
	<-b.goOn
	return nil
}

// TestHealthWhileTheBusIsHeld: Health does not wait for a stuck bus.
func TestHealthWhileTheBusIsHeld(t *testing.T) {
	bus := held{waits: make(chan struct{}), goOn: make(chan struct{})}
	g, err := pca9548.At(bus, 0x70)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- g.Close() }()
	<-bus.waits
	if parts := g.Health(); len(parts) != 1 || !parts[0].OK { // would wait for ever
		t.Errorf("health %+v, want one multiplexer without errors so far", parts)
	}
	close(bus.goOn)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
