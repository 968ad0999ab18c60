// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"boardd/leds"
	"boardd/sensing/wood"
)

// hues are what the words for colors in docs/play.md mean: degrees on the color circle, from and to. Grey and white
// have none.
var hues = map[string][2]float64{
	"green": {90, 165}, "blue": {210, 250}, "red": {0, 15}, "violet": {260, 295}, "dim amber": {25, 45},
	"amber": {25, 45}, "light blue": {180, 205}, "dark red": {350, 365}, "pink": {332, 345}, "dark pink": {320, 332},
	"dim lilac": {230, 250}, "light red": {-5, 10},
}

// hue of a color, 0 to 360, and how colorful it is, 0 to 1.
func hue(r, g, b float64) (degrees, saturation float64) {
	high, low := max(r, g, b), min(r, g, b)
	if high == low {
		return 0, 0
	}
	switch high {
	case r:
		degrees = math.Mod((g-b)/(high-low)+6, 6)
	case g:
		degrees = (b-r)/(high-low) + 2
	default:
		degrees = (r-g)/(high-low) + 4
	}
	return 60 * degrees, (high - low) / high
}

// TestColorsOfLights: the color that docs/play.md names for each light is that of the board's light, and of the same
// light on the page.
func TestColorsOfLights(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "docs/play.md"), "| light | means |")
	style := read(t, "sync/web/page/style.css")
	for _, l := range []struct{ field, kind, color, row string }{
		{"Quiet", "quiet", "green", "| green | the lifted piece may go to this empty square |"},
		{"Stack", "stack", "blue", "| blue | it may go onto the piece here |"},
		{"Capture", "capture", "red", "| red | it may capture here |"},
		{"Special", "special", "violet", "| violet | castling or promotion |"},
		{"Origin", "origin", "grey", "| grey | the lifted piece came from here |"},
		{"Locked", "locked", "dim amber", "| dim amber | a locked piece |"},
		{"Stuck", "stuck", "dark red", "| dark red | the lifted piece cannot move |"},
		{"Check", "check", "pink", "| pink | this king is in check |"},
		{"From", "from", "amber", "take the piece from the amber square"},
		{"To", "to", "light blue", "put it on the light blue one"},
		{"Held", "unsent", "dim lilac", "| dim lilac | your move does not count yet"},
		{"Wrong", "wrong", "light red", "| light red | the pieces here differ from the game"},
		{"Alarm", "alarm", "dark pink", "| the four corners, dark pink | the game cannot be saved"},
		{"Choice", "answer", "white", "| white | a question"},
	} {
		if !strings.Contains(table, l.row) {
			t.Errorf("docs/play.md has no longer %q", l.row)
		}
		var v leds.View
		reflect.ValueOf(&v).Elem().FieldByName(l.field).Addr().Interface().(*wood.Set).Add(0)
		if got := leds.Meanings(&v)[0]; got != l.kind {
			t.Errorf("%s is named %q, want %q", l.field, got, l.kind)
		}
		board := leds.Paint(&v)[0][0]
		colors := map[string][3]float64{"the board": {float64(board.R), float64(board.G), float64(board.B)}}
		var page [3]int
		hex := regexp.MustCompile(`(?m)^\.` + l.kind + `:is\(\.lit, \.badge\) \{\s+--c: #([0-9a-f]{6});`).FindStringSubmatch(style)
		if hex == nil {
			t.Errorf("the page has no color for %s", l.kind)
			continue
		}
		if _, err := fmt.Sscanf(hex[1], "%02x%02x%02x", &page[0], &page[1], &page[2]); err != nil {
			t.Fatal(err)
		}
		colors["the page"] = [3]float64{float64(page[0]), float64(page[1]), float64(page[2])}
		for where, c := range colors {
			at, saturation := hue(c[0], c[1], c[2])
			if want, ok := hues[l.color]; ok {
				if near := math.Mod(at-want[0]+360, 360); near > want[1]-want[0] || saturation < 0.2 {
					t.Errorf("%s: %s has the hue %.0f, saturation %.1f, which is not %s", l.kind, where, at, saturation, l.color)
				}
			} else if saturation > 0.05 {
				t.Errorf("%s: %s has a color, want %s", l.kind, where, l.color)
			}
		}
	}
}
