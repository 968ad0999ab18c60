// SPDX-License-Identifier: Apache-2.0

// Package main_test compares the drawings with the software.
package main_test

import (
	"fmt"
	"slices"
	"strings"

	"boardd/hardware/schematics/netlist"
	"boardd/rules"
	"boardd/sensing"
)

// header is the Raspberry Pi's 40 pins that are GPIOs, from its documentation ("GPIO and the 40-pin header").
var header = map[string]string{
	"GPIO2": "3", "GPIO3": "5", "GPIO4": "7", "GPIO14": "8", "GPIO15": "10", "GPIO17": "11", "GPIO18": "12",
	"GPIO27": "13", "GPIO22": "15",
	"GPIO23": "16", "GPIO24": "18", "GPIO10": "19", "GPIO9": "21", "GPIO25": "22", "GPIO11": "23", "GPIO8": "24",
	"GPIO7": "26", "GPIO5": "29",
	"GPIO6": "31", "GPIO12": "32", "GPIO13": "33", "GPIO19": "35", "GPIO16": "36", "GPIO26": "37", "GPIO20": "38",
	"GPIO21": "40",
}

const (
	expander    = "Interface_Expansion:TCA9535PWR"
	multiplexer = "Interface_Expansion:TCA9548APWR"
	repeater    = "Logic_LevelTranslator:TCA9517ADGK"
	converter   = "Analog_ADC:HX711"
	piHeader    = "Connector:Raspberry_Pi_2_3"
	demux       = "74xx:74HCT238"
	shifter     = "74xGxx:74AHCT1G125"
	sensor      = "boardd:VL6180X"
	light       = "LED:WS2812B"
)

// checker compares a netlist with the truth and collects what differs.
type checker struct {
	*netlist.Netlist
	w    *truth
	errs []error
}

func compare(n *netlist.Netlist, w *truth) []error {
	c := &checker{Netlist: n, w: w}
	c.gpio()
	c.reeds()
	c.lights()
	switch {
	case w.corners != nil:
		c.corners()
	case w.clock != "":
		c.cells()
	default:
		c.eyes()
	}
	c.supplies()
	c.polarity()
	return c.errs
}

func (c *checker) fault(format string, a ...any) { c.errs = append(c.errs, fmt.Errorf(format, a...)) }

// one is the only part with a symbol.
func (c *checker) one(symbol string) string {
	refs := c.Refs(symbol)
	if len(refs) != 1 {
		c.fault("%d parts are %s, want one", len(refs), symbol)
		return ""
	}
	return refs[0]
}

// at is the net of a part's pin, by the name of the pin.
func (c *checker) at(ref, function string) string {
	p, ok := c.Of(ref, function)
	if !ok {
		c.fault("%s: pin %s is not wired", ref, function)
	}
	return c.Net(p)
}

// pi is the net at a GPIO.
func (c *checker) pi(gpio string) string {
	n := c.Net(netlist.Pin{Ref: c.one(piHeader), Number: header[gpio]})
	if n == "" {
		c.fault("%s of the Pi is not wired", gpio)
	}
	return n
}

// expect checks that two nets are the same.
func (c *checker) expect(what, got, want string) {
	if got != want || got == "" {
		c.fault("%s: is on net %q, want %q", what, got, want)
	}
}

// touches checks that a net reaches a pin.
func (c *checker) touches(what, net, ref, function string) {
	p, ok := c.Of(ref, function)
	if !ok || c.Net(p) != net || net == "" {
		c.fault("%s: net %q does not reach %s of %s, which is on %q", what, net, function, ref, c.Net(p))
	}
}

// number is the number of a square's parts: the hundreds are the rank, from 9 for the upper deck, and the units the
// file.
func number(p place) int { return 100*(8*int(p.deck)+p.square.Rank()+1) + p.square.File() + 1 }

// gpio compares what is connected to the Pi with the configuration.
func (c *checker) gpio() {
	g := c.w.gpio
	for _, k := range []struct{ what, pin string }{{"white button", "1"}, {"black button", "3"}} {
		jack := c.jack("Clock keys")
		if far := c.Across(c.pi(g[k.what]), "R"); !slices.Contains(far, c.Net(netlist.Pin{Ref: jack, Number: k.pin})) {
			c.fault("the %s on %s is not behind a resistor at pin %s of %s", k.what, g[k.what], k.pin, jack)
		}
		c.expect("ground of the clock keys", c.Net(netlist.Pin{Ref: jack, Number: "2"}), "GND")
	}
	d := c.jack("SSD1306")
	for pin, net := range map[string]string{"1": "GND", "2": "+3V3", "3": c.pi(g["display SCL"]),
		"4": c.pi(g["display SDA"])} {
		c.expect("pin "+pin+" of the display", c.Net(netlist.Pin{Ref: d, Number: pin}), net)
	}
	for free, line := range map[string]string{"GPIO22": g["SCL"], "GPIO27": g["SDA"]} {
		if !slices.Contains(c.Across(c.pi(free), "R"), c.pi(line)) {
			c.fault("%s, which frees a bus that hangs, is not behind a resistor at %s", free, line)
		}
	}
	for _, line := range []string{"SCL", "SDA", "INT"} {
		if !slices.Contains(c.Across(c.pi(g[line]), "R"), "+3V3") {
			c.fault("%s has no pull-up to 3.3 V", line)
		}
	}
}

