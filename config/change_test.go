// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestAdopt: every setting that differs is either taken over or needs a restart. For a changed secret only the name of
// the setting is returned.
func TestAdopt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "word")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first")
	files := "mqtt:\n  password_file: " + name + "\n  ca_file: " + name + "\nlichess:\n  token_file: " + name + "\n"
	now, err := Parse("it", []byte(files))
	if err != nil {
		t.Fatal(err)
	}
	write("second")
	next, err := Parse("it", []byte("board: other\nleds: {brightness: 10}\ngame: {queen_after_s: 9}\n"+files))
	if err != nil {
		t.Fatal(err)
	}
	taken, restart := now.Adopt(&next)
	if want := []string{"leds.brightness", "game.queen_after_s", "mqtt.password_file (what the file holds)",
		"mqtt.ca_file (what the file holds)"}; !reflect.DeepEqual(taken, want) {
		t.Errorf("taken %v, want %v", taken, want)
	}
	if want := []string{"board", "lichess.token_file (what the file holds)"}; !reflect.DeepEqual(restart, want) {
		t.Errorf("need a restart %v, want %v", restart, want)
	}
	if taken, _ = now.Adopt(&next); len(taken) > 0 {
		t.Errorf("taken a second time: %v", taken)
	}
	if now.Brightness != 10 || now.Board != "board" || strings.Contains(strings.Join(restart, ""), "second") {
		t.Errorf("brightness %d, board %s", now.Brightness, now.Board)
	}
}

// TestAdoptBuiltIn: the address of the built-in broker, which takes the place of the word in the file, is no change.
func TestAdoptBuiltIn(t *testing.T) {
	for text, want := range map[string]string{"mqtt: {url: embedded}\n": "", "mqtt: {url: \"tcp://a\"}\n": "mqtt.url",
		"mqtt: {url: embedded, listen: \"127.0.0.1:1\"}\n": "mqtt.listen"} {
		now, err := Parse("it", []byte("mqtt: {url: embedded}\n"))
		if err != nil {
			t.Fatal(err)
		}
		now.MQTTURL, now.MQTTInside = "tcp://127.0.0.1:1883", true
		next, err := Parse("it", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if taken, restart := now.Adopt(&next); len(taken) > 0 || strings.Join(restart, " ") != want {
			t.Errorf("%s: taken %v, need a restart %v, want %q", text, taken, restart, want)
		}
	}
}

// TestHanded: after a reload it is known which secrets systemd has not handed over again.
func TestHanded(t *testing.T) {
	dir, beside := t.TempDir(), filepath.Join(t.TempDir(), "ca")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() Config {
		t.Helper()
		c, err := Parse("it", []byte("mqtt:\n  password_file: credential:word\n  ca_file: "+beside+
			"\nweb:\n  token_file: credential:tokens\n"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Setenv("CREDENTIALS_DIRECTORY", dir+"/")
	write(filepath.Join(dir, "word"), "first")
	write(filepath.Join(dir, "tokens"), "player 8WqLrzBLvMHw")
	write(beside, "an authority")
	now := read()
	next := read()
	if got, want := now.Handed(&next), []string{"mqtt.password_file", "web.token_file"}; !reflect.DeepEqual(got, want) &&
		!reflect.DeepEqual(got, []string{want[1], want[0]}) {
		t.Errorf("nothing was handed over again: %v, want %v", got, want)
	}
	write(filepath.Join(dir, "word"), "second")
	next = read()
	if got, want := now.Handed(&next), []string{"web.token_file"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the password was handed over again: %v, want %v", got, want)
	}
	t.Setenv("CREDENTIALS_DIRECTORY", "")
	if got := now.Handed(&next); got != nil {
		t.Errorf("no service of systemd: %v", got)
	}
}

// TestBesideStopsNoCommand: what keeps only the built-in broker from running is a fault for check. It stops neither
// the daemon nor a command that works with the games.
func TestBesideStopsNoCommand(t *testing.T) {
	name := filepath.Join(t.TempDir(), "board.yaml")
	for text, beside := range map[string]bool{
		"mqtt: {url: embedded, listen: \"0.0.0.0:1883\"}\n":             true,
		"mqtt: {url: embedded, listen: \"0.0.0.0:1883\"}\nboard: a/b\n": false,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadToCheck(name); err == nil {
			t.Errorf("%q: check finds nothing", text)
		}
		if _, missing, err := LoadToPlay(name); (err == nil) != beside || (missing != nil) != beside {
			t.Errorf("%q: the daemon: %v, %v", text, missing, err)
		}
		if c, err := LoadWithoutCredentials(name); (err == nil) != beside || beside && c.MQTTURL != "embedded" {
			t.Errorf("%q: a command: %v", text, err)
		}
	}
}
