// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSettings: each model has what the image's own config.txt says for it, and nothing that is another's.
func TestSettings(t *testing.T) {
	own, err := os.ReadFile("../../../systemd/card/files/etc/default/raspi-firmware-custom")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		got := settings("arm_64bit=1 # for all\n\n"+string(own)+"\nlast=1\n", m)
		display, clock := "dtoverlay=boardd-display", "core_freq=250"
		if strings.HasPrefix(m.tree, "bcm2711") {
			display, clock = "dtoverlay=boardd-display-4", "core_freq=500"
		}
		for _, want := range []string{"arm_64bit=1", "dtoverlay=boardd", display, clock, "last=1"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s lacks %s: %q", m.name, want, got)
			}
		}
		if n := len(slices.DeleteFunc(got, func(l string) bool { return !strings.HasPrefix(l, "dtoverlay=") })); n != 2 {
			t.Errorf("%s has %d overlays, want 2: %q", m.name, n, got)
		}
	}
}

// TestOffset: the first partition is found where the table says, and a file that is no image is refused.
func TestOffset(t *testing.T) {
	var head [512]byte
	head[510], head[511], head[446+4], head[446+9] = 0x55, 0xAA, 0x0c, 0x20 // from sector 8192 on
	file := filepath.Join(t.TempDir(), "image")
	put := func() {
		if err := os.WriteFile(file, head[:], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if at, err := offset(file); at != 4<<20 || err != nil {
		t.Errorf("got %d, %v, want 4 MiB", at, err)
	}
	head[446+4] = 0x83
	put()
	if _, err := offset(file); err == nil || !strings.Contains(err.Error(), "is not FAT") {
		t.Errorf("ext4 first: %v", err)
	}
	head[510] = 0
	put()
	if _, err := offset(file); err == nil {
		t.Error("no table is no error")
	}
}