// jack is the connector with a value.
func (c *checker) jack(value string) string {
	for ref, p := range c.Parts {
		if p.Value == value && strings.HasPrefix(ref, "J") {
			return ref
		}
	}
	c.fault("no connector is called %s", value)
	return ""
}

// address is the address that a chip's address pins set.
func (c *checker) address(ref string, base uint16) (uint16, bool) {
	a, ok := base, true
	for bit := range 3 {
		switch n := c.at(ref, fmt.Sprintf("A%d", bit)); n {
		case "+3V3":
			a |= 1 << bit
		case "GND":
		default:
			c.fault("%s: A%d is on net %q, want GND or +3V3", ref, bit, n)
			ok = false
		}
	}
	return a, ok
}

// byAddress finds the chips of a kind by their addresses; two at one address are a fault.
func (c *checker) byAddress(symbol string, base uint16) map[uint16]string {
	found := map[uint16]string{}
	for _, ref := range c.Refs(symbol) {
		a, ok := c.address(ref, base)
		if other := found[a]; other != "" && ok {
			c.fault("%s and %s both have address 0x%02x", other, ref, a)
		}
		found[a] = ref
		c.onBus(ref)
	}
	return found
}

// onBus checks that a chip is on the Pi's bus, straight or through the repeater, data on data and clock on clock.
func (c *checker) onBus(ref string) {
	for _, line := range []string{"SCL", "SDA"} {
		net, want := c.at(ref, line), c.pi(c.w.gpio[line])
		if net == want {
			continue
		}
		for _, r := range c.Refs(repeater) {
			if c.at(r, line+"A") == net && c.at(r, line+"B") == want {
				net = want
			}
		}
		c.expect(ref+": "+line, net, want)
	}
}

// reeds compares expanders and switches with the driver.
func (c *checker) reeds() {
	chips := c.byAddress(expander, 0x20)
	for _, ref := range chips {
		c.expect(ref+": INT", c.at(ref, "~{INT}"), c.pi(c.w.gpio["INT"]))
	}
	for p, in := range c.w.reeds {
		ref := chips[in.address]
		if ref == "" {
			c.fault("%v: no expander has address 0x%02x", p, in.address)
			continue
		}
		net := c.at(ref, in.pin)
		reed := fmt.Sprintf("SW%d", number(p))
		if got := c.switchBehind(net); got != reed {
			c.fault("%v: input %s of the expander 0x%02x (%s) leads to %q, want %s", p, in.pin, in.address, ref, got, reed)
		}
		if !slices.Contains(c.Across(net, "R"), "+3V3") {
			c.fault("%v: input %s of %s has no pull-up", p, in.pin, ref)
		}
		if !slices.Contains(c.Across(net, "C"), "GND") {
			c.fault("%v: input %s of %s has no capacitor", p, in.pin, ref)
		}
	}
}

// switchBehind is the reed, to ground, behind the series resistor of an input.
func (c *checker) switchBehind(net string) string {
	var found []string
	for _, far := range c.Across(net, "R") {
		if far == "+3V3" {
			continue
		}
		for _, p := range c.Pins(far) {
			if strings.HasPrefix(p.Ref, "SW") && slices.Contains(c.Across(far, "SW"), "GND") {
				found = append(found, p.Ref)
			}
		}
	}
	return strings.Join(found, "+")
}

// lights follows the chain from the Pi's data pin.
func (c *checker) lights() {
	net, before := c.pi(c.w.gpio["MOSI"]), ""
	for _, p := range c.Pins(net) {
		if c.Parts[p.Ref].Symbol == shifter && p.Number == "2" {
			before = c.Net(netlist.Pin{Ref: p.Ref, Number: "4"})
			net = c.through(before, "")
			c.expect("supply of the level shifter", c.at(p.Ref, "VCC"), "+5V")
			c.expect("enable of the level shifter", c.Net(netlist.Pin{Ref: p.Ref, Number: "1"}), "GND")
		}
	}
	for i, p := range c.w.lights {
		want := fmt.Sprintf("D%d", number(p))
		got := ""
		for range 2 { // straight, or through the resistor at the head of a strip
			for _, q := range c.Pins(net) {
				if part := c.Parts[q.Ref]; part.Symbol == light && c.Function(q) == "DIN" {
					got = q.Ref
				}
			}
			if got != "" {
				break
			}
			net, before = c.through(net, before), net
		}
		if got != want {
			c.fault("light %d of the chain is %q, want %s, %v", i, got, want, p)
			return
		}
		net, before = c.at(got, "DOUT"), ""
	}
	if back := c.Across(net, "R"); len(back) != 0 {
		c.fault("the chain of lights goes on behind the last one, from net %s to %v", net, back)
	}
}

