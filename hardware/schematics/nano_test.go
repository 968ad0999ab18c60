// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardd/hardware/schematics/netlist"
	"boardd/rules"
	"boardd/sensing/hub"
	"boardd/sensing/scale"
)

// arduinoNano is the Nano's symbol. Its pins have the names of its maker's drawing.
const arduinoNano = "MCU_Module:Arduino_Nano_v3.x"

// nanoPorts is the processor's port of each of the Nano's pins that a converter may be connected to, from its maker's
// pin table (A000005).
var nanoPorts = func() map[string]string {
	m := map[string]string{}
	for i := range 8 {
		m[fmt.Sprintf("PD%d", i)] = fmt.Sprintf("D%d", i)
	}
	for i := range 6 {
		m[fmt.Sprintf("PB%d", i)], m[fmt.Sprintf("PC%d", i)] = fmt.Sprintf("D%d", 8+i), fmt.Sprintf("A%d", i)
	}
	return m
}()

var (
	nanoInForm    = regexp.MustCompile(`PIN_REGISTERS \{&PIN([A-D])\}`)
	nanoWatchForm = regexp.MustCompile(`WATCH\(IN_C, PIN([A-D])\)`)
	nanoMapForm   = regexp.MustCompile(`#define PIN_MAP \{ \{IN_C, (\d)\}, \{IN_C, (\d)\}, \{IN_C, (\d)\}, \{IN_C, (\d)\} \}`)
	nanoClockForm = regexp.MustCompile(`#define CLOCK_PORT PORT([A-D])\n#define SCK_BIT (\d)`)
)

// cornersTruth returns the ports at which the Nano's program reads and clocks the four corners. The driver says which
// corner is which.
func cornersTruth(src string) (corners map[rules.Square]string, clock string, err error) {
	in, watched, bits, c := nanoInForm.FindStringSubmatch(src), nanoWatchForm.FindStringSubmatch(src),
		nanoMapForm.FindStringSubmatch(src), nanoClockForm.FindStringSubmatch(src)
	if in == nil || watched == nil || bits == nil || c == nil {
		return nil, "", fmt.Errorf("nano.h has no register, watch, map or clock: %v, %v, %v, %v", in, watched, bits, c)
	}
	if in[1] != watched[1] {
		return nil, "", fmt.Errorf("nano.h reads port %s and watches port %s", in[1], watched[1])
	}
	corners = map[rules.Square]string{}
	i := 0
	for cell := range hub.Corners.Squares() {
		corners[scale.Squares[i]] = "P" + in[1] + bits[1+int(cell)]
		i++
	}
	return corners, "P" + c[1] + c[2], nil
}

// corners compares the plugs of the four modules and the Nano's pins with its program.
func (c *checker) corners() {
	u := c.one(arduinoNano)
	ground, plus, clock := c.at(u, "GND"), c.at(u, "+5V"), c.at(u, nanoPorts[c.w.clock])
	for _, p := range c.Called(u, "GND") {
		c.expect("ground of the Nano", c.Net(p), ground)
	}
	if ground == "GND" || plus == "+5V" {
		c.fault("the Nano is on the board's own supply: it has its own by USB, and would feed the other")
	}
	behind := c.Across(clock, "R")
	held := false
	for _, net := range behind {
		held = held || slices.Contains(c.Across(net, "R"), ground)
	}
	if !held {
		c.fault("the clock is not held low while the Nano starts")
	}
	for sq, port := range c.w.corners {
		jack := c.jack("Module " + sq.String())
		pin := func(number string) string { return c.Net(netlist.Pin{Ref: jack, Number: number}) }
		c.expect(fmt.Sprintf("%v: ground of the module", sq), pin("1"), ground)
		c.expect(fmt.Sprintf("%v: supply of the module", sq), pin("4"), plus)
		if far := c.Across(c.at(u, nanoPorts[port]), "R"); !slices.Contains(far, pin("2")) {
			c.fault("%v: DOUT at %s is not behind a resistor at %s (%s) of the Nano", sq, jack, nanoPorts[port], port)
		}
		if !slices.Contains(behind, pin("3")) {
			c.fault("%v: SCK at %s is not behind a resistor at %s (%s) of the Nano", sq, jack, nanoPorts[c.w.clock], c.w.clock)
		}
	}
	for number, name := range c.Parts[u].Functions {
		net := c.Net(netlist.Pin{Ref: u, Number: number})
		if slices.Contains([]string{"D0/RX", "D1/TX", "VIN", "3V3", "AREF", "~{RESET}"}, name) &&
			!strings.HasPrefix(net, "unconnected") {
			c.fault("%s of the Nano is on net %s, want it open: it has its own supply, reset and USB line", name, net)
		}
	}
}

// nanoSource returns the pins of the Nano's program.
func nanoSource(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile("../firmware/hub/nano.h")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// TestChangesOfTheNanoAreFound: a change of the Nano's program that the drawing does not follow is found.
func TestChangesOfTheNanoAreFound(t *testing.T) {
	t.Parallel()
	n, src := export(t, "scale"), nanoSource(t)
	for name, edit := range map[string][2]string{
		"two corners exchanged": {"{IN_C, 0}, {IN_C, 1}", "{IN_C, 1}, {IN_C, 0}"},
		"another clock pin":     {"#define SCK_BIT 3", "#define SCK_BIT 4"},
		"another clock port":    {"#define CLOCK_PORT PORTD", "#define CLOCK_PORT PORTB"},
		"another port watched":  {"WATCH(IN_C, PINC)", "WATCH(IN_C, PIND)"},
		"another port":          {"PIN_REGISTERS {&PINC}", "PIN_REGISTERS {&PIND}"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(src, edit[0], edit[1], 1)
			if changed == src {
				t.Fatalf("nano.h no longer has %q", edit[0])
			}
			w := boardNamed("scale").truth(t)
			var err error
			if w.corners, w.clock, err = cornersTruth(changed); err == nil && len(compare(n, w)) == 0 {
				t.Error("not found")
			}
		})
	}
}
