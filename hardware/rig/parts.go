// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"boardd/config"
	"boardd/config/names"
	"boardd/hardware/virtual"
	"boardd/hardware/virtual/physics"
	"boardd/leds/chain"
	"boardd/leds/ssd1306"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing/bus"
	"boardd/sensing/button"
	"boardd/sensing/heights"
	"boardd/sensing/hub"
	"boardd/sensing/reeds"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/host/v3"
)

// part is one thing of a rig that is opened by itself.
type part struct {
	Name string // for people
	Open func() error
}

// Parts is what has to be opened, in this order. A part that the configuration does not want opens nothing.
func (r *Rig) Parts(c *config.Config, log *slog.Logger) []part {
	return []part{
		called("drivers of this computer", func() error { return r.openComputer(c) }),
		called("bus of the sensors", func() error { return r.openBus(c) }),
		called("reeds and their interrupt", func() error { return r.openReeds(c, log) }),
		called("hub", func() error { return r.openHub(c) }),
		called("height sensors", func() error { return r.openHeights(c) }),
		called("line of the lights", func() error { return r.openLights(c) }),
		called("display", func() error { return r.openDisplay(c) }),
		called("clock buttons", func() error { return r.openButtons(c) }),
	}
}

// called is a part by its name, which the catalogue has in other languages.
func called(name string, open func() error) part { return part{name, open} }

// openComputer makes buses and pins known: those of a virtual board, or those of this computer.
func (r *Rig) openComputer(c *config.Config) error {
	if c.Virtual {
		return r.openVirtual(c)
	}
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("cannot load the drivers of this computer: %w", err)
	}
	return nil
}

// openVirtual makes the virtual board and points the names at it.
func (r *Rig) openVirtual(c *config.Config) error {
	kind := map[string]virtual.Kind{"stack": virtual.Stack, "twin": virtual.Twin, "reeds": virtual.Reeds,
		"scale": virtual.Scale}[c.Kind]
	o := virtual.Options{Name: c.Board, Kind: kind, CubeHeight: r.Geometry.CubeHeight, Weights: map[byte]int32{},
		Serpentine: c.Serpentine, Expanders: c.Reeds}
	for letter, mg := range r.Geometry.Mass {
		if mg != 0 {
			o.Weights[byte(letter)] = mg
		}
	}
	if c.Level != "" && c.Level != "bench" {
		var err error
		if o.Level, err = physics.LevelByName(c.Level); err != nil {
			return err
		}
		r.Geometry.MassSpread = max(r.Geometry.MassSpread, int32(o.Level.PieceMass))
		r.Geometry.CellNoise = max(r.Geometry.CellNoise, int32(o.Level.CellNoise))
		if c.Kind == "scale" {
			r.Geometry.CellNoise = max(r.Geometry.CellNoise, int32(physics.CornerNoise*o.Level.CellNoise))
		}
		r.Geometry.RangeNoise = max(r.Geometry.RangeNoise, int32(1000*o.Level.RangeNoise))
	}
	b, err := virtual.New(o)
	if err != nil {
		return err
	}
	r.Virtual = b
	r.close = append(r.close, b.Close)
	c.I2C, c.SPI, c.Int, c.Hub = b.I2C(), b.SPI(), b.Int(), b.Hub()
	c.SCL, c.SDA = b.Recovery()
	c.WhiteButton, c.BlackButton = b.Button(0), b.Button(1)
	if c.Display != "" {
		c.Display = b.I2C()
	}
	return nil
}

