// SPDX-License-Identifier: Apache-2.0

package names

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// The only I2C buses and SPI ports that periph knows are those of the kernel. It knows them by their node, by an alias
// or by their number (periph.io/x/host v3.8.5, sysfs/i2c.go and sysfs/spi.go). A number alone is the SPI port with
// chip select 0.
var (
	i2cForm = regexp.MustCompile(`^(?:I2C|/dev/i2c-)?([0-9]{1,7})$`)
	spiForm = regexp.MustCompile(`^(?:(?:SPI|/dev/spidev)([0-9]{1,5})\.([0-9]{1,5})|([0-9]{1,5}))$`)
)

// I2C returns a bus in the form I2C1. ok is false if no computer has a bus of that name.
func I2C(name string) (bus string, ok bool) {
	m := i2cForm.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return "I2C" + m[1], true
}

// SPI returns a port in the form SPI0.0. ok is false if no computer has a port of that name.
func SPI(name string) (port string, ok bool) {
	m := spiForm.FindStringSubmatch(name)
	switch {
	case m == nil:
		return "", false
	case m[3] != "":
		return "SPI" + m[3] + ".0", true
	}
	return "SPI" + m[1] + "." + m[2], true
}

// longest is how many bytes the name of a GPIO may have. periph takes the names of the kernel's lines, which are any
// text of up to 31 bytes (GPIO_MAX_NAME_SIZE in linux/gpio.h). Of two lines with one name, that of the chip precedes
// one.
const longest = 63

// GPIO returns a pin in the form GPIO17, if it is named by its number. ok is false if no computer has a pin of that
// name.
func GPIO(name string) (pin string, ok bool) {
	if name == "" || len(name) > longest || strings.ContainsFunc(name, unicode.IsControl) {
		return "", false
	}
	if strings.Trim(name, "0123456789") == "" {
		return "GPIO" + name, true
	}
	return name, true
}

// What a Raspberry Pi has at most. GPIO0 to GPIO27 are on the header, and a Compute Module 3 has the others on its
// connector. The overlays of Raspberry Pi's kernel make ports up to SPI6 of the BCM2711, each with up to three chip
// selects (overlays/README, spi0-2cs to spi6-2cs).
const (
	lastGPIO   = 45
	lastSPI    = 6
	lastSelect = 2
)

// usual is the form of the names that a Raspberry Pi has beside GPIO17. They are positions such as P1_11, functions
// such as I2C1_SDA, and lines of its device trees, such as TXD1.
var usual = regexp.MustCompile(`^[A-Z0-9_]*([A-Z][A-Z0-9_]*[0-9_]|[0-9_][A-Z0-9_]*[A-Z])[A-Z0-9_]*$`)

// PiHasGPIO reports whether a Raspberry Pi may have a pin, given as by [GPIO].
func PiHasGPIO(pin string) bool {
	if n, err := strconv.Atoi(strings.TrimPrefix(pin, "GPIO")); err == nil {
		return n >= 0 && n <= lastGPIO
	}
	slip := strings.HasPrefix(pin, "GPI") && !strings.HasPrefix(pin, "GPIO_") // such as GPI017 and GPIO1O
	return !slip && usual.MatchString(pin)
}

// BootFlash is the SPI port of the flash from which a Raspberry Pi 5 boots (spi10 of its device tree,
// bcm2712-rpi-5-b.dts). Nothing else may be wired there.
const BootFlash = "SPI10.0"

// PiHasSPI reports whether a Raspberry Pi may have a port, given as by [SPI].
func PiHasSPI(port string) bool {
	bus, chip, _ := strings.Cut(strings.TrimPrefix(port, "SPI"), ".")
	n, err := strconv.Atoi(bus)
	m, err2 := strconv.Atoi(chip)
	return err == nil && err2 == nil && n <= lastSPI && m <= lastSelect
}
