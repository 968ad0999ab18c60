// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/say"
	"boardd/sensing/bus"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
)

// chip is one that ought to be on the bus of the sensors.
type chip struct {
	addr   uint16
	name   string // "expander of a5-h6"
	family func(uint16) bool
}

// wiring is what is wrong with the bus, so that faults that follow from it are not reported again.
type wiring struct {
	dead      bool // no transfer works at all
	silent    map[uint16]bool
	answering map[uint16]bool // the addresses that should answer and do
}

// bus compares which addresses answer with those that should. One cause is reported once.
func (d *examination) bus(c *config.Config, r *rig.Rig) wiring {
	part := "bus " + c.I2C
	want := chipsOn(c)
	answers, err := scan(r.Bus, c)
	switch {
	case bus.Classify(err) == bus.Hung:
		d.find(part, mend("it hangs, something holds SDA or SCL low: "+err.Error(), "%s", unhang(c)), "")
		return wiring{dead: true}
	case err != nil:
		d.find(part, mends(err, "look at the rights and the driver of this bus"), "")
		return wiring{dead: true}
	case len(answers) == 0:
		d.find(part, mend(say.Counted("nobody answers, though there ought to be %d chips", len(want)),
			"see that the cable to the board is in, that SDA (on a Raspberry Pi's I2C1 pin 3) and SCL (pin 5) are not "+
				"changed over or open, and that the chips have 3.3 V and ground"), "")
		return wiring{dead: true}
	}
	lost := wiring{silent: map[uint16]bool{}, answering: map[uint16]bool{}}
	strangers := slices.DeleteFunc(slices.Clone(answers), func(a uint16) bool {
		return slices.ContainsFunc(want, func(w chip) bool { return w.addr == a })
	})
	for _, w := range want {
		if slices.Contains(answers, w.addr) {
			lost.answering[w.addr] = true
			continue
		}
		lost.silent[w.addr] = true
		d.find(fmt.Sprintf("chip 0x%02x", w.addr), missing(&w, &strangers), "")
	}
	for _, a := range strangers {
		d.find(fmt.Sprintf("chip 0x%02x", a), stranger(a), "")
	}
	if len(lost.silent) == 0 && len(strangers) == 0 {
		d.find(part, nil, fmt.Sprintf("all %d chips answer, and nobody else", len(want)))
	}
	d.speed(c, r, answers)
	d.interrupts(c, r, &lost)
	return lost
}

func unhang(c *config.Config) string {
	do := "switch the board off and on; if it hangs again, look for solder between SDA, SCL and ground, then unplug " +
		"one chip after the other until it is free"
	if c.SCL == "" {
		do += ". Two GPIOs wired to SCL and SDA (hardware.scl, hardware.sda) let the daemon free it by itself"
	}
	return do
}

// chipsOn lists the chips that the configuration wants on the bus of the sensors.
func chipsOn(c *config.Config) (list []chip) {
	for _, w := range c.ReedChips() {
		on := ""
		if c.Kind == "twin" {
			on = " on the " + w.Deck.String() + " deck"
		}
		list = append(list, chip{w.Address, "the expander of " + w.Names() + on, isExpander})
	}
	for _, w := range c.HeightChips() {
		list = append(list, chip{w.Address, "the multiplexer of the height sensors over " + w.Names(), isMultiplexer})
	}
	return list
}

func isExpander(a uint16) bool    { return a >= 0x20 && a <= 0x27 }
func isMultiplexer(a uint16) bool { return a >= 0x70 && a <= 0x77 }

// eyeAddr is where a VL6180X answers: behind a multiplexer only while its channel is open.
const eyeAddr = 0x29

// scan tries all addresses, with all channels of multiplexers closed.
func scan(b *bus.Bus, c *config.Config) (answers []uint16, err error) {
	for _, w := range c.HeightChips() {
		if err := b.Tx(w.Address, []byte{0}, nil); bus.Classify(err) == bus.Hung {
			return nil, err
		}
	}
	var reply [1]byte
	for a := uint16(0x20); a <= 0x77; a++ {
		if !isExpander(a) && !isMultiplexer(a) && a != eyeAddr {
			continue
		}
		switch err := b.Tx(a, nil, reply[:]); bus.Classify(err) {
		case bus.Fine:
			answers = append(answers, a)
		case bus.Refused:
		default:
			return answers, err
		}
	}
	return answers, nil
}

