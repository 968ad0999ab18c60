// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"path/filepath"
	"slices"
	"strings"

	"boardd/config"
	"boardd/config/names"
	"boardd/config/size"
)

// bitBanged makes a display's bus on GPIO4 and GPIO5 where the chip has none there.
const bitBanged = "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=4,i2c_gpio_scl=5"

// models is what to write into config.txt on each Raspberry Pi (hardware/README.md, "The Raspberry Pi"). There are
// lines that hold the clock of the lights still, and one that makes I2C3 on GPIO4 and GPIO5. Only the BCM2711 of the
// Pi 4 has an I2C3 there (Raspberry Pi OS, overlays/README). The SPI of the Pi 5 is on the RP1 and has a clock of its
// own. A Compute Module has the chip of the Pi of its number. Its names stand in the device trees of Raspberry Pi's
// kernel (`model` in bcm2710-rpi-cm3.dts, bcm2711-rpi-cm4.dts, bcm2712-rpi-cm5l.dtsi). The firmware appends "Plus" or
// "Rev".
var models = []struct {
	name    string // the beginning of /proc/device-tree/model
	lights  []string
	display string
}{
	{"Raspberry Pi Zero 2 W", []string{"core_freq=250"}, bitBanged},
	{"Raspberry Pi 3", []string{"core_freq=250"}, bitBanged},
	{"Raspberry Pi 400", []string{"core_freq=500", "core_freq_min=500"}, "dtoverlay=i2c3,pins_4_5"},
	{"Raspberry Pi 4", []string{"core_freq=500", "core_freq_min=500"}, "dtoverlay=i2c3,pins_4_5"},
	{"Raspberry Pi 500", nil, bitBanged},
	{"Raspberry Pi 5", nil, bitBanged},
	{"Raspberry Pi Compute Module 3", []string{"core_freq=250"}, bitBanged},
	{"Raspberry Pi Compute Module 4", []string{"core_freq=500", "core_freq_min=500"}, "dtoverlay=i2c3,pins_4_5"},
	{"Raspberry Pi Compute Module 5", nil, bitBanged},
}

// equivalents is other lines that do what one of those does: on the card's image, whose kernel is Debian's, boardd's
// own overlays (systemd/card).
var equivalents = map[string][]string{
	bitBanged:                 {"dtoverlay=boardd-display"},
	"dtoverlay=i2c3,pins_4_5": {"dtoverlay=i2c3", "dtoverlay=boardd-display-4"}, // those pins are its default
}

// raspberry says which Raspberry Pi this is and which lines its config.txt lacks. On another computer it says nothing.
func (d *examination) raspberry(c *config.Config) {
	model, err := size.Read(filepath.Join(d.root, "proc/device-tree/model"), size.Named)
	if err != nil || !strings.HasPrefix(string(model), "Raspberry Pi") {
		return
	}
	name := strings.TrimRight(string(model), "\x00\n")
	for _, m := range models {
		if strings.HasPrefix(name, m.name) {
			var want []string
			if c.SPI != "" && c.LightChip != "apa102" { // their clock comes with the data
				want = append(want, m.lights...)
			}
			if bus, _ := names.I2C(c.Display); bus == "I2C3" {
				want = append(want, m.display)
			}
			d.configTxt(name, want)
			return
		}
	}
	d.find("computer", nil, name+"; boardd was written for Zero 2 W, 3, 4, 5 and Compute Modules 3, 4, 5, and "+
		"knows no settings for this one")
}

// configTxt looks for lines in config.txt.
func (d *examination) configTxt(name string, want []string) {
	const path = "boot/firmware/config.txt"
	src, err := size.Read(filepath.Join(d.root, path), size.Named)
	if err != nil {
		d.find("computer", mends(err, "say in /%s: %s", path, strings.Join(want, ", ")), "")
		return
	}
	has := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		line, _, _ = strings.Cut(line, "#")
		has[strings.ReplaceAll(strings.TrimSpace(line), " ", "")] = true
	}
	var lacks []string
	for _, w := range want {
		if !has[w] && !slices.ContainsFunc(equivalents[w], func(o string) bool { return has[o] }) {
			lacks = append(lacks, w)
		}
	}
	if lacks != nil {
		err = mend(name+": /"+path+" lacks "+strings.Join(lacks, ", "), "add what is missing there, each in a line of its "+
			"own under [all], then restart")
	}
	d.find("computer", err, name+", set as it should be")
}