// through is the net behind the only resistor on a net, apart from the resistor that leads back.
func (c *checker) through(net, back string) string {
	far := slices.DeleteFunc(c.Across(net, "R"), func(n string) bool { return n == back })
	if len(far) == 1 {
		return far[0]
	}
	return ""
}

// cells compares converters and the Arduino's pins with the firmware.
func (c *checker) cells() {
	for sq := range rules.Square(64) {
		ref := fmt.Sprintf("U%d", 3000+number(place{sensing.Lower, sq}))
		if c.Parts[ref] == nil || c.Parts[ref].Symbol != converter {
			c.fault("%v has no converter %s", sq, ref)
			continue
		}
		if far := c.Across(c.at(ref, "DOUT"), "R"); !slices.Contains(far, c.mega(c.w.cells[sq])) {
			c.fault("%v: DOUT of %s is not behind a resistor at %s of the Arduino", sq, ref, c.w.cells[sq])
		}
		c.expect(fmt.Sprintf("%v: RATE", sq), c.at(ref, "RATE"), c.Net(netlist.Pin{Ref: c.jack("RATE"), Number: "2"}))
		c.clocked(sq, ref)
		c.bridge(sq, ref)
	}
	rate := c.jack("RATE")
	c.expect("RATE, 80 a second", c.Net(netlist.Pin{Ref: rate, Number: "1"}), "+5V")
	c.expect("RATE, 10 a second", c.Net(netlist.Pin{Ref: rate, Number: "3"}), "GND")
	for row, pins := range megaHeader {
		for i, pin := range pins {
			net := c.Net(netlist.Pin{Ref: c.jack(row), Number: fmt.Sprint(i + 1)})
			switch {
			case pin == "GND":
				c.expect(row+": ground", net, "GND")
			case alone[pin] && net != "" && !strings.HasPrefix(net, "unconnected"):
				c.fault("%s: %s of the Arduino is on net %s, want it open: it has its own supply, reset and USB line", row, pin,
					net)
			}
		}
	}
}

// clocked checks that a converter's clock comes from the output of its rank, through one resistor. The demultiplexer's
// inputs must be on the firmware's pins.
func (c *checker) clocked(sq rules.Square, ref string) {
	u := c.one(demux)
	if far := c.Across(c.at(ref, "PD_SCK"), "R"); !slices.Contains(far, c.at(u, fmt.Sprintf("Y%d", sq.Rank()))) {
		c.fault("%v: PD_SCK of %s is not behind a resistor at Y%d of %s", sq, ref, sq.Rank(), u)
	}
	if sq.File() != 0 || sq.Rank() != 0 {
		return
	}
	for input, pin := range map[string]string{"A0": c.w.choose[0], "A1": c.w.choose[1], "A2": c.w.choose[2],
		"E3": c.w.clock} {
		if far := c.Across(c.at(u, input), "R"); !slices.Contains(far, c.mega(pin)) {
			c.fault("%s of %s is not behind a resistor at %s of the Arduino", input, u, pin)
		}
	}
	if !slices.Contains(c.Across(c.mega(c.w.clock), "R"), "GND") {
		c.fault("the clock is not held low while the hub starts")
	}
}

// mega is the net at the Arduino's pin of a port of its processor.
func (c *checker) mega(port string) string {
	for row, pins := range megaHeader {
		for i, pin := range pins {
			if megaPorts[pin] == port {
				return c.Net(netlist.Pin{Ref: c.jack(row), Number: fmt.Sprint(i + 1)})
			}
		}
	}
	c.fault("the Arduino has no pin for %s", port)
	return ""
}

// bridge checks that the load cell is on channel A the right way round: connector pins excitation, ground, minus,
// plus.
func (c *checker) bridge(sq rules.Square, ref string) {
	jack := "J" + ref[1:]
	for pin, in := range map[string]string{"3": "INA-", "4": "INA+"} {
		if far := c.Across(c.at(ref, in), "R"); !slices.Contains(far, c.Net(netlist.Pin{Ref: jack, Number: pin})) {
			c.fault("%v: %s of %s is not behind a resistor at pin %s of %s", sq, in, ref, pin, jack)
		}
	}
	c.expect(fmt.Sprintf("%v: excitation", sq), c.Net(netlist.Pin{Ref: jack, Number: "1"}), c.at(ref, "AVDD"))
	for what, net := range map[string]string{"pin 2 of " + jack: c.Net(netlist.Pin{Ref: jack, Number: "2"}),
		"XI": c.at(ref, "XI"), "VFB": c.at(ref, "VFB")} {
		c.expect(fmt.Sprintf("%v: %s", sq, what), net, "GND")
	}
}

