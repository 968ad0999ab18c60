// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"boardd/config/names"
	"boardd/rules/say"
	"boardd/sync/wire"
)

// pinsOf holds the GPIOs that the buses of a Raspberry Pi occupy: BCM2835 ARM Peripherals, section 6.2 "Alternative
// Function Assignments"; I2C3 as dtoverlay=i2c3 has it.
var pinsOf = map[string][]string{
	"I2C0": {"GPIO0", "GPIO1"},
	"I2C1": {"GPIO2", "GPIO3"},
	"I2C3": {"GPIO4", "GPIO5"},
	"SPI0": {"GPIO7", "GPIO8", "GPIO9", "GPIO10", "GPIO11"},
	"SPI1": {"GPIO18", "GPIO19", "GPIO20", "GPIO21"},
}

// checkPins checks that every pin has one use, and that pins which belong together are all set.
func checkPins(c *Config) error {
	if c.Virtual {
		return nil // the names of buses and pins are not used
	}
	var errs []error
	taken := map[string]string{} // by pin: what uses it
	claim := func(setting, name string) {
		if name == "" {
			return
		}
		pin, ok := names.GPIO(name)
		if !ok {
			errs = append(errs, blamed(setting, "%q is no GPIO: want one such as GPIO17", name))
			return
		}
		if other, ok := taken[pin]; ok {
			errs = append(errs, blamed(setting, "%s is taken by %s: give every wire a GPIO of its own", pin, other))
			return
		}
		taken[pin] = setting
	}
	for _, b := range []struct {
		setting, name string
		of            func(string) (string, bool)
	}{{"hardware.i2c", c.I2C, names.I2C}, {"hardware.display", c.Display, names.I2C},
		{"hardware.spi", c.SPI, names.SPI}} {
		bus, _ := b.of(b.name)
		port, _, _ := strings.Cut(bus, ".")
		for _, pin := range pinsOf[port] {
			if _, ok := taken[pin]; !ok { // the display may be on the bus of the sensors
				taken[pin] = fmt.Sprintf("%s (%s)", b.setting, b.name)
			}
		}
	}
	claim("hardware.int", c.Int)
	for _, two := range [][2]struct{ setting, pin string }{
		{{"hardware.scl", c.SCL}, {"hardware.sda", c.SDA}},
		{{"hardware.white_button", c.WhiteButton}, {"hardware.black_button", c.BlackButton}},
	} {
		for i, p := range two {
			if other := two[1-i]; p.pin != "" && other.pin == "" {
				errs = append(errs, blamed(p.setting, "goes together with %s: set both, or neither", other.setting))
			}
			claim(p.setting, p.pin)
		}
	}
	return errors.Join(errs...)
}

// Weighs reports whether the board has a hub.
func (c *Config) Weighs() bool { return c.Kind == "stack" || c.Kind == "scale" }

// oneName checks that a name fits into a message.
func oneName(s string) error {
	if len(s) > wire.MaxName || strings.ContainsFunc(s, unicode.IsControl) {
		return say.Error("%q: a name is one line of at most %d bytes", s, wire.MaxName)
	}
	return nil
}

// threeLetters is the form of federations as FIDE abbreviates them.
var threeLetters = regexp.MustCompile(`^[A-Za-z]{3}$`)

// checkFederation checks that a federation is none or three letters.
func checkFederation(s string) error {
	if s != "" && !threeLetters.MatchString(s) {
		return say.Error("%q is no federation: write three letters, such as GER", s)
	}
	return nil
}

// folderName checks that a round can name a folder.
func folderName(s string) error {
	if strings.ContainsAny(s, "/\\") || strings.HasPrefix(s, ".") {
		return say.Error("%q names a folder: want letters and digits, such as 3", s)
	}
	return oneName(s)
}

