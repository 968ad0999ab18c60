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
	files := "mqtt:\n  password_file: " + name + "\n  ca_file: " + name + "\n"
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
	if want := []string{"leds.brightness", "game.queen_after_s",
		"mqtt.password_file (what the file holds)"}; !reflect.DeepEqual(taken, want) {
		t.Errorf("taken %v, want %v", taken, want)
	}
	if want := []string{"board", "mqtt.ca_file (what the file holds)"}; !reflect.DeepEqual(restart, want) {
		t.Errorf("need a restart %v, want %v", restart, want)
	}
	if taken, _ = now.Adopt(&next); len(taken) > 0 {
		t.Errorf("taken a second time: %v", taken)
	}
	if now.Brightness != 10 || now.Board != "board" || strings.Contains(strings.Join(restart, ""), "second") {
		t.Errorf("brightness %d, board %s", now.Brightness, now.Board)
	}
}
