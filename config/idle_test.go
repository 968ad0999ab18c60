// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// idleOf lists the settings of a text that are said to have no effect.
func idleOf(t *testing.T, src string) string {
	t.Helper()
	c, err := Parse("x.yaml", []byte(src))
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	var names []string
	if f := c.Idle(); f != nil {
		for _, x := range f.List {
			names = append(names, x.Setting)
		}
	}
	return strings.Join(names, " ")
}

// TestIdle: a setting that has no effect because another one is missing is named with its place and what would be
// right.
func TestIdle(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ src, want string }{
		{"mqtt: {listen: '0.0.0.0:1883'}", "mqtt.listen"},
		{"mqtt: {listen: '127.0.0.1:1883'}", "mqtt.listen"}, // its default, but nothing says that no broker is wanted
		{"mqtt: {listen: '127.0.0.1:1883', url: ''}", ""},
		{"mqtt: {listen: '127.0.0.1:1884', url: ''}", "mqtt.listen"},
		{"mqtt: {listen: '0.0.0.0:1883', url: 'mqtt://host:1883'}", "mqtt.listen"},
		{"mqtt: {accounts_file: FILE, user: anna}", "mqtt.accounts_file mqtt.user"},
		{"mqtt: {url: embedded, accounts_file: FILE, user: anna, password_file: FILE, listen: '0.0.0.0:1883'}", ""},
		{"mqtt: {url: embedded, user: anna, password_file: FILE}", "mqtt.user mqtt.password_file"},
		{"mqtt: {url: embedded, listen_ca_file: FILE}", "mqtt.listen_ca_file"},
		{"mqtt: {url: embedded, listen_cert_file: FILE, listen_key_file: FILE, listen_ca_file: FILE, cert_file: FILE, " +
			"key_file: FILE}", ""},
		{"mqtt: {url: embedded, ca_file: FILE}", "mqtt.ca_file"},
		{"mqtt: {url: 'mqtt://host', ca_file: FILE, cert_file: FILE, key_file: FILE}",
			"mqtt.ca_file mqtt.cert_file mqtt.key_file"},
		{"mqtt: {url: 'mqtts://host', ca_file: FILE, cert_file: FILE, key_file: FILE}", ""},
		{"mqtt: {url: 'mqtt://host', password_file: FILE}", "mqtt.password_file"},
		{"mqtt: {commands: [signed], command_keys_file: FILE, keys_file: FILE, home_assistant: true}",
			"mqtt.commands mqtt.command_keys_file mqtt.keys_file mqtt.home_assistant"},
		{"mqtt: {sign: false}", ""}, // games of one board are signed too
		{"club: {tables: [a, b]}", "club.tables"},
		{"livechess: {origins: [example.org]}", "livechess.origins"},
		{"livechess: {origins: [example.org], listen: '127.0.0.1:1982'}", ""},
		{"lichess: {opponent: seek, level: 3}", "lichess.opponent lichess.level"},
		{"lichess: {opponent: seek, token_file: FILE}", ""},
		{"lichess: {opponent: seek, level: 4, token_file: FILE}", "lichess.level"},
		{"web: {listen: '', visitors: player, token_file: FILE, hosts: [a]}", "web.visitors web.token_file web.hosts"},
		{"web: {listen: '', hosts: [a]}\nlivechess: {listen: '127.0.0.1:1982'}", ""},
		{"web: {visitors: player}", ""}, // the page is served if nothing is said
		{"hardware: {level: rough}", "hardware.level"},
		{"hardware: {level: rough, virtual: true}", ""},
		{"hardware: {kind: twin, hub: /dev/x}", "hardware.hub"},
		{"hardware: {kind: twin, hub: /dev/x, virtual: true}", ""}, // a virtual board tries any configuration
		{"hardware: {language: de}", "hardware.language"},
		{"hardware: {language: de, display: I2C3}", ""},
		{"hardware: {spi: ''}\nleds: {brightness: 20}", "leds.brightness"},
	} {
		if got := idleOf(t, strings.ReplaceAll(test.src, "FILE", file)); got != test.want {
			t.Errorf("%s\nwithout effect: %q, want %q", test.src, got, test.want)
		}
	}
	c, err := Parse("x.yaml", []byte("board: a\nmqtt:\n  listen: 0.0.0.0:1883\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "x.yaml:3:11: mqtt.listen: has no effect: no built-in broker runs here: set mqtt.url to embedded, or take " +
		"this line out\n     3 |   listen: 0.0.0.0:1883\n       |           ^"
	if got := c.Idle().Error(); got != want {
		t.Errorf("said is\n%s\nwant\n%s", got, want)
	}
}

// TestIdleSamples: all settings of the samples count, and the reference says what it depends on by its defaults.
func TestIdleSamples(t *testing.T) {
	names, err := filepath.Glob("samples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if c, _ := Parse(name, src); c.Idle() != nil { // the files that they name are not here
			t.Errorf("%v", c.Idle())
		}
	}
	if got := idleOf(t, Reference()); got != "" {
		t.Errorf("the reference: %s", got)
	}
}

// TestDependences: every name of the table is that of a setting.
func TestDependences(t *testing.T) {
	for _, d := range dependences() {
		for _, name := range append(strings.Fields(d.of), d.on) {
			one, found := dependence{of: name}, false
			for _, s := range settings() {
				found = found || one.covers(s.name)
			}
			if !found {
				t.Errorf("%q is no setting", name)
			}
		}
	}
}