// openBus opens the bus of the sensors, and the pins that free it when it hangs.
func (r *Rig) openBus(c *config.Config) error {
	raw, err := i2creg.Open(c.I2C)
	if err != nil {
		return noBus("the sensors", "hardware.i2c", c.I2C, err)
	}
	r.close = append(r.close, raw.Close)
	bo := bus.Opts{}
	if c.SCL != "" {
		scl, sda := gpioreg.ByName(c.SCL), gpioreg.ByName(c.SDA)
		if scl == nil || sda == nil {
			return say.Error("there are no GPIOs %q and %q to free the bus: name others in hardware.scl and hardware.sda, "+
				"or leave both empty", c.SCL, c.SDA)
		}
		bo.Recover = bus.NineClocks(scl, sda)
	}
	r.Bus = bus.New(raw, bo)
	return nil
}

func (r *Rig) openReeds(c *config.Config, log *slog.Logger) error {
	if r.Bus == nil {
		return nil // said of the bus
	}
	chips, err := expanders(r.Bus, c)
	if err != nil {
		log.Warn("some expanders do not answer; their squares are unknown until they do", "error", err)
	}
	o := reeds.Opts{First: r.Virtual == nil}
	if r.Geometry.Heights {
		// The height sensors share the bus: a sweep of both decks takes a millisecond. They measure without a pause while
		// pieces move.
		o.Active = besideHeights
		o.Moved = func() {
			if r.Eyes != nil { // they are opened after the reeds, and may be missing
				r.Eyes.NoteMotion()
			}
		}
	}
	if c.Int != "" {
		pin := gpioreg.ByName(c.Int)
		if pin == nil {
			return say.Error("there is no GPIO %q for the expanders' INT: name another in hardware.int, or leave it empty",
				c.Int)
		}
		o.INT = pin
	}
	bank, err := reeds.New(chips, o)
	if err == nil {
		r.Sources = append(r.Sources, bank)
	}
	return err
}

// expanders are the chips of the reeds, as configured. Those that do not answer are in the list as well, for the bank
// tries them again.
func expanders(b *bus.Bus, c *config.Config) (chips []reeds.Chip, err error) {
	var errs []error
	for _, w := range c.ReedChips() {
		chip := reeds.Chip{Expander: expanderDrivers[c.Reeds](b, w.Address), Deck: w.Deck}
		for i := range chip.Squares {
			chip.Squares[i] = rules.NoSquare
		}
		for i, sq := range w.Squares {
			chip.Squares[w.Inputs[i]] = sq
		}
		errs = append(errs, chip.Expander.Setup())
		chips = append(chips, chip)
	}
	return chips, errors.Join(errs...)
}

func (r *Rig) openHeights(c *config.Config) error {
	if c.Kind != "twin" || r.Bus == nil {
		return nil
	}
	var o heights.Opts
	var at [64][2]int
	for m, w := range c.HeightChips() {
		o.Muxes = append(o.Muxes, w.Address)
		for channel, sq := range w.Squares {
			if sq != rules.NoSquare {
				at[sq] = [2]int{m, channel}
			}
		}
	}
	o.First = r.Virtual == nil
	o.Wiring = func(sq rules.Square) (mux, channel int) { return at[sq][0], at[sq][1] }
	bank, err := heights.New(r.Bus, o)
	if err == nil {
		r.Eyes = bank
		r.Sources = append(r.Sources, bank)
	}
	return err
}

func (r *Rig) openHub(c *config.Config) error {
	if c.Kind == "stack" || c.Kind == "scale" {
		r.Sources = append(r.Sources, hub.New(hub.Opts{Path: c.Hub, Scale: c.Kind == "scale"}))
	}
	return nil
}

func (r *Rig) openDisplay(c *config.Config) error {
	if c.Display == "" {
		return nil
	}
	b, err := i2creg.Open(c.Display)
	if err != nil {
		return noBus("the display", "hardware.display", c.Display, err)
	}
	r.close = append(r.close, b.Close)
	d, err := ssd1306.New(b, nil)
	if err != nil {
		return say.Error("the display does not answer: %v; check its wires, or leave hardware.display empty", err)
	}
	r.Display = d
	return nil
}

