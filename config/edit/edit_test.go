// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"reflect"
	"strings"
	"testing"

	"boardd/config"
)

// TestSet: one value changes, and comments, order and everything else stay.
func TestSet(t *testing.T) {
	const file = "# my board\nboard: kitchen # its name\nhardware:\n  # of the shop\n  kind: stack   # one deck\n\n" +
		"  i2c: 'I''2C'\nleds: {cap_ma: 900}\ngame:\nweb:\n  listen: \"a:1\" # b\n  hosts:\n    - x\n  visitors:\n"
	for _, c := range []struct{ name, value, from, to string }{
		{"board", "hall", "board: kitchen # its", "board: hall # its"},
		{"hardware.kind", "twin", "kind: stack   # one", "kind: twin   # one"},
		{"hardware.i2c", "I2C3", "i2c: 'I''2C'", "i2c: I2C3"},
		{"web.listen", `"b:2"`, `listen: "a:1" # b`, `listen: "b:2" # b`},
		{"web.visitors", "player", "visitors:\n", "visitors: player\n"},
		{"hardware.hub", "/dev/x", "hardware:\n", "hardware:\n  hub: /dev/x\n"},
		{"game.white", "engine", "game:\n", "game:\n  white: engine\n"},
		{"state_dir", "/s", "# my board\n", "state_dir: /s\n# my board\n"},
		{"mqtt.url", "embedded", "visitors:\n", "visitors:\nmqtt:\n  url: embedded\n"},
	} {
		want := strings.Replace(file, c.from, c.to, 1)
		got, err := Set([]byte(file), c.name, c.value)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", c.name, err, got, want)
		}
		dos, err := Set([]byte(strings.ReplaceAll(file, "\n", "\r\n")), c.name, c.value)
		if err != nil || string(dos) != strings.ReplaceAll(want, "\n", "\r\n") {
			t.Errorf("%s with lines as Windows ends them: got %v\n%q", c.name, err, dos)
		}
	}
	for name, want := range map[string]string{"leds.cap_ma": "line 8", "web.hosts": "line 13"} {
		if got, err := Set([]byte(file), name, "1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v %s, want an error that names %s", name, err, got, want)
		}
	}
	if _, err := Set(nil, "board", "a\nb: c"); err == nil {
		t.Error("a value of two lines was taken")
	}
}

// TestEverySetting: in the text of all settings, setting any one to its own value changes nothing.
func TestEverySetting(t *testing.T) {
	c := config.Default()
	text := c.Text()
	for name, value := range c.Values() {
		if k := reflect.TypeOf(value).Kind(); k == reflect.Map || k == reflect.Slice {
			continue
		}
		word := "other"
		got, err := Set([]byte(text), name, word)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if changed := differing(text, string(got)); len(changed) != 1 || !strings.HasSuffix(changed[0], ": "+word) {
			t.Errorf("%s: changed %q", name, changed)
		}
	}
}

// differing returns the lines of the second text that differ from those of the first.
func differing(a, b string) (out []string) {
	before := strings.Split(a, "\n")
	for i, line := range strings.Split(b, "\n") {
		if i >= len(before) || before[i] != line {
			out = append(out, line)
		}
	}
	return out
}

func FuzzSet(f *testing.F) {
	f.Add("board: x\nhardware:\n  kind: stack # one\n", "hardware.kind", "twin")
	f.Add("web: {listen: a}\n", "web.listen", "b")
	f.Add("a: \"\\", "a", "b")
	f.Fuzz(func(t *testing.T, text, name, value string) {
		got, err := Set([]byte(text), name, value)
		if err == nil && !strings.Contains(string(got), value) {
			t.Errorf("%q, %q, %q: %q has not the value", text, name, value, got)
		}
	})
}
