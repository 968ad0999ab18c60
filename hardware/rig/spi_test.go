// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"errors"
	"strings"
	"testing"

	"boardd/config/names"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"
)

// TestBootFlash: the port of the flash from which a Raspberry Pi 5 boots is proposed to nobody. Without another port
// people are told to switch SPI on.
func TestBootFlash(t *testing.T) {
	register := func(name, alias string, number int) {
		t.Helper()
		closed := func() (spi.PortCloser, error) { return nil, errors.New("closed") }
		if err := spireg.Register(name, []string{alias}, number, closed); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := spireg.Unregister(name); err != nil {
				t.Error(err)
			}
		})
	}
	before := len(spiPorts())
	register("/dev/spidev10.0", names.BootFlash, -1)
	if n := len(spiPorts()); n != before {
		t.Errorf("%d ports for lights, want the %d that were there before", n, before)
	}
	for _, name := range []string{"/dev/spidev10.0", names.BootFlash} {
		if HasSPI(name) {
			t.Errorf("%s counts as a port for lights", name)
		}
	}
	if err := noPort("SPI0.0", errors.New("no port")).Error(); before == 0 && !strings.Contains(err, "switch SPI on") {
		t.Errorf("got %q, want that SPI is switched on", err)
	}
	register("/dev/spidev0.0", "SPI0.0", -1)
	for _, name := range []string{"/dev/spidev0.0", "SPI0.0"} {
		if !HasSPI(name) {
			t.Errorf("%s counts as no port for lights", name)
		}
	}
	if err := noPort("SPI9.9", errors.New("no port")).Error(); strings.Contains(err, "spidev10") ||
		!strings.Contains(err, "/dev/spidev0.0") {
		t.Errorf("got %q, want the port of the header alone", err)
	}
}
