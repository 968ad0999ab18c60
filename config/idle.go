// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"boardd/config/names"
)

// dependence is a group of settings that count only together with another one.
type dependence struct {
	of      string // the settings, with spaces between them; "club." stands for the whole section
	on      string // the setting on which they depend
	given   func(*Config) bool
	without string // why they have no effect, and what would be right
}

// dependences is the table of all settings that need another one, in the order in which they are looked at. The first
// that is not given is named.
func dependences() []dependence {
	inside := func(c *Config) bool { return c.MQTTURL == "embedded" || c.MQTTInside }
	return []dependence{
		{"mqtt.listen mqtt.accounts_file mqtt.listen_cert_file mqtt.listen_key_file mqtt.listen_ca_file", "mqtt.url", inside,
			"no built-in broker runs here: set mqtt.url to embedded"},
		{"mqtt.listen_ca_file", "mqtt.listen_cert_file", func(c *Config) bool { return c.MQTTListenCertFile != "" },
			"the built-in broker asks no client for a certificate while it has none itself: set mqtt.listen_cert_file and " +
				"mqtt.listen_key_file"},
		{"mqtt.user mqtt.password_file mqtt.ca_file mqtt.cert_file mqtt.key_file mqtt.commands mqtt.command_keys_file " +
			"mqtt.keys_file mqtt.home_assistant club.", "mqtt.url", func(c *Config) bool { return c.MQTTURL != "" },
			"there is no broker: set mqtt.url"},
		{"mqtt.user mqtt.password_file", "mqtt.accounts_file",
			func(c *Config) bool { return !inside(c) || c.MQTTAccountsFile != "" },
			"the built-in broker has no accounts, and asks nobody who it is: set mqtt.accounts_file"},
		{"mqtt.password_file", "mqtt.user", func(c *Config) bool { return c.MQTTUser != "" },
			"a password is only sent with a name: set mqtt.user"},
		{"mqtt.ca_file", "mqtt.url", func(c *Config) bool { return !inside(c) && c.secure() },
			"no certificate of a broker is checked: that is done where mqtt.url begins with mqtts://"},
		{"mqtt.cert_file mqtt.key_file", "mqtt.url", func(c *Config) bool { return c.secure() },
			"no broker sees it: that is so where mqtt.url begins with mqtts://, or mqtt.listen_ca_file is set"},
		{"livechess.origins", "livechess.listen", func(c *Config) bool { return c.LiveChessListen != "" },
			"nobody can ask: set livechess.listen"},
		{"lichess.url lichess.opponent lichess.level lichess.minutes lichess.increment_s lichess.rated",
			"lichess.token_file", func(c *Config) bool { return c.LichessTokenFile != "" },
			"there is no account: set lichess.token_file"},
		{"lichess.level", "lichess.opponent", func(c *Config) bool { return c.LichessOpponent == "computer" },
			"people have no level: it is for lichess.opponent: computer"},
		{"web.visitors web.token_file web.cert_file web.key_file", "web.listen",
			func(c *Config) bool { return c.WebListen != "" }, "there is no page: set web.listen"},
		{"web.hosts", "web.listen", func(c *Config) bool { return c.WebListen != "" || c.LiveChessListen != "" },
			"there is no page: set web.listen or livechess.listen"},
		{"hardware.level", "hardware.virtual", func(c *Config) bool { return c.Virtual },
			"the parts are real: it is for hardware.virtual: true"},
		{"hardware.hub", "hardware.kind",
			func(c *Config) bool { return c.Virtual || c.Weighs() },
			"this kind of board weighs nothing: it is for hardware.kind: stack or scale"},
		{"hardware.language", "hardware.display", func(c *Config) bool { return c.Display != "" },
			"there is no display: set hardware.display; the page has a menu of languages"},
		{"leds.", "hardware.spi", func(c *Config) bool { return c.Virtual || c.SPI != "" },
			"the board has no lights: set hardware.spi"},
	}
}

// secure reports whether the way to the broker is encrypted.
func (c *Config) secure() bool {
	if c.MQTTURL == "embedded" || c.MQTTInside {
		return c.MQTTListenCertFile != "" && c.MQTTListenCAFile != ""
	}
	return strings.Contains(c.MQTTURL, "mqtts://") || strings.Contains(c.MQTTURL, "tls://")
}

