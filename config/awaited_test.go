// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoadToPlay: without a file, or with a setting, by which only a part beside the game cannot run, the board plays.
// With any other fault it does not.
func TestLoadToPlay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "board.yaml")
	load := func(text string) (Config, error, error) {
		t.Helper()
		text = "board: north\nstate_dir: state\nhardware:\n  virtual: true\n" + text
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return LoadToPlay(name)
	}
	for _, setting := range []string{"web:\n  token_file: gone\n", "web:\n  cert_file: gone\n  key_file: gone\n",
		"mqtt:\n  url: mqtt://north.example\n  user: north\n  password_file: gone\n", "lichess:\n  token_file: gone\n",
		"mqtt:\n  url: mqtt://north.example\n  commands:\n    - signed\n  command_keys_file: gone\n",
		"mqtt:\n  url: mqtts://north.example\n  ca_file: gone\n",
		"mqtt:\n  url: mqtts://north.example\n  cert_file: gone\n  key_file: gone\n",
		"mqtt:\n  url: mqtt://north.example\n  keys_file: gone\n",
		"mqtt:\n  url: embedded\n  user: north\n  accounts_file: gone\n",
		"mqtt:\n  url: embedded\n  listen: 0.0.0.0:1883\n",
		"mqtt:\n  url: embedded\n  listen_cert_file: gone\n  listen_key_file: gone\n  listen_ca_file: gone\n"} {
		c, missing, err := load(setting)
		if err != nil || missing == nil || !strings.Contains(missing.Error(), "gone") &&
			!strings.Contains(setting, "0.0.0.0") || c.Board != "north" || !c.Virtual {
			t.Errorf("%s: %v, missing %v", setting, err, missing)
		}
		if _, missing, err := load("language: xx\n" + setting); err == nil || missing != nil {
			t.Errorf("%s, and another fault: %v, missing %v", setting, err, missing)
		}
	}
	if _, missing, err := load(""); err != nil || missing != nil {
		t.Errorf("nothing is wrong: %v, missing %v", err, missing)
	}
}
