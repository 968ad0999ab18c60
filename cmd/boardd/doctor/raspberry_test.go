// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"boardd/config"
)

// TestDoctorRaspberry: each model has lines of its own; those that are there, in any form, are not asked for.
func TestDoctorRaspberry(t *testing.T) {
	for _, k := range []struct{ model, config, says string }{
		{"Raspberry Pi Zero 2 W Rev 1.0\x00", "", "lacks core_freq=250, dtoverlay=i2c-gpio,bus=3"},
		{"Raspberry Pi 3 Model B Plus Rev 1.3\x00", "core_freq=250\n", "lacks dtoverlay=i2c-gpio,bus=3"},
		{"Raspberry Pi 4 Model B Rev 1.4\x00", "#core_freq=500\n", "lacks core_freq=500, core_freq_min=500, " +
			"dtoverlay=i2c3,pins_4_5"},
		{"Raspberry Pi 4 Model B Rev 1.4\x00", " core_freq=500 # lights\ncore_freq_min=500\ndtoverlay=i2c3\n",
			"ok    computer"},
		{"Raspberry Pi 4 Model B", "core_freq=500\ncore_freq_min=500\ndtoverlay=boardd-display-4\n", "ok    computer"},
		{"Raspberry Pi 3 Model B", "core_freq=250\ndtoverlay=boardd-display\n", "ok    computer"},
		{"Raspberry Pi 3 Model B", "core_freq=250\ndtoverlay=boardd-display-4\n", "lacks dtoverlay=i2c-gpio,bus=3"},
		{"Raspberry Pi 400 Rev 1.0\x00", "", "lacks core_freq=500"},
		{"Raspberry Pi 5 Model B Rev 1.0\x00", bitBanged + "\n", "ok    computer"},
		{"Raspberry Pi Compute Module 3 Plus Rev 1.0\x00", "", "lacks core_freq=250, dtoverlay=i2c-gpio,bus=3"},
		{"Raspberry Pi Compute Module 4 Rev 1.1\x00", "core_freq=500\n", "lacks core_freq_min=500, dtoverlay=i2c3,pins_4_5"},
		{"Raspberry Pi Compute Module 5 Lite Rev 1.0\x00", bitBanged + "\n", "ok    computer"},
		{"Raspberry Pi Compute Module Rev 1.0\x00", "", "knows no settings for this one"},
		{"Raspberry Pi 2 Model B Rev 1.1\x00", "", "knows no settings for this one"},
		{"Another Board\x00", "", ""},
	} {
		c := config.Default()
		c.Display = "I2C3"
		var out bytes.Buffer
		d := &examination{out: &out, root: t.TempDir()}
		put(t, d.root, "proc/device-tree/model", k.model, 0o644)
		put(t, d.root, "boot/firmware/config.txt", k.config, 0o644)
		d.raspberry(&c)
		if got := out.String(); k.says == "" && got != "" || !strings.Contains(got, k.says) {
			t.Errorf("%q with %q: got %q, want %q", k.model, k.config, got, k.says)
		}
	}
}

// TestGuideHasTheTable: what the doctor asks for stands in the guide.
func TestGuideHasTheTable(t *testing.T) {
	guide, err := os.ReadFile("../../../hardware/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		for _, line := range append(m.lights, m.display) {
			if !strings.Contains(string(guide), "`"+line+"`") {
				t.Errorf("%s: the guide does not say %s", m.name, line)
			}
		}
	}
}
