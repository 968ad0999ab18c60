// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
)

// takenOver lists the settings that a running daemon takes over when the file is read again. All others need a
// restart.
var takenOver = []string{"leds.brightness", "leds.gamma", "leds.cap_ma", "game.takeback", "game.commit",
	"game.queen_after_s"}

// readAgain lists the settings whose files a running daemon reads again.
var readAgain = []string{"web.token_file", "mqtt.accounts_file", "mqtt.password_file", "mqtt.keys_file",
	"mqtt.command_keys_file", "mqtt.ca_file", "mqtt.cert_file", "mqtt.key_file"}

// Adopt takes over from another configuration what can be changed while the daemon runs. It returns the settings that
// differed: those it has taken over, and those that need a restart. A setting differs too if only the content of the
// file that it names has changed.
func (c *Config) Adopt(from *Config) (taken, restart []string) {
	for _, s := range settings() {
		mine, theirs := reflect.ValueOf(s.field(c)).Elem(), reflect.ValueOf(s.field(from)).Elem()
		switch {
		case reflect.DeepEqual(mine.Interface(), theirs.Interface()):
			switch {
			case c.held[s.name] == from.held[s.name]:
			case slices.Contains(readAgain, s.name):
				c.hold(s.name, from.held[s.name])
				taken = append(taken, s.name+" (what the file holds)")
			default:
				restart = append(restart, s.name+" (what the file holds)")
			}
		case s.name == "mqtt.url" && c.MQTTInside && from.MQTTURL == "embedded":
		case slices.Contains(takenOver, s.name):
			mine.Set(theirs)
			taken = append(taken, s.name)
		default:
			restart = append(restart, s.name)
		}
	}
	return taken, restart
}

// Handed lists the settings of a configuration that was read again whose files systemd hands over, and that are what
// they were. systemd hands over a changed one when the service is started. At a reload it does so from version 260 on,
// and only if the unit says RefreshOnReload=credentials.
func (c *Config) Handed(again *Config) (same []string) {
	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	for _, f := range again.Files() {
		if dir != "" && filepath.Dir(f.Path) == filepath.Clean(dir) && c.held[f.Setting] == again.held[f.Setting] {
			same = append(same, f.Setting)
		}
	}
	return same
}
