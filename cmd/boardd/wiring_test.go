// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/leds"
	"boardd/leds/chain"
	"boardd/rules"
	"boardd/sensing/calibration"
	"boardd/sensing/reeds"
)

// TestReferenceWiring: configuration and drivers have the same wiring for the reference boards.
func TestReferenceWiring(t *testing.T) {
	c := config.Default()
	for k, w := range c.ReedChips() {
		if want := reeds.Wiring(k); !slices.Equal(w.Squares, want[:]) || w.Address != 0x20+uint16(k) {
			t.Errorf("tca9535 %v: %v, want %v", &w, w.Squares, want)
		}
	}
	c.Reeds = "mcp23017"
	for k, w := range c.ReedChips() {
		m := reeds.Wiring14(k)
		want := slices.DeleteFunc(m[:], func(sq rules.Square) bool { return sq == rules.NoSquare })
		if !slices.Equal(w.Squares, want) || w.Address != 0x20+uint16(k) {
			t.Errorf("mcp23017 %v: %v, want %v", &w, w.Squares, want)
		}
	}
	c.Kind = "twin"
	for rank, m := range c.HeightChips() {
		for file, sq := range m.Squares {
			if m.Address != 0x70+uint16(rank) || sq != rules.SquareAt(file, rank) {
				t.Errorf("multiplexer %v, channel %d: %v", &m, file, sq)
			}
		}
	}
}

// TestWiredByHand: expanders at other addresses, with their squares in another order, are read as the configuration
// says.
func TestWiredByHand(t *testing.T) {
	bus := wires.New("by-hand", 400*physic.KiloHertz).Untimed()
	opened := func() (i2c.BusCloser, error) { return openBus{bus}, nil }
	if err := i2creg.Register("by-hand", nil, -1, opened); err != nil {
		t.Fatal(err)
	}
	defer i2creg.Unregister("by-hand") //nolint:errcheck // it is there
	pin := wires.NewPin("by-hand-int")
	closed := map[uint16]uint16{0x27: 1 << 0, 0x21: 1 << 15, 0x74: 1 << 3, 0x20: 0}
	for addr, bits := range closed {
		bus.Attach(addr, chips.NewTCA9535(func() uint16 { return ^bits }, pin))
	}
	c, err := config.Parse("it", []byte(`
hardware:
  kind: reeds
  i2c: by-hand
  int: ""
  spi: ""
  expanders:
    - 0x27 h8-a7
    - 0x21 a5-a6 b5-b6 c5-c6 d5-d6 e5-e6 f5-f6 g5-g6 h5-h6 # by files
    - 0x74 a3-h4
    - 0x20 a1-h2
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // nothing was changed
	bank, ok := r.Sources[0].(*reeds.Bank)
	if !ok {
		t.Fatalf("the first source is %T", r.Sources[0])
	}
	got := bank.Sweep()[0]
	h8, h6, d3 := rules.SquareAt(7, 7), rules.SquareAt(7, 5), rules.SquareAt(3, 2)
	if want := h8.Bit() | h6.Bit() | d3.Bit(); got.Closed != want || got.Known != ^rules.Bitboard(0) {
		t.Errorf("closed %016x, known %016x; want %016x, all", uint64(got.Closed), uint64(got.Known), uint64(want))
	}
}

// openBus is a bus that stays open for others when it is closed.
type openBus struct{ *wires.Bus }

func (openBus) Close() error { return nil }

// TestLeastCap: the least current that the configuration accepts is enough for one light at full white. A milliampere
// less is not.
func TestLeastCap(t *testing.T) {
	for kind, least := range map[string]int{"stack": 114, "twin": 178} {
		c, err := config.Parse("it", fmt.Appendf(nil, "hardware: {kind: %s}\nleds: {cap_ma: %d}\n", kind, least))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := config.Parse("it", fmt.Appendf(nil, "hardware: {kind: %s}\nleds: {cap_ma: %d}\n", kind,
			least-1)); err == nil {
			t.Errorf("%s: %d mA is taken", kind, least-1)
		}
		var f leds.Frame
		f[0][0] = leds.Color{R: 255, G: 255, B: 255}
		decks := map[string]int{"stack": 1, "twin": 2}[kind]
		for ma, want := range map[int]byte{c.CapMA: 255, c.CapMA - 1: 249} {
			line, err := chain.New(chain.Opts{Decks: decks, Brightness: 1, Gamma: c.Gamma, CapMA: ma})
			if err != nil {
				t.Fatal(err)
			}
			if got := line.Encode(&f)[0]; got != want {
				t.Errorf("%s with %d mA: one white light is sent %d, want %d", kind, ma, got, want)
			}
		}
	}
}

// TestCalibrationBelongsToAWiring: a calibration from another wiring of the chips is not used.
func TestCalibrationBelongsToAWiring(t *testing.T) {
	c := config.Default()
	cal := calibration.New()
	cal.Kind = c.Kind
	if err := rig.Fits(&cal, &c); err != nil {
		t.Error(err)
	}
	c.Expanders = []string{"0x24 a1-h2", "0x21 a3-h4", "0x22 a5-h6", "0x23 a7-h8"}
	if err := rig.Fits(&cal, &c); err == nil || !strings.Contains(err.Error(), "calibrate --anew") {
		t.Errorf("got %v", err)
	}
	cal.Wired = c.WiringLine()
	text, err := cal.Marshal("")
	if err != nil {
		t.Fatal(err)
	}
	if cal, _, err = calibration.Unmarshal("it", text); err != nil {
		t.Fatal(err)
	}
	if err := rig.Fits(&cal, &c); err != nil {
		t.Error(err)
	}
}
