// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/config"
	"boardd/sync/broker"
)

// TestDoctorLogsIn: the doctor finds a wrong password, and a broker that is not one.
func TestDoctorLogsIn(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	for _, c := range []struct{ user, password, want string }{
		{"table", "right\n", "lets this board in"},
		{"table", "wrong\n", "mqtt.password_file"},
	} {
		b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(dir, c.password),
			Users: []broker.User{{Name: "table", Password: "right", Board: "table"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(secret, []byte(c.password), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		d := &examination{out: &out}
		d.network(t.Context(), &config.Config{Board: "table", MQTTURL: b.URL(), MQTTUser: c.user, MQTTPasswordFile: secret})
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("password %q: got\n%swant %q", c.password, out.String(), c.want)
		}
		b.Close()
	}
}