// missing says why a chip may not answer. If an unexpected chip of the same family answers, it may be the missing one.
// The one that differs in the fewest address pins is taken for it, and removed from the list.
func missing(w *chip, strangers *[]uint16) error {
	best := -1
	for i, a := range *strangers {
		if w.family(a) && (best < 0 || bits.OnesCount16(a^w.addr) < bits.OnesCount16((*strangers)[best]^w.addr)) {
			best = i
		}
	}
	if best < 0 {
		return mend(w.name+" does not answer", "look at its four wires, 3.3 V, ground, SDA and SCL, and at its address "+
			"pins: A0 to A2 want to be %s. If they are those of another chip, both answer there together", pins(w.addr, 7))
	}
	at := (*strangers)[best]
	*strangers = slices.Delete(*strangers, best, best+1)
	wrong := at ^ w.addr
	return mend(fmt.Sprintf("%s does not answer, but a chip that nobody asked for answers at 0x%02x", w.name, at),
		"solder %s; they are %s", pins(w.addr, wrong), pins(at, wrong))
}

// pins says how address pins are, "A0 high, A2 low".
func pins(addr, which uint16) string {
	var words []string
	for i := range 3 {
		if which>>i&1 == 1 {
			words = append(words, fmt.Sprintf("A%d %s", i, map[uint16]string{0: "low", 1: "high"}[addr>>i&1]))
		}
	}
	return strings.Join(words, ", ")
}

func stranger(a uint16) error {
	switch {
	case a == eyeAddr:
		return mend("a height sensor answers while every channel of the multiplexers is closed",
			"one hangs on the bus itself: wire it to its channel (SDn and SCn of its multiplexer)")
	case isMultiplexer(a):
		return mend("a multiplexer answers that the configuration does not know",
			"name it in hardware.multiplexers, or take it off the bus")
	}
	return mend("an expander answers that the configuration does not know",
		"name it in hardware.expanders, or take it off the bus")
}

// readBits is the least number of clocks for reading both ports of a TCA9535. It reads an address, a command, the
// address again and two ports, each a byte with its acknowledgement.
const readBits = 5 * 9

// speed works out the clock of the bus from the quickest of some reads: a Pi's sags when it is busy.
func (d *examination) speed(c *config.Config, r *rig.Rig, answers []uint16) {
	at := slices.IndexFunc(answers, isExpander)
	if c.Virtual || c.Reeds != "tca9535" || at < 0 {
		return // a virtual bus keeps its clock on the average, not in each transfer
	}
	var best time.Duration
	var ports [2]byte
	for range 20 {
		begin := time.Now()
		if err := r.Bus.Tx(answers[at], []byte{0}, ports[:]); err != nil {
			continue // counted
		}
		if took := time.Since(begin); best == 0 || took < best {
			best = took
		}
	}
	if best == 0 {
		return
	}
	khz := readBits / best.Seconds() / 1000
	var err error
	if khz < 200 {
		err = mend(fmt.Sprintf("it does only %.0f kHz", khz), "set dtparam=i2c_arm_baudrate=400000 in "+
			"/boot/firmware/config.txt, keep the wires short, and use pull-ups of 2.2 kOhm")
	}
	d.find("speed of the bus", err, fmt.Sprintf("at least %.0f kHz", khz))
}

// The registers of a TCA9535 that make it ask for attention: SCPS201A, page 8.
const (
	inputPorts  = 0x00
	outputPorts = 0x02
	configPorts = 0x06
)

// interrupts makes every expander pull the interrupt line, one after the other, and looks whether it arrives.
func (d *examination) interrupts(c *config.Config, r *rig.Rig, lost *wiring) {
	if c.Int == "" {
		return // without the line the reeds are polled
	}
	line, ok := gpioreg.ByName(c.Int).(gpio.PinIn)
	if !ok || line.In(gpio.PullUp, gpio.NoEdge) != nil {
		return // said of the pin
	}
	var deaf, stuck []string
	tried := 0
	var ports [2]byte
	chip := attentions()[c.Reeds]
	// all of them, because a chip that has changed since it was last read still holds the line
	for _, w := range c.ReedChips() {
		r.Bus.Tx(w.Address, []byte{chip.inputs}, ports[:]) //nolint:errcheck // counted
	}
	for _, w := range c.ReedChips() {
		if lost.silent[w.Address] {
			continue
		}
		tried++
		was, asked, err := chip.provoke(r.Bus, w.Address, line)
		name := fmt.Sprintf("0x%02x", w.Address)
		switch {
		case err != nil:
		case was == gpio.Low:
			stuck = append(stuck, name)
		case asked == gpio.High:
			deaf = append(deaf, name)
		}
	}
	d.find("interrupt "+c.Int, interruptFault(c.Int, chip.pin, tried, deaf, stuck),
		fmt.Sprintf("every one of %d expanders pulls it, and lets it go", tried))
}

