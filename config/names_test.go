// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"strings"
	"testing"
)

// TestNames: names that no pin can have are refused, and pins that two parts would use. A virtual board does not use
// them.
func TestNames(t *testing.T) {
	const gpio = `is no GPIO: want one such as GPIO17`
	long := strings.Repeat("G", 64)
	for src, want := range map[string]string{
		"int: \"GPIO\\t17\"":                           `it:2:8: hardware.int: "GPIO\t17" ` + gpio,
		"int: " + long:                                 `it:2:8: hardware.int: "` + long + `" ` + gpio,
		"scl: GPIO22\n  sda: " + long:                  `it:3:8: hardware.sda: "` + long + `" ` + gpio,
		"white_button: GPIO5\n  black_button: " + long: `it:3:17: hardware.black_button: "` + long + `" ` + gpio,
		"i2c: /dev/i2c-1\n  int: GPIO2":                `it:3:8: hardware.int: GPIO2 is taken by hardware.i2c (/dev/i2c-1)`,
		"spi: \"0\"\n  int: GPIO10":                    `it:3:8: hardware.int: GPIO10 is taken by hardware.spi (0)`,
	} {
		src = "hardware:\n  " + src + "\n"
		_, err := Parse("it", []byte(src))
		var faults *Faults
		if !errors.As(err, &faults) || len(faults.List) != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got\n%v\nwant one fault, with\n%s", src, err, want)
		}
		if _, err := Parse("it", []byte(src+"  virtual: true\n")); err != nil {
			t.Errorf("%q of a virtual board: %v", src, err)
		}
	}
}

// TestDoubts: names that no Raspberry Pi has are doubted, with one that is right. Those of one are not.
func TestDoubts(t *testing.T) {
	for src, want := range map[string]string{
		"int: GPIO99":    `it:2:8: hardware.int: GPIO99 is not on the header of a Raspberry Pi: that has GPIO0 to GPIO27, a Compute`,
		"int: \"46\"":    `it:2:8: hardware.int: GPIO46 is not on the header of a Raspberry Pi`,
		"int: seventeen": `it:2:8: hardware.int: no Raspberry Pi has a GPIO called "seventeen": want one such as GPIO17`,
		"scl: SCL\n  sda: banana": `it:2:8: hardware.scl: no Raspberry Pi has a GPIO called "SCL": want one such as GPIO17, ` +
			`unless the board is wired to another computer`,
		"white_button: left\n  black_button: GPIO24": `it:2:17: hardware.white_button: no Raspberry Pi has a GPIO called "left"`,
		"int: GPI017":                  `it:2:8: hardware.int: no Raspberry Pi has a GPIO called "GPI017": want one such as GPIO17`,
		"int: GPIO1O":                  `it:2:8: hardware.int: no Raspberry Pi has a GPIO called "GPIO1O"`,
		"spi: /dev/spidev10.0":         `it:2:8: hardware.spi: SPI10.0 is the flash from which a Raspberry Pi 5 boots: want SPI0.0`,
		"spi: SPI9.9":                  `it:2:8: hardware.spi: no Raspberry Pi has SPI9.9: want SPI0.0, or another up to SPI6.2`,
		"spi: /dev/spidev0.3":          `it:2:8: hardware.spi: no Raspberry Pi has SPI0.3`,
		"spi: \"7\"":                   `it:2:8: hardware.spi: no Raspberry Pi has SPI7.0`,
		"i2c: banana":                  `it:2:8: hardware.i2c: "banana" is no I2C bus that Linux has: want one such as I2C1 or /dev/i2c-1`,
		"i2c: I2C":                     `it:2:8: hardware.i2c: "I2C" is no I2C bus`,
		"i2c: /dev/i2c":                `it:2:8: hardware.i2c: "/dev/i2c" is no I2C bus`,
		"display: SPI0.0":              `it:2:12: hardware.display: "SPI0.0" is no I2C bus`,
		"spi: SPI":                     `it:2:8: hardware.spi: "SPI" is no SPI port that Linux has: want one such as SPI0.0 or /dev/`,
		"spi: SPI0":                    `it:2:8: hardware.spi: "SPI0" is no SPI port`,
		"spi: /dev/spidev0":            `it:2:8: hardware.spi: "/dev/spidev0" is no SPI port`,
		"hub: nothing":                 `it:2:8: hardware.hub: "nothing" is no whole path of a serial device: want one such as /dev/tty`,
		"kind: scale\n  hub: ttyUSB0":  `it:3:8: hardware.hub: "ttyUSB0" is no whole path`,
		"i2c: none\n  virtual: true":   "",
		"int: GPIO99\n  virtual: true": "", "spi: SPI9.9\n  virtual: true": "",
		"int: GPIO27": "", "int: GPIO45": "", "int: \"4\"": "", "int: P1_11": "", "int: I2C0_SDA": "", "int: CLK0": "",
		"int: TXD1": "", "int: GPIO_GCLK": "", "int: 2712_WAKE": "", "int: PA12": "", "int:": "", "spi:": "",
		"i2c: I2C22": "", "i2c: /dev/i2c-0": "", "i2c: \"3\"": "", "display: I2C3": "", "spi: SPI6.2": "",
		"spi: /dev/spidev1.0": "", "hub: /dev/serial/by-id/usb-1a86": "", "hub: /tmp/pty": "",
		"kind: twin\n  hub: nothing": "",
	} {
		src = "hardware:\n  " + src + "\n"
		c, err := Parse("it", []byte(src))
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		got := ""
		if d := c.Doubts(); d != nil {
			got = d.Error()
		}
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%q: got\n%v\nwant\n%s", src, got, want)
		}
	}
}
