// SPDX-License-Identifier: Apache-2.0

package names

import "testing"

// TestForms: each name of a bus or port has one form, and what periph registers under no name has none.
func TestForms(t *testing.T) {
	for name, want := range map[string]string{"I2C1": "I2C1", "/dev/i2c-22": "I2C22", "3": "I2C3", "i2c1": "", "": "",
		"I2C": "", "I2C1.0": "", "/dev/i2c-": "", "banana": ""} {
		if got, ok := I2C(name); got != want || ok != (want != "") {
			t.Errorf("I2C bus %q: got %q, %v; want %q", name, got, ok, want)
		}
	}
	for name, want := range map[string]string{"SPI0.0": "SPI0.0", "/dev/spidev1.2": "SPI1.2", "0": "SPI0.0", "SPI0": "",
		"/dev/spidev": "", "0.0": "", "": "", "spi0.0": ""} {
		if got, ok := SPI(name); got != want || ok != (want != "") {
			t.Errorf("SPI port %q: got %q, %v; want %q", name, got, ok, want)
		}
	}
	for name, want := range map[string]string{"17": "GPIO17", "GPIO17": "GPIO17", "P1_11": "P1_11",
		"seventeen": "seventeen", "P9_19 [i2c2_scl]": "P9_19 [i2c2_scl]", "": "", "GPIO\n": ""} {
		if got, ok := GPIO(name); got != want || ok != (want != "") {
			t.Errorf("GPIO %q: got %q, %v; want %q", name, got, ok, want)
		}
	}
}
