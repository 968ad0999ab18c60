package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"boardd/config"
	"boardd/hardware/virtual"
	"boardd/hardware/virtual/physics"
	"boardd/leds"
	"boardd/leds/apa102"
	"boardd/leds/chain"
	"boardd/leds/ssd1306"
	"boardd/leds/ws2812"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/button"
	"boardd/sensing/heights"
	"boardd/sensing/hub"
	"boardd/sensing/mcp23017"
	"boardd/sensing/reconcile"
	"boardd/sensing/reeds"
	"boardd/sensing/tca9535"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/host/v3"
)

// lamps is a line of lights.
type lamps interface {
	Show(leds.Frame) error
	Halt() error
	Shown() leds.Frame // the last picture as its bytes have it
	Current() float64  // of the last picture, in milliamperes
	Tune(brightness, gamma float64, capMA int) error
}

// rig is the hardware of one board: what senses, what shines, and what can be told from it. Real and virtual boards
// are opened by the same names in the same way.
type rig struct {
	geometry reconcile.Geometry
	sources  []sensing.Source
	bus      *bus.Bus      // in front of the sensors' bus: counts, retries, frees it
	eyes     *heights.Bank // nil: a board without height sensors
	lamps    lamps         // nil: a board without lights
	display  *ssd1306.Dev  // nil: none
	buttons  []*button.Button
	virtual  *virtual.Board // nil: a real board
	close    []func() error // last first
}

