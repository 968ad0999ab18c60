// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"boardd/config"
)

// TestLists: the doctor and boardd check name each list in which a line is wrong.
func TestLists(t *testing.T) {
	dir, c := t.TempDir(), config.Default()
	c.MQTTURL = "embedded"
	for setting, f := range map[string]struct {
		path *string
		bad  string
	}{
		"web.token_file":         {&c.WebTokenFile, "player short\n"},
		"mqtt.accounts_file":     {&c.MQTTAccountsFile, "oslo secret12345 boards=oslo\n"},
		"mqtt.keys_file":         {&c.KeysFile, "oslo\n"},
		"mqtt.command_keys_file": {&c.CommandKeysFile, "arbiter key\n"},
	} {
		*f.path = filepath.Join(dir, setting)
		good := "# nobody yet\n"
		if setting == "mqtt.accounts_file" { // without accounts the broker would serve everybody on its machine
			good = "oslo secret12345\n"
		}
		put(t, dir, setting, good, 0o600)
		if err := Lists(&c); err != nil {
			t.Errorf("%s: %v", setting, err)
		}
		put(t, dir, setting, f.bad, 0o600)
		if err := Lists(&c); err == nil || !strings.Contains(err.Error(), setting+": "+*f.path+": line 1: ") {
			t.Errorf("%s: check says %v", setting, err)
		}
		if got := examined(t, &c); strings.Count(got, "MEND") != 1 || !strings.Contains(got, setting) {
			t.Errorf("%s: the doctor says\n%s", setting, got)
		}
		put(t, dir, setting, good, 0o600)
	}
}

// TestListsHandedOver: lists that systemd hands to the service alone are no fault.
func TestListsHandedOver(t *testing.T) {
	c := config.Default()
	c.MQTTURL, c.WebTokenFile, c.MQTTAccountsFile = "embedded", "credential:tokens", "credential:accounts"
	c.KeysFile, c.CommandKeysFile = "credential:keys", "credential:signers"
	if err := Lists(&c); err != nil {
		t.Error(err)
	}
	if got := examined(t, &c); strings.Contains(got, "MEND") || strings.Count(got, "systemd hands") != 4 {
		t.Error(got)
	}
}

// examined is what the doctor says of lists and broker.
func examined(t *testing.T, c *config.Config) string {
	t.Helper()
	var out bytes.Buffer
	d := &examination{out: &out}
	c.StateDir, c.WebListen, c.MQTTListen = t.TempDir(), "127.0.0.1:0", "127.0.0.1:0"
	d.lists(c)
	d.signers(c)
	d.network(t.Context(), c)
	return out.String()
}
