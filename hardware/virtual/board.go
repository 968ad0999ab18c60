// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/physics"
	"boardd/hardware/virtual/strip"
	"boardd/hardware/virtual/wires"
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// Kind is one of the boards that can be had.
type Kind uint8

// The kinds.
const (
	Stack Kind = iota // one deck: reeds, a load cell and a light under every square
	Twin              // two decks: reeds and lights on both, a height sensor over every lower square
	Reeds             // one deck: reeds and lights
	Scale             // one deck: reeds and lights, and a load cell under each corner of the whole board
)

// String is the kind's name in configurations.
func (k Kind) String() string {
	switch k {
	case Stack:
		return "stack"
	case Twin:
		return "twin"
	case Reeds:
		return "reeds"
	case Scale:
		return "scale"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// decks is how many decks the kind has.
func (k Kind) decks() int {
	if k == Twin {
		return 2
	}
	return 1
}

// Options is what board to make; only Name is needed.
type Options struct {
	// of the board; its buses are Name-i2c, Name-spi, its interrupt pin Name-int
	Name       string
	Kind       Kind  // Stack by default
	CubeHeight int32 // micrometres; 0 is 35 mm
	// milligrams by the letter of the piece, upper case for both colors, '#' the pedestal; nil is DefaultWeights
	Weights map[byte]int32
	Seed    uint64           // of everything that is random
	Level   physics.Level    // how bad parts and hands are; the zero one is Bench
	Clock   physic.Frequency // of the I2C bus; 0 is 400 kHz
	// load cells differ in offset and gain, as bought ones do; false: all are 2 counts a milligram from 0, and 0.4 under
	// corners
	Uneven  bool
	Untimed bool // transfers on I2C take no time
	// by which transfers on I2C take their time; nil waits in the kernel, time.Sleep is for tests in virtual time
	Sleep func(time.Duration)
	// reeds that a builder soldered to another square's input: from the input's square to the reed's
	Miswired map[rules.Square]rules.Square
	// the same for height sensors: from the channel's square to the one that its sensor is over
	MiswiredEyes map[rules.Square]rules.Square
	// the chips of the reeds: tca9535, as "" is, or mcp23017, which are for one deck
	Expanders string
	Cover     float64 // what a cover throws back into the height sensors, in Mcps
	// share of light that the lower deck and the pieces throw back into the height sensors; 0 is white, 0.88
	Deck, Pieces float64
	Serpentine   bool // lights run a1 to h1, h2 to a2, ...; false: every rank from the a file
}

// Bench is the level of a board on a desk: noise as the parts have it, and hands that put every piece in the middle.
func Bench() physics.Level {
	l := physics.Clean()
	l.Name, l.CellNoise, l.RangeNoise = "bench", 20, 1.3
	return l
}

// DefaultWeights is the weight of each kind of piece and of the pedestal, in milligrams.
func DefaultWeights() map[byte]int32 {
	return map[byte]int32{'P': 20000, 'N': 27000, 'B': 33000, 'R': 41000, 'Q': 52000, 'K': 60000, '#': 12000}
}

func (o *Options) fill() {
	if o.Expanders == "" {
		o.Expanders = "tca9535"
	}
	if o.CubeHeight == 0 {
		o.CubeHeight = 35000
	}
	if o.Weights == nil {
		o.Weights = DefaultWeights()
	}
	if o.Level.Bounce[1] == 0 {
		o.Level = Bench()
	}
	if o.Clock == 0 {
		o.Clock = 400 * physic.KiloHertz
	}
}

// Board is one virtual board. All methods are safe for use by several goroutines.
type Board struct {
	o     Options
	bus   *wires.Bus
	intr  *wires.Pin
	strip *strip.Strip
	panel *chips.SSD1306
	keys  [2]*wires.Pin // the clock's buttons, White's first
	wires [2]*wires.Wire
	ports [2][]expander
	hub   *Hub
	undo  []func() error // what Close has to take back, last first

	mu    sync.Mutex // guards what follows; taken after the bus's own locks, never before
	world *physics.World
	epoch time.Time // its time 0
	wood  wood.Wood
	hands map[string][]byte
	scale [64]converter
	later map[*time.Timer]bool // reeds that will stop bouncing
	sky   sky
}

// New makes a board and registers its buses and pins with periph. The name must be free.
func New(o Options) (*Board, error) {
	if o.Name == "" {
		return nil, errors.New("virtual board: no name")
	}
	o.fill()
	switch m, ok := models()[o.Expanders]; {
	case !ok:
		return nil, fmt.Errorf("virtual board: no expanders are called %q: want one of %v", o.Expanders,
			slices.Sorted(maps.Keys(models())))
	case o.Kind.decks() > m.decks:
		return nil, fmt.Errorf("virtual board: %s are for one deck, as eight addresses are too few for two", o.Expanders)
	}
	b := &Board{o: o, epoch: time.Now(), hands: map[string][]byte{}, later: map[*time.Timer]bool{}}
	b.world = physics.New(physics.Options{Level: o.Level, Seed: o.Seed, Decks: o.Kind.decks(), Cube: o.CubeHeight,
		Mass: masses(o.Weights), Scale: o.Kind == Scale})
	b.bus = wires.New(b.I2C(), o.Clock)
	if o.Untimed {
		b.bus.Untimed()
	} else if o.Sleep != nil {
		b.bus.SleepBy(o.Sleep)
	}
	b.intr = wires.NewPin(b.Int())
	b.strip = strip.New(b.SPI(), 64*o.Kind.decks(), o.Serpentine)
	b.panel = chips.NewSSD1306()
	b.bus.Attach(0x3c, b.panel)
	b.keys = [2]*wires.Pin{wires.NewPin(b.Button(0)), wires.NewPin(b.Button(1))}
	b.wires = [2]*wires.Wire{b.bus.SCL(o.Name + "-scl"), b.bus.SDA(o.Name + "-sda")}
	b.addExpanders()
	if o.Kind == Twin {
		b.addHeights()
	}
	if err := b.register(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if o.Kind == Stack || o.Kind == Scale {
		if err := b.startHub(); err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	return b, nil
}

// register makes the board's buses and pins known to periph.
func (b *Board) register() error {
	steps := []struct {
		do, undo func() error
	}{
		{func() error {
			return i2creg.Register(b.I2C(), nil, -1, func() (i2c.BusCloser, error) { return wires.Handle{Bus: b.bus}, nil })
		}, func() error { return i2creg.Unregister(b.I2C()) }},
		{func() error {
			return spireg.Register(b.SPI(), nil, -1, func() (spi.PortCloser, error) { return b.strip, nil })
		}, func() error { return spireg.Unregister(b.SPI()) }},
		{func() error { return gpioreg.Register(b.intr) }, func() error { return gpioreg.Unregister(b.Int()) }},
		{func() error { return gpioreg.Register(b.wires[0]) },
			func() error { return gpioreg.Unregister(b.wires[0].Name()) }},
		{func() error { return gpioreg.Register(b.wires[1]) },
			func() error { return gpioreg.Unregister(b.wires[1].Name()) }},
		{func() error { return gpioreg.Register(b.keys[0]) }, func() error { return gpioreg.Unregister(b.Button(0)) }},
		{func() error { return gpioreg.Register(b.keys[1]) }, func() error { return gpioreg.Unregister(b.Button(1)) }},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("virtual board %s: %w", b.o.Name, err)
		}
		b.undo = append(b.undo, s.undo)
	}
	return nil
}

// Close takes the board away: names are free again, the hub's line hangs up, waiting reads end.
func (b *Board) Close() error {
	b.mu.Lock()
	for t := range b.later {
		t.Stop()
	}
	clear(b.later)
	b.mu.Unlock()
	var errs []error
	for len(b.undo) > 0 {
		last := len(b.undo) - 1
		errs = append(errs, b.undo[last]())
		b.undo = b.undo[:last]
	}
	return errors.Join(errs...)
}

// Kind is what kind of board it is.
func (b *Board) Kind() Kind { return b.o.Kind }

// I2C is the name of its I2C bus, for i2creg.Open.
func (b *Board) I2C() string { return b.o.Name + "-i2c" }

// SPI is the name of the port that its lights hang on, for spireg.Open.
func (b *Board) SPI() string { return b.o.Name + "-spi" }

// Int is the name of the expanders' interrupt pin, for gpioreg.ByName.
func (b *Board) Int() string { return b.o.Name + "-int" }

// Recovery returns the names of two pins wired to SCL and SDA, for gpioreg.ByName: Name-scl and Name-sda.
func (b *Board) Recovery() (scl, sda string) { return b.wires[0].Name(), b.wires[1].Name() }

// Button is the name of the pin of a clock button, 0 White's and 1 Black's, for gpioreg.ByName: Name-white and
// Name-black.
func (b *Board) Button(side int) string { return b.o.Name + [2]string{"-white", "-black"}[side] }

// Hub is the path of the hub's serial line, "" when the board has none. It stays the same when the hub is unplugged
// and plugged in again.
func (b *Board) Hub() string {
	if b.hub == nil {
		return ""
	}
	return b.hub.Path()
}

// Bus is the board's I2C bus, for its counters and for faults.
func (b *Board) Bus() *wires.Bus { return b.bus }

// Screen returns the pixels of the display at 0x3C: [page][column], bit 0 the top one of eight rows.
func (b *Board) Screen() [8][128]byte { return b.panel.Pixels() }

// Lights is the picture that the lights show, decoded from the last frame that went down their line.
func (b *Board) Lights() leds.Frame { return b.strip.Frame() }

// Lit is signalled when the lights have changed; it has room for one signal, and further ones are dropped until it is
// taken.
func (b *Board) Lit() <-chan struct{} { return b.strip.Lit() }

// square checks that a place exists on this board.
func (b *Board) square(d sensing.Deck, sq rules.Square) error {
	if int(d) >= b.o.Kind.decks() {
		return impossible("a %v board has no %v deck", b.o.Kind, d)
	}
	if sq >= 64 {
		return impossible("square %d is not on the board", sq)
	}
	return nil
}
