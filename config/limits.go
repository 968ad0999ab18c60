// SPDX-License-Identifier: Apache-2.0

package config

import (
	"strings"

	"boardd/rules"
)

// words lists the words that a setting may be, nil if any text will do.
func words(name string) []string {
	switch name {
	case "hardware.kind":
		return []string{"stack", "twin", "scale", "reeds"}
	case "hardware.level":
		return []string{"bench", "clean", "club", "rough"}
	case "hardware.reeds":
		return ExpanderChips()
	case "leds.chip":
		return LightChips()
	case "web.visitors":
		return []string{"", "nothing", "spectator", "player", "workshop"}
	case "hardware.language":
		return []string{"en", "de", "fr", "es", "it"}
	case "game.takeback":
		return []string{"free", "consent", "never"}
	case "game.commit":
		return []string{"rest", "touch", "clock"}
	case "game.variant":
		var ids []string
		for _, v := range rules.Variants() {
			ids = append(ids, v.ID())
		}
		return ids
	}
	return nil
}

// limits is what a number may be, both ends included.
type limits struct {
	lo, hi float64
	unit   string
}

// span returns the limits of a setting that is a number.
func span(name string) (l limits, ok bool) {
	if strings.HasPrefix(name, "pieces.weights_g.") {
		name = "pieces.weights_g"
	}
	switch name {
	case "names.white_fide", "names.black_fide":
		return limits{0, 1 << 30, ""}, true
	case "lichess.level":
		return limits{1, 8, ""}, true
	case "lichess.minutes":
		return limits{0, 180, "minutes"}, true
	case "lichess.increment_s":
		return limits{0, 180, "s"}, true
	case "engine.level":
		return limits{1, 8, ""}, true
	case "engine.seconds":
		return limits{1, 3600, "s"}, true
	case "journal.budget_mb":
		return limits{8, 200, "MB"}, true
	case "leds.brightness":
		return limits{1, 100, "percent"}, true
	case "leds.gamma":
		return limits{1, 4, ""}, true
	case "leds.cap_ma":
		return limits{oneLight(1), 20000, "mA"}, true
	case "pieces.cube_height_mm":
		return limits{3, 80, "mm"}, true
	case "pieces.weights_g":
		return limits{5, 1000, "g"}, true
	case "game.queen_after_s":
		return limits{0, 3600, "s"}, true
	}
	return l, false
}

// What lights draw, in milliamperes: package leds/chain's figures for a dark light and for one at full white.
const (
	darkMA  = 1
	whiteMA = 50
)

// oneLight is the current, in milliamperes, of the lights of this many decks with one light white and all others dark.
// Less is useless.
func oneLight(decks int) float64 { return float64(64*decks)*darkMA + whiteMA }