func (r *Rig) openButtons(c *config.Config) error {
	for _, b := range []struct{ side, pin string }{{"white", c.WhiteButton}, {"black", c.BlackButton}} {
		if b.pin == "" {
			continue
		}
		pin := gpioreg.ByName(b.pin)
		if pin == nil {
			return say.Error("there is no GPIO %q for %s's clock button: name another in hardware.%s_button", b.pin, b.side,
				b.side)
		}
		k, err := button.New(b.side, pin, button.Opts{})
		if err != nil {
			return err
		}
		r.buttons = append(r.buttons, k)
	}
	return nil
}

// noBus says why an I2C bus cannot be opened, and which there are.
func noBus(of, setting, name string, err error) error {
	var all []string
	known := false
	for _, ref := range i2creg.All() {
		all = append(all, ref.Name)
		known = known || isNamed(name, ref.Name, ref.Aliases, ref.Number)
	}
	switch {
	case len(all) == 0:
		return say.Error("there is no I2C bus %q for %s (%s), nor any other: switch I2C on with raspi-config", name, of,
			setting)
	case !known:
		return say.Error("there is no I2C bus %q for %s: name one of %s in %s", name, of, strings.Join(all, ", "),
			setting)
	}
	if strings.Contains(err.Error(), "permission denied") { // what it wraps is lost on the way
		return say.Error("this user may not open the I2C bus %q of %s (%s): let the service run boardd, or put yourself "+
			"into the group i2c (sudo adduser $USER i2c) and log in again", name, of, setting)
	}
	return say.Error("cannot open the I2C bus %q of %s (%s): %v", name, of, setting, err)
}

// spiPorts returns the SPI ports of this computer to which lights may be wired. That of names.BootFlash is there even
// while those of the header are switched off.
func spiPorts() []*spireg.Ref {
	return slices.DeleteFunc(spireg.All(), func(r *spireg.Ref) bool {
		return slices.Contains(r.Aliases, names.BootFlash)
	})
}

// HasSPI reports whether this computer has an SPI port of that name, alias or number, to which lights may be wired.
// The drivers must have been loaded (host.Init).
func HasSPI(name string) bool {
	return slices.ContainsFunc(spiPorts(), func(r *spireg.Ref) bool {
		return isNamed(name, r.Name, r.Aliases, r.Number)
	})
}

// isNamed reports whether a bus or a port is meant by a name, as periph takes names.
func isNamed(name, its string, aliases []string, number int) bool {
	return its == name || slices.Contains(aliases, name) || strconv.Itoa(number) == name
}

// noPort says why the SPI port of the lights cannot be opened, and which there are.
func noPort(name string, err error) error {
	var all []string
	for _, ref := range spiPorts() {
		all = append(all, ref.Name)
	}
	switch {
	case len(all) == 0:
		return say.Error("there is no SPI port %q for the lights (hardware.spi), nor any other: switch SPI on with "+
			"raspi-config, or leave it empty for a board without lights", name)
	case !HasSPI(name):
		return say.Error("there is no SPI port %q for the lights: name one of %s in hardware.spi, or leave it empty for a "+
			"board without lights", name, strings.Join(all, ", "))
	}
	return say.Error("cannot open the SPI port %q of the lights: %v; name another in hardware.spi, or leave it empty "+
		"for a board without lights", name, err)
}

func (r *Rig) openLights(c *config.Config) error {
	if c.SPI == "" {
		return nil
	}
	port, err := spireg.Open(c.SPI)
	if err != nil {
		return noPort(c.SPI, err)
	}
	r.close = append(r.close, port.Close)
	o := chain.Opts{Decks: 1, Brightness: float64(c.Brightness) / 100, Gamma: c.Gamma, CapMA: c.CapMA}
	if r.Geometry.TwoDecks {
		o.Decks = 2
	}
	if c.Serpentine {
		o.Wiring = chain.Serpentine
	}
	r.Lights, err = lightDrivers[c.LightChip](port, &o)
	return err
}