// covers reports whether a setting is in the group.
func (d *dependence) covers(name string) bool {
	return slices.ContainsFunc(strings.Fields(d.of), func(of string) bool {
		return of == name || strings.HasSuffix(of, ".") && strings.HasPrefix(name, of)
	})
}

// idle finds the settings of the file that have no effect because another one is not set. One that only repeats its
// default was meant if the other does not stand in the file: whoever writes both has chosen.
func (r *reader) idle() {
	defaults := Default()
	f := Faults{File: r.faults.File, source: r.faults.source}
	for i := range r.table {
		s := &r.table[i]
		at := r.at[s.name]
		if at == nil {
			continue
		}
		same := reflect.DeepEqual(s.field(&r.c), s.field(&defaults))
		for _, d := range dependences() {
			if d.covers(s.name) && !d.given(&r.c) && (!same || r.at[d.on] == nil) {
				f.List = append(f.List, Fault{Line: at.Line, Column: at.Column, Setting: s.name,
					What: fmt.Sprintf("has no effect: %s, or take this line out", d.without)})
				break
			}
		}
	}
	if f.List != nil {
		f.sort()
		r.c.idle = &f
	}
}

// Idle lists the settings of the file that have no effect because another one is not set, nil if there are none. The
// board plays all the same.
func (c *Config) Idle() *Faults { return c.idle }

// elsewhere ends a doubt, which does not apply to other computers.
const elsewhere = ", unless the board is wired to another computer"

// doubt finds the names of pins, buses and devices that no Raspberry Pi has, or no Linux. The board plays all the
// same, and says which part it cannot open.
func (r *reader) doubt() {
	if r.c.Virtual {
		return
	}
	f := Faults{File: r.faults.File, source: r.faults.source}
	add := func(setting, what string) {
		if at := r.at[setting]; at != nil && !r.wrong[setting] {
			f.List = append(f.List, Fault{Line: at.Line, Column: at.Column, Setting: setting,
				What: what})
		}
	}
	for _, p := range []struct{ setting, name string }{{"hardware.int", r.c.Int}, {"hardware.scl", r.c.SCL},
		{"hardware.sda", r.c.SDA}, {"hardware.white_button", r.c.WhiteButton}, {"hardware.black_button", r.c.BlackButton}} {
		pin, ok := names.GPIO(p.name)
		switch {
		case !ok || names.PiHasGPIO(pin):
		case strings.Trim(strings.TrimPrefix(pin, "GPIO"), "0123456789") == "":
			add(p.setting, fmt.Sprintf("%s is not on the header of a Raspberry Pi: that has GPIO0 to GPIO27, a Compute "+
				"Module up to GPIO45"+elsewhere, pin))
		default:
			add(p.setting, fmt.Sprintf("no Raspberry Pi has a GPIO called %q: want one such as GPIO17"+elsewhere, pin))
		}
	}
	for _, b := range []struct{ setting, name string }{{"hardware.i2c", r.c.I2C}, {"hardware.display", r.c.Display}} {
		if _, ok := names.I2C(b.name); !ok && b.name != "" {
			add(b.setting, fmt.Sprintf("%q is no I2C bus that Linux has: want one such as I2C1 or /dev/i2c-1", b.name))
		}
	}
	switch port, ok := names.SPI(r.c.SPI); {
	case r.c.SPI == "":
	case !ok:
		add("hardware.spi", fmt.Sprintf("%q is no SPI port that Linux has: want one such as SPI0.0 or /dev/spidev0.0",
			r.c.SPI))
	case port == names.BootFlash:
		add("hardware.spi", port+" is the flash from which a Raspberry Pi 5 boots: want SPI0.0, or another up to SPI6.2"+
			elsewhere)
	case !names.PiHasSPI(port):
		add("hardware.spi", fmt.Sprintf("no Raspberry Pi has %s: want SPI0.0, or another up to SPI6.2"+elsewhere, port))
	}
	if r.c.Hub != "" && !filepath.IsAbs(r.c.Hub) && r.c.Weighs() {
		add("hardware.hub", fmt.Sprintf("%q is no whole path of a serial device: want one such as /dev/ttyUSB0", r.c.Hub))
	}
	if f.List != nil {
		f.sort()
		r.c.odd = &f
	}
}

// Doubts lists the settings of the file that name what hardly any computer has, nil if there are none.
func (c *Config) Doubts() *Faults { return c.odd }
