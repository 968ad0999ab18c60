// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/config"
	"boardd/leds/ssd1306"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/hub"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/host/v3"
)

// Found is what is connected to this computer, and what kind of board it makes.
type Found struct {
	Buses []FoundBus `json:"buses"` // those on which chips of a board answer
	Empty []string   `json:"empty"` // buses on which none does
	SPI   []string   `json:"spi"`
	Hubs  []string   `json:"hubs"` // serial devices that speak as the weight hub does
	Kind  string     `json:"kind"` // stack, twin, scale or reeds; "" where no board is
	Say   []say.Said `json:"-"`    // what is missing

	corners bool // the hub has cells at the corners alone
}

// FoundBus holds the chips that answer on one I2C bus.
type FoundBus struct {
	Name         string   `json:"name"`
	Expanders    []uint16 `json:"expanders"`
	Multiplexers []uint16 `json:"multiplexers"`
	Display      bool     `json:"display"`
}

// mcpChips is how many MCP23017 the reeds of one deck take; TCA9535 are four, or eight. The chips do not tell their
// names.
const mcpChips = 5

// SerialDevices lists the devices that a hub may be.
func SerialDevices() (list []string) {
	seen := map[string]bool{}
	for _, pattern := range []string{"/dev/boardd-hub", "/dev/serial/by-id/*", "/dev/ttyACM*", "/dev/ttyUSB*"} {
		names, _ := filepath.Glob(pattern) // the patterns are good
		for _, name := range names {
			real, err := filepath.EvalSymlinks(name)
			if err == nil && !seen[real] {
				seen[real] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// Find looks what answers on every bus, and which of the serial devices is a hub. It writes nothing to any chip.
func Find(ctx context.Context, serial []string) Found {
	var f Found
	if _, err := host.Init(); err != nil {
		f.Say = append(f.Say, say.That("the drivers of this computer cannot be loaded: %v", err))
	}
	for _, ref := range i2creg.All() {
		f.bus(ref)
	}
	for _, ref := range spiPorts() {
		f.SPI = append(f.SPI, ref.Name)
	}
	for _, name := range serial {
		if cells := cellsOfHub(ctx, name); cells != 0 {
			f.Hubs = append(f.Hubs, name)
			f.corners = cells&^hub.Corners == 0
		}
	}
	f.conclude()
	return f
}

func (f *Found) bus(ref *i2creg.Ref) {
	raw, err := ref.Open()
	if err != nil {
		f.Say = append(f.Say, say.Of(noBus("a board", "hardware.i2c", ref.Name, err)))
		return
	}
	defer raw.Close() //nolint:errcheck // nothing was changed
	b := FoundBus{Name: ref.Name}
	if len(ref.Aliases) > 0 {
		b.Name = ref.Aliases[0] // I2C1 says more than /dev/i2c-1
	}
	var reply [1]byte
	for a := uint16(0x20); a <= 0x77; a++ {
		expander, multiplexer := a <= 0x27, a >= 0x70
		if !expander && !multiplexer && a != ssd1306.Addr || bus.Classify(raw.Tx(a, nil, reply[:])) != bus.Fine {
			continue
		}
		switch {
		case expander:
			b.Expanders = append(b.Expanders, a)
		case multiplexer:
			b.Multiplexers = append(b.Multiplexers, a)
		default:
			b.Display = true
		}
	}
	if len(b.Expanders) == 0 && len(b.Multiplexers) == 0 && !b.Display {
		f.Empty = append(f.Empty, b.Name)
		return
	}
	f.Buses = append(f.Buses, b)
}

// cellsOfHub returns the cells that answer at a serial device that sends what a hub sends, none if it does not.
func cellsOfHub(ctx context.Context, name string) (cells rules.Bitboard) {
	if _, err := os.Stat(name); err != nil {
		return 0
	}
	ctx, stop := context.WithTimeout(ctx, hello)
	defer stop()
	readings := make(chan sensing.Reading, 1) // capacity 1: one is enough
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.New(hub.Opts{Path: name}).Run(ctx, readings) //nolint:errcheck // one that cannot be opened is none
	}()
	for cells == 0 && ctx.Err() == nil {
		select {
		case r := <-readings:
			cells = r.Known
		case <-ctx.Done():
		}
	}
	stop()
	for {
		select {
		case <-readings:
		case <-ended:
			return cells
		}
	}
}

// sensors is the bus with the expanders, nil if there is none.
func (f *Found) sensors() *FoundBus {
	i := slices.IndexFunc(f.Buses, func(b FoundBus) bool { return len(b.Expanders) > 0 })
	if i < 0 {
		return nil
	}
	return &f.Buses[i]
}

// conclude says what kind of board it is, and what is missing.
func (f *Found) conclude() {
	b := f.sensors()
	switch {
	case b == nil && len(f.Buses)+len(f.Empty) == 0:
		f.Say = append(f.Say, say.That("this computer has no I2C bus: on a Raspberry Pi switch I2C and SPI on with "+
			"raspi-config and start it again"))
		return
	case b == nil:
		f.Say = append(f.Say, say.That("no expander of a board answers on %s: connect SDA, SCL, 3.3 V and ground of "+
			"the board, then look again", strings.Join(f.Empty, ", ")))
		return
	case len(b.Multiplexers) > 0 || len(b.Expanders) >= 8:
		f.Kind = "twin"
		f.want(len(b.Multiplexers), 8, say.Word("multiplexers of the height sensors"), b)
		f.want(len(b.Expanders), 8, say.Word("expanders of the reeds"), b)
	case len(f.Hubs) > 0 && f.corners:
		f.Kind = "scale"
	case len(f.Hubs) > 0:
		f.Kind = "stack"
	default:
		f.Kind = "reeds"
		f.Say = append(f.Say, say.That("no weight hub speaks on a serial line: without it the board senses only "+
			"whether a square is empty; plug its USB cable in, then look again"))
	}
	if f.Kind != "twin" && len(b.Expanders) != mcpChips {
		f.want(len(b.Expanders), 4, say.Word("expanders of the reeds"), b)
	}
	if len(f.SPI) == 0 {
		f.Say = append(f.Say, say.That("there is no SPI port for the lights: switch SPI on with raspi-config and start "+
			"the computer again, or play without lights"))
	}
}

func (f *Found) want(n, want int, what say.Word, b *FoundBus) {
	if n < want {
		f.Say = append(f.Say, say.That("%d of %d %s answer on %s: check the wires of the others, or tell how they are "+
			"wired in the file", n, want, what, b.Name))
	}
}

// Configure enters what was found into a configuration. Where nothing was found the board is a virtual one.
func (f *Found) Configure(c *config.Config) {
	b := f.sensors()
	if b == nil {
		c.Virtual = true
		return
	}
	c.Virtual, c.Kind, c.I2C, c.SPI = false, f.Kind, b.Name, ""
	if len(f.SPI) > 0 {
		c.SPI = f.SPI[0]
	}
	if len(f.Hubs) > 0 {
		c.Hub = f.Hubs[0]
	}
	if len(b.Expanders) == mcpChips && f.Kind != "twin" {
		c.Reeds = "mcp23017"
	}
	for _, d := range f.Buses {
		if d.Display {
			c.Display = d.Name
		}
	}
	if gpioreg.ByName(c.Int) == nil {
		c.Int = "" // no pins here: the expanders are polled
	}
}
