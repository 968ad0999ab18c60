// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"boardd/config"
	"boardd/hardware/virtual"
	"boardd/rules/say"
)

// TestFind: each kind of board is told from what answers, and what was found opens as a real board.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		name string
		kind virtual.Kind
		chip string
		want string
		say  string
	}{
		{"found-stack", virtual.Stack, "tca9535", "stack", ""},
		{"found-twin", virtual.Twin, "tca9535", "twin", ""},
		{"found-reeds", virtual.Reeds, "tca9535", "reeds", "no weight hub"},
		{"found-scale", virtual.Scale, "tca9535", "scale", ""},
		{"found-mcp", virtual.Stack, "mcp23017", "stack", ""},
	} {
		v, err := virtual.New(virtual.Options{Name: c.name, Kind: c.kind, Expanders: c.chip})
		if err != nil {
			t.Fatal(err)
		}
		serial := []string{"/dev/null/nothing"}
		hubbed := c.kind == virtual.Stack || c.kind == virtual.Scale
		if hubbed {
			serial = append(serial, v.Hub())
		}
		f := Find(t.Context(), serial)
		conf := config.Default()
		f.Configure(&conf)
		if f.Kind != c.want || conf.Kind != c.want || conf.I2C != v.I2C() || conf.Virtual || conf.Reeds != c.chip ||
			!slices.Contains(f.SPI, v.SPI()) {
			t.Errorf("%s: got %+v, configured %+v", c.name, f, conf)
		}
		said := say.List("\n", f.Say...).English
		if c.say != "" && !strings.Contains(said, c.say) || c.say == "" && said != "" {
			t.Errorf("%s: said %q, want %q", c.name, said, c.say)
		}
		if conf.Hub = v.Hub(); hubbed && !slices.Contains(f.Hubs, v.Hub()) {
			t.Errorf("%s: hubs %v, want %s among them", c.name, f.Hubs, v.Hub())
		}
		conf.Int, conf.SPI, conf.StateDir = v.Int(), v.SPI(), t.TempDir()
		r, err := Open(&conf, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFindNothing: with nothing connected it says what to connect, and the board is a virtual one.
func TestFindNothing(t *testing.T) {
	f := Find(context.Background(), nil)
	c := config.Default()
	f.Configure(&c)
	if f.Kind != "" || !c.Virtual || len(f.Say) == 0 {
		t.Errorf("got %+v, virtual %v", f, c.Virtual)
	}
	empty := Found{Empty: []string{"I2C1"}}
	empty.conclude()
	if len(empty.Say) != 1 || !strings.Contains(empty.Say[0].English, "I2C1: connect SDA, SCL, 3.3 V and ground") {
		t.Errorf("a bus without a board: %q", empty.Say)
	}
	few := Found{Buses: []FoundBus{{Name: "I2C1", Expanders: []uint16{0x20, 0x21, 0x23}}}, SPI: []string{"SPI0.0"},
		Hubs: []string{"/dev/x"}}
	few.conclude()
	if few.Kind != "stack" || len(few.Say) != 1 || !strings.Contains(few.Say[0].English, "3 of 4 expanders") {
		t.Errorf("a chip that is missing: %+v", few)
	}
}
