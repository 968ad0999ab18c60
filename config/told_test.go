// SPDX-License-Identifier: Apache-2.0

package config

import (
	"strings"
	"testing"
)

// TestTold: what is said of a value, in the words and figures in which people write it.
func TestTold(t *testing.T) {
	for src, want := range map[string]string{
		"mqtt:\n  url: mqtt://a:99999\n":             `it:2:8: mqtt.url: "mqtt://a:99999" has an impossible port: use 1 to 65535`,
		"mqtt:\n  url: mqtts://a:8883,mqtts://a:0\n": `it:2:8: mqtt.url: "mqtts://a:0" has an impossible port`,
		"mqtt:\n  url: mqtt://:1883\n":               `it:2:8: mqtt.url: "mqtt://:1883" is no broker`,
		"lichess:\n  url: https://a:65536\n":         `it:2:8: lichess.url: "https://a:65536" has an impossible port`,
		"lichess:\n  url: https://:443\n":            `it:2:8: lichess.url: "https://:443" is no server`,
		"names:\n  white_federation: Germany\n": `it:2:21: names.white_federation: "Germany" is no federation: write ` +
			`three letters, such as GER`,
		"names:\n  black_federation: \"49 \"\n":   `it:2:21: names.black_federation: "49 " is no federation`,
		"game:\n  queen_after_s: 999999999\n":     `game.queen_after_s: 999999999 s is out of range: use 0 to 3600`,
		"names:\n  white_fide: 9999999999\n":      `names.white_fide: 9999999999 is out of range: use 0 to 1073741824`,
		"names:\n  white_fide: -1\n":              `names.white_fide: -1 is out of range: use 0 to 1073741824`,
		"names:\n  white_fide: many\n":            `names.white_fide: "many" is no whole number: use 0 to 1073741824`,
		"pieces:\n  cube_height_mm: 1000000000\n": `pieces.cube_height_mm: 1000000000 mm is out of range: use 3 to 80`,
		"leds:\n  gamma: 4.25\n":                  `leds.gamma: 4.25 is out of range: use 1 to 4`,
		"&a board: north\n":                       `it:1:1: a YAML anchor, alias or tag stands here: settings are written name: value`,
		"&a board: *a\n":                          `it:1:1: a YAML anchor, alias or tag stands here: settings are written name: value`,
		"board: &a north\n":                       `it:1:8: board: a YAML anchor, alias or tag is no text`,
		"web:\n  !!str listen: :80\n":             `it:2:3: web: a YAML anchor, alias or tag stands here`,
		"web:\n  <<: {listen: :80}\n":             `it:2:3: web: a YAML anchor, alias or tag stands here`,
		"pieces:\n  weights_g:\n    &a p: 20\n":   `it:3:5: pieces.weights_g: a YAML anchor, alias or tag stands here`,
		"engine:\n  options:\n    &a Hash: 16\n":  `it:3:5: engine.options: a YAML anchor, alias or tag stands here`,
	} {
		_, err := Parse("it", []byte(src))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "it:") != 1 {
			t.Errorf("%q: got\n%v\nwant one fault, with\n%s", src, err, want)
		}
	}
	for _, sound := range []string{"mqtt:\n  url: mqtt://a,mqtt://[::1]:65535\n",
		"lichess:\n  url: http://localhost:9663\n",
		"names:\n  white_federation: GER\n  black_federation:\n  white_fide: 1073741824\n"} {
		if _, err := Parse("it", []byte(sound)); err != nil {
			t.Errorf("%q: %v", sound, err)
		}
	}
}