// attention is how an expander is made to pull the interrupt line.
type attention struct {
	inputs  byte   // the register that it asks about
	pin     string // by which it asks
	provoke func(b *bus.Bus, addr uint16, line gpio.PinIn) (was, asked gpio.Level, err error)
}

// attentions has the expanders by the names that the configuration has for them. One more chip is one more row.
func attentions() map[string]attention {
	return map[string]attention{
		"tca9535":  {inputPorts, "pin 1 (INT)", provoke},
		"mcp23017": {mcpInputs, "pin 20 (INTA)", provokeCompare},
	}
}

func interruptFault(gpio, pin string, tried int, deaf, stuck []string) error {
	switch {
	case len(stuck) > 0:
		return mend("it is low though nobody asks for attention", "look for solder between the INT wire and ground, and "+
			"for the pull-up of 10 kOhm to 3.3 V; is the wire on %s, or hardware.int another pin?", gpio)
	case tried > 0 && len(deaf) == tried:
		return mend("no expander's INT arrives there", "wire the INT pins of all expanders to %s, or name the pin that "+
			"they are wired to in hardware.int. Until then pieces are seen a little later", gpio)
	case len(deaf) > 0:
		return mend("INT of "+strings.Join(deaf, ", ")+" does not arrive, that of the others does",
			"solder the wire from %s of %s to the INT line. Until then pieces there are seen a little later", pin,
			strings.Join(deaf, ", "))
	}
	return nil
}

// provoke makes a chip pull the interrupt line. A pin whose line is high drives itself low, is read, and becomes an
// input again, so that it differs from what was read. provoke returns the line before and after. Only the pull-up of
// an open reed is pulled down.
func provoke(b *bus.Bus, addr uint16, line gpio.PinIn) (was, asked gpio.Level, err error) {
	var in, out [2]byte
	step := func(w []byte, r []byte) {
		if err == nil {
			err = b.Tx(addr, w, r)
		}
	}
	step([]byte{inputPorts}, in[:])
	step([]byte{outputPorts}, out[:])
	was = line.Read()
	open := (uint16(in[0]) | uint16(in[1])<<8) &^ (uint16(out[0]) | uint16(out[1])<<8) // high, and would be driven low
	if open == 0 {
		return was, gpio.Low, err // every reed is closed: there is nothing to try it with
	}
	driven := ^(open & -open)
	step([]byte{configPorts, byte(driven), byte(driven >> 8)}, nil)
	step([]byte{inputPorts}, in[:])
	// whatever has happened: all pins are inputs again
	if e := b.Tx(addr, []byte{configPorts, 0xff, 0xff}, nil); err == nil {
		err = e
	}
	asked = line.Read()
	step([]byte{inputPorts}, in[:])
	return was, asked, err
}

// The registers of an MCP23017, port A's (DS20001952D, table 3-1).
const (
	mcpDefaults = 0x06
	mcpCompare  = 0x08
	mcpInputs   = 0x12
)

// provokeCompare makes an MCP23017 pull the interrupt line. A pin is compared with the value that it does not have,
// instead of with its last one (DS20001952D, section 3.5.4). provokeCompare returns the line before and after.
func provokeCompare(b *bus.Bus, addr uint16, line gpio.PinIn) (was, asked gpio.Level, err error) {
	var in [2]byte
	step := func(w []byte, r []byte) {
		if err == nil {
			err = b.Tx(addr, w, r)
		}
	}
	step([]byte{mcpInputs}, in[:])
	was = line.Read()
	step([]byte{mcpDefaults, ^in[0]}, nil)
	step([]byte{mcpCompare, 1}, nil)
	asked = line.Read()
	// whatever has happened: compare with the last value again
	if e := b.Tx(addr, []byte{mcpCompare, 0}, nil); err == nil {
		err = e
	}
	step([]byte{mcpDefaults, 0}, nil)
	step([]byte{mcpInputs}, in[:])
	return was, asked, err
}