// eyes compares multiplexers and height sensors with the driver.
func (c *checker) eyes() {
	muxes := c.byAddress(multiplexer, 0x70)
	for sq := range rules.Square(64) {
		ch := c.w.eyes[sq]
		ref, eye := muxes[ch.address], fmt.Sprintf("U%d", 4000+number(place{sensing.Lower, sq}))
		if ref == "" || c.Parts[eye] == nil || c.Parts[eye].Symbol != sensor {
			c.fault("%v: no multiplexer 0x%02x or no sensor %s", sq, ch.address, eye)
			continue
		}
		for _, line := range []string{"SC", "SD"} {
			full := map[string]string{"SC": "SCL", "SD": "SDA"}[line]
			net := c.at(ref, fmt.Sprintf("%s%d", line, ch.number))
			c.touches(fmt.Sprintf("%v: channel %d of 0x%02x (%s)", sq, ch.number, ch.address, ref), net, eye, full)
			if !slices.Contains(c.Across(net, "R"), c.at(eye, "AVDD")) {
				c.fault("%v: %s%d has no pull-up to the sensor's supply", sq, line, ch.number)
			}
		}
		if !slices.Contains(c.Across(c.at(eye, "CE"), "R"), c.at(eye, "AVDD")) {
			c.fault("%v: the enable of %s is not pulled up", sq, eye)
		}
		c.expect(fmt.Sprintf("%v: VCSEL", sq), c.at(eye, "VCSEL"), c.at(eye, "AVDD"))
		c.expect(fmt.Sprintf("%v: AVSS", sq), c.at(eye, "AVSS"), "GND")
	}
}

// supplies checks that every chip has its supply and ground.
func (c *checker) supplies() {
	for symbol, pins := range map[string]map[string]string{
		expander: {"VCC": "+3V3", "GND": "GND"}, multiplexer: {"VCC": "+3V3", "GND": "GND"},
		repeater:  {"VCCA": "+3V3", "VCCB": "+3V3", "GND": "GND"},
		converter: {"DVDD": "+5V", "VSUP": "+5V", "AGND": "GND"}, demux: {"VCC": "+5V", "GND": "GND", "~{E1}": "GND",
			"~{E2}": "GND"},
		light: {"VSS": "GND"}, sensor: {"GND": "GND"}, piHeader: {"5V": "+5V", "GND": "GND"},
	} {
		for _, ref := range c.Refs(symbol) {
			for pin, net := range pins {
				for _, p := range c.Called(ref, pin) {
					if got := c.Net(p); got != net {
						c.expect(ref+": "+pin, got, net)
					}
				}
			}
		}
	}
	for _, ref := range c.Refs(light) {
		if !slices.Contains(c.Across(c.at(ref, "VDD"), "F"), "+5VL") {
			c.fault("%s: its supply is not behind a fuse on +5VL", ref)
		}
	}
}

// polarity checks that polarized parts are the right way round. Pin 1 of a polarized capacitor and the bar of a
// suppressor are on the supply. The bar of a light is on ground, and the transistor's drain is on the fuse's side.
func (c *checker) polarity() {
	for _, ref := range c.Refs("Device:C_Polarized") {
		c.expect(ref+": minus", c.Net(netlist.Pin{Ref: ref, Number: "2"}), "GND")
	}
	for _, ref := range c.Refs("Diode:SMAJ5.0A") {
		c.expect(ref+": anode", c.Net(netlist.Pin{Ref: ref, Number: "2"}), "GND")
	}
	for _, ref := range c.Refs("Device:LED") {
		c.expect(ref+": cathode", c.Net(netlist.Pin{Ref: ref, Number: "1"}), "GND")
	}
	for _, ref := range c.Refs("Transistor_FET:IRF7404") {
		c.expect(ref+": source", c.at(ref, "S"), "+5V")
		if !slices.Contains(c.Across(c.at(ref, "D"), "F"), c.Net(netlist.Pin{Ref: c.jack("5V in"), Number: "1"})) {
			c.fault("%s: the drain is not behind the main fuse", ref)
		}
		if !slices.Contains(c.Across(c.at(ref, "G"), "R"), "GND") {
			c.fault("%s: the gate is not drawn to ground", ref)
		}
	}
}