// checkTables checks that each table has its own board.
func checkTables(c *Config) error {
	var errs []error
	taken := map[string]int{}
	for i, id := range c.ClubTables {
		if err := wire.CheckBoard(id); err != nil {
			errs = append(errs, blamed(entry("club.tables", i), "%v", err))
		} else if other, ok := taken[id]; ok {
			errs = append(errs, blamed(entry("club.tables", i), "board %s is at table %d already", id, other))
		}
		taken[id] = i + 1
	}
	return errors.Join(errs...)
}

// Signed is the word of mqtt.commands that allows signed commands.
const Signed = "signed"

// checkCommands checks that the list is on or off alone, or the words of commands.
func checkCommands(c *Config) error {
	var errs []error
	allowed := slices.DeleteFunc(wire.CommandWords(), func(word string) bool { return word == wire.DoSettle })
	for i, word := range c.MQTTCommands {
		switch {
		case (word == "on" || word == "off") && len(c.MQTTCommands) == 1, word == Signed:
		case word == wire.DoSettle:
			errs = append(errs, blamed(entry("mqtt.commands", i), "settle is never taken over MQTT: whoever may write there "+
				"could pass for another board; it is for the page"))
		case !slices.Contains(wire.CommandWords(), word):
			errs = append(errs, blamed(entry("mqtt.commands", i), "%q is no word of a command: want on or off alone, or some "+
				"of signed, %s", word, strings.Join(allowed, ", ")))
		}
	}
	return errors.Join(errs...)
}

// checkSigners checks that signed commands and the keys of those who sign them are both wanted, or neither is.
func checkSigners(c *Config) error {
	const both = "the file and the word signed in mqtt.commands go together: give both or neither"
	switch signed := slices.Contains(c.MQTTCommands, Signed); {
	case signed && c.CommandKeysFile == "":
		return blamed("mqtt.commands", both)
	case !signed && c.CommandKeysFile != "":
		return say.Error(both)
	}
	return awaited(c.CommandKeysFile)
}

// checkServer checks that the token is not sent over an address that others can read.
func checkServer(c *Config) error {
	u, err := url.Parse(c.LichessURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || u.Path != "" && u.Path != "/" {
		return say.Error("%q is no server: write https://lichess.org", c.LichessURL)
	}
	if host := u.Hostname(); u.Scheme == "http" && host != "localhost" && host != "127.0.0.1" {
		return say.Error("%q would send the token where everybody on the way reads it: write https", c.LichessURL)
	}
	return checkPort(c.LichessURL, u)
}

// account is the form of names of accounts.
var account = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{1,29}$`)

func checkOpponent(c *Config) error {
	switch {
	case !account.MatchString(c.LichessOpponent):
		return say.Error("%q is none: want computer, seek, anybody, or the name of an account", c.LichessOpponent)
	case c.LichessOpponent == "computer" && c.LichessRated:
		return blamed("lichess.rated", "games against the computer are never rated: set lichess.rated to false, or play "+
			"somebody else")
	}
	return nil
}

// Games for boards there are rapid or slower, blitz only by a challenge or against the computer. A game is taken to
// last as long, in seconds, as its minutes and forty increments.
const (
	rapid = 8 * 60
	blitz = 3 * 60
)

func checkPace(c *Config) error {
	length := 60*c.LichessMinutes + 40*c.LichessIncrement
	switch {
	case length < blitz:
		return say.Error("%d minutes and %d seconds a move are too fast for a board there: want 3 minutes at least",
			c.LichessMinutes, c.LichessIncrement)
	case length < rapid && c.LichessOpponent == "seek":
		return say.Error("%d minutes and %d seconds a move are blitz, which a board there plays only by a challenge or "+
			"against the computer: want 8 minutes, or 5 and 5 s a move", c.LichessMinutes, c.LichessIncrement)
	}
	return nil
}

func checkBroadcast(c *Config) error {
	if c.ClubLichess != "" && (strings.ContainsAny(c.ClubLichess, "/? ") || c.LichessTokenFile == "") {
		return say.Error("want the id of the round alone, such as BvVp7HNm, and lichess.token_file")
	}
	return nil
}