// openRig opens the buses that the configuration names. What is missing at a chip is a fault of the chip, found again and
// again until it is cured; what is missing at a bus is an error here.
func openRig(c *config.Config, log *slog.Logger) (*rig, error) {
	r := &rig{geometry: c.Geometry()}
	var err error
	if c.Virtual {
		err = r.openVirtual(c)
	} else if _, e := host.Init(); e != nil {
		err = fmt.Errorf("cannot load the drivers of this computer: %w", e)
	}
	if err == nil {
		err = r.openReeds(c, log)
	}
	if err == nil && c.Kind == "stack" {
		r.sources = append(r.sources, hub.New(hub.Opts{Path: c.Hub}))
	}
	if err == nil && c.Kind == "twin" {
		err = r.openHeights(c)
	}
	if err == nil {
		err = r.openLamps(c)
	}
	if err == nil {
		err = r.openTable(c)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// openVirtual makes the virtual board and points the names at it.
func (r *rig) openVirtual(c *config.Config) error {
	kind := map[string]virtual.Kind{"stack": virtual.Stack, "twin": virtual.Twin, "reeds": virtual.Reeds}[c.Kind]
	o := virtual.Options{Name: c.Board, Kind: kind, CubeHeight: r.geometry.CubeHeight, Weights: map[byte]int32{}, Serpentine: c.Serpentine, MCP23017: c.Reeds == "mcp23017"}
	for letter, mg := range r.geometry.Mass {
		if mg != 0 {
			o.Weights[byte(letter)] = mg
		}
	}
	if c.Level != "" && c.Level != "bench" {
		var err error
		if o.Level, err = physics.LevelByName(c.Level); err != nil {
			return err
		}
		r.geometry.MassSpread = max(r.geometry.MassSpread, int32(o.Level.PieceMass))
		r.geometry.CellNoise = max(r.geometry.CellNoise, int32(o.Level.CellNoise))
		r.geometry.RangeNoise = max(r.geometry.RangeNoise, int32(1000*o.Level.RangeNoise))
	}
	b, err := virtual.New(o)
	if err != nil {
		return err
	}
	r.virtual = b
	r.close = append(r.close, b.Close)
	c.I2C, c.SPI, c.Int, c.Hub = b.I2C(), b.SPI(), b.Int(), b.Hub()
	c.SCL, c.SDA = b.Recovery()
	c.WhiteButton, c.BlackButton = b.Button(0), b.Button(1)
	if c.Display != "" {
		c.Display = b.I2C()
	}
	return nil
}

func (r *rig) openReeds(c *config.Config, log *slog.Logger) error {
	raw, err := i2creg.Open(c.I2C)
	if err != nil {
		return fmt.Errorf("cannot open the I2C bus %q of the sensors: %w; this computer has %s", c.I2C, err, busNames())
	}
	r.close = append(r.close, raw.Close)
	bo := bus.Opts{}
	if c.SCL != "" {
		scl, sda := gpioreg.ByName(c.SCL), gpioreg.ByName(c.SDA)
		if scl == nil || sda == nil {
			return fmt.Errorf("there are no GPIOs %q and %q to free the bus: name others in hardware.scl and hardware.sda, or leave both empty", c.SCL, c.SDA)
		}
		bo.Recover = bus.NineClocks(scl, sda)
	}
	r.bus = bus.New(raw, bo)
	chips, err := expanders(r.bus, c)
	if err != nil {
		log.Warn("some expanders do not answer; their squares are unknown until they do", "error", err)
	}
	o := reeds.Opts{}
	if r.geometry.Heights {
		// The height sensors share the bus: a sweep of both decks takes a millisecond. They measure without a pause while pieces move.
		o.Active = 4 * time.Millisecond
		o.Moved = func() { r.eyes.Stir() }
	}
	if c.Int != "" {
		pin := gpioreg.ByName(c.Int)
		if pin == nil {
			return fmt.Errorf("there is no GPIO %q for the expanders' INT: name another in hardware.int, or leave it empty", c.Int)
		}
		o.INT = pin
	}
	bank, err := reeds.New(chips, o)
	r.sources = append(r.sources, bank)
	return err
}

// expanders are the chips of the reeds, as configured. Those that do not answer are in the list as well, for the bank tries them again.
func expanders(b *bus.Bus, c *config.Config) (chips []reeds.Chip, err error) {
	var errs []error
	for _, w := range c.ReedChips() {
		chip := reeds.Chip{Expander: tca9535.At(b, w.Address), Deck: w.Deck}
		if c.Reeds == "mcp23017" {
			chip.Expander = mcp23017.At(b, w.Address)
		}
		for i := range chip.Squares {
			chip.Squares[i] = rules.NoSquare
		}
		for i, sq := range w.Squares {
			if c.Reeds == "mcp23017" && i >= 7 {
				i++ // the eighth pin of each port is an output only
			}
			chip.Squares[i] = sq
		}
		errs = append(errs, chip.Expander.Setup())
		chips = append(chips, chip)
	}
	return chips, errors.Join(errs...)
}

func (r *rig) openHeights(c *config.Config) error {
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
	o.Wiring = func(sq rules.Square) (mux, channel int) { return at[sq][0], at[sq][1] }
	bank, err := heights.New(r.bus, o)
	if err == nil {
		r.eyes = bank
		r.sources = append(r.sources, bank)
	}
	return err
}

// openTable opens what stands beside the board: display and clock buttons.
func (r *rig) openTable(c *config.Config) error {
	if c.Display != "" {
		b, err := i2creg.Open(c.Display)
		if err != nil {
			return fmt.Errorf("cannot open the I2C bus %q of the display: %w", c.Display, err)
		}
		r.close = append(r.close, b.Close)
		d, err := ssd1306.New(b, nil)
		if err != nil {
			return fmt.Errorf("the display does not answer: %w; check its wires, or leave hardware.display empty", err)
		}
		r.display = d
	}
	for _, b := range []struct{ side, pin string }{{"white", c.WhiteButton}, {"black", c.BlackButton}} {
		if b.pin == "" {
			continue
		}
		pin := gpioreg.ByName(b.pin)
		if pin == nil {
			return fmt.Errorf("there is no GPIO %q for %s's clock button", b.pin, b.side)
		}
		k, err := button.New(b.side, pin, button.Opts{})
		if err != nil {
			return err
		}
		r.buttons = append(r.buttons, k)
	}
	return nil
}

func busNames() string {
	var names []string
	for _, ref := range i2creg.All() {
		names = append(names, ref.Name)
	}
	if len(names) == 0 {
		return "none: switch I2C on with raspi-config"
	}
	return strings.Join(names, ", ")
}

func (r *rig) openLamps(c *config.Config) error {
	if c.SPI == "" {
		return nil
	}
	port, err := spireg.Open(c.SPI)
	if err != nil {
		return fmt.Errorf("cannot open the SPI port %q of the lights: %w", c.SPI, err)
	}
	r.close = append(r.close, port.Close)
	o := chain.Opts{Decks: 1, Brightness: float64(c.Brightness) / 100, Gamma: c.Gamma, CapMA: c.CapMA}
	if r.geometry.TwoDecks {
		o.Decks = 2
	}
	if c.Serpentine {
		o.Wiring = chain.Serpentine
	}
	if c.Lamps == "apa102" {
		r.lamps, err = apa102.New(port, &o)
	} else {
		r.lamps, err = ws2812.New(port, &o)
	}
	return err
}

// Close closes everything, last opened first.
func (r *rig) Close() error {
	var errs []error
	for i := len(r.close) - 1; i >= 0; i-- {
		errs = append(errs, r.close[i]())
	}
	r.close = nil
	return errors.Join(errs...)
}

// sense runs all sources until ctx ends.
func (r *rig) sense(ctx context.Context, out chan<- sensing.Reading, log *slog.Logger) (wait func()) {
	done := make(chan struct{}, len(r.sources))
	for _, s := range r.sources {
		go func() {
			defer func() { done <- struct{}{} }()
			if err := s.Run(ctx, out); err != nil && ctx.Err() == nil {
				log.Error("a bank of sensors stopped", "error", err)
			}
		}()
	}
	return func() {
		for range r.sources {
			<-done
		}
	}
}

// wood is a wood in the form of the virtual board.
func virtualWood(w *reconcile.Wood) virtual.Wood {
	var v virtual.Wood
	for p := range reconcile.Place(reconcile.Places) {
		if w[p] != "" {
			v[p.Deck()][p.Square()] = []byte(w[p])
		}
	}
	return v
}

// reconcileWood is the other way round.
func reconcileWood(v virtual.Wood) reconcile.Wood {
	var w reconcile.Wood
	for d := range v {
		for s, pile := range v[d] {
			w[reconcile.PlaceAt(sensing.Deck(d), rules.Square(s))] = reconcile.Pile(pile)
		}
	}
	return w
}
