// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// checkExpanders checks the wiring of the reeds.
func checkExpanders(c *Config) error {
	const setting = "hardware.expanders"
	if len(c.Expanders) == 0 {
		return nil
	}
	chips, err := chipsOf(setting, c.Expanders, c.expanderFamily())
	if err != nil {
		return err // what is missing is known only when all lines can be read
	}
	decks := []sensing.Deck{sensing.Lower}
	if c.Kind == "twin" {
		decks = append(decks, sensing.Upper)
	}
	return errors.Join(wiredOnce(setting, chips, decks), wiredApart(setting, chips))
}

// checkMultiplexers checks the wiring of the height sensors, and that no expander has a multiplexer's address.
func checkMultiplexers(c *Config) error {
	const setting = "hardware.multiplexers"
	var errs []error
	if len(c.Multiplexers) > 0 && c.Kind != "twin" {
		return fmt.Errorf("a %s board has no height sensors: take them out, or set hardware.kind to twin", c.Kind)
	}
	if len(c.Multiplexers) > 0 {
		chips, err := chipsOf(setting, c.Multiplexers, pca9548)
		if err != nil {
			return err
		}
		errs = append(errs, wiredOnce(setting, chips, []sensing.Deck{sensing.Lower}), wiredApart(setting, chips))
	}
	expanders, err := chipsOf("", c.Expanders, c.expanderFamily())
	if err != nil {
		return errors.Join(errs...) // reported for the expanders
	}
	for i := range expanders {
		at := slices.IndexFunc(c.HeightChips(), func(m Wired) bool { return m.Address == expanders[i].Address })
		if at >= 0 {
			errs = append(errs, blamed(entry("hardware.expanders", i), "0x%02x is the address of a multiplexer as well, that "+
				"of %s: set the address pins of one of them otherwise",
				expanders[i].Address, nameAll(c.HeightChips()[at].Squares)))
		}
	}
	return errors.Join(errs...)
}

// wiredApart checks that all chips have different addresses. Two chips on one address answer together, so that their
// data is useless.
func wiredApart(setting string, chips []Wired) error {
	var errs []error
	for i := range chips {
		if j := slices.IndexFunc(chips[:i], func(w Wired) bool { return w.Address == chips[i].Address }); j >= 0 {
			errs = append(errs, blamed(entry(setting, i), "0x%02x is the address of the chip of %s as well: set the address "+
				"pins of one of them otherwise",
				chips[i].Address, nameAll(chips[j].Squares)))
		}
	}
	return errors.Join(errs...)
}

// wiredOnce checks that every square of the decks has one input.
func wiredOnce(setting string, chips []Wired, decks []sensing.Deck) error {
	var errs []error
	var by [2][64]*Wired
	for i := range chips {
		w := &chips[i]
		if !slices.Contains(decks, w.Deck) {
			errs = append(errs, blamed(entry(setting, i), "there is no %v deck here: leave the word out, or set "+
				"hardware.kind to twin", w.Deck))
			continue
		}
		var twice []rules.Square
		first := w
		for _, sq := range w.Squares {
			if sq == rules.NoSquare {
				continue
			}
			if other := by[w.Deck][sq]; other != nil {
				twice, first = append(twice, sq), other
				continue
			}
			by[w.Deck][sq] = w
		}
		if twice != nil {
			errs = append(errs, blamed(entry(setting, i), "%s wired twice, here and at %v: every square wants one input",
				are(nameAll(twice), len(twice)), first))
		}
	}
	for _, d := range decks {
		var none []rules.Square
		for sq, w := range by[d] {
			if w == nil {
				none = append(none, rules.Square(sq))
			}
		}
		if none != nil {
			errs = append(errs, fmt.Errorf("%s wired to no chip on the %v deck: every square wants one input",
				are(nameAll(none), len(none)), d))
		}
	}
	return errors.Join(errs...)
}

func are(names string, n int) string {
	if n == 1 {
		return names + " is"
	}
	return names + " are"
}

// Geometry is what the configured board can sense, and the figures of its pieces, before any calibration.
func (c *Config) Geometry() wood.Geometry {
	g := wood.Reference()
	g.TwoDecks, g.Weights, g.Heights, g.Scale = c.Kind == "twin", c.Kind == "stack", c.Kind == "twin", c.Kind == "scale"
	g.CubeHeight = int32(c.CubeHeightMM * 1000)
	for _, letter := range letters { // small letters first: a capital one overrides for White
		grams, ok := c.WeightsG[letter]
		if !ok {
			continue
		}
		g.Mass[letter[0]] = int32(grams * 1000)
		if small := strings.ToLower(letter); small == letter {
			g.Mass[strings.ToUpper(letter)[0]] = int32(grams * 1000)
		}
	}
	return g
}
