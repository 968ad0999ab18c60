// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/config"
	"boardd/sync/broker"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// TestDoctorFindsAnotherClient: the doctor finds a client that uses the board's id at a broker. While the board runs,
// that client may be the board itself, and is left alone.
func TestDoctorFindsAnotherClient(t *testing.T) {
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c := config.Config{Board: "table", MQTTURL: b.URL(), StateDir: t.TempDir()}
	says := func() string {
		var out bytes.Buffer
		d := &examination{out: &out}
		d.network(t.Context(), &c)
		return out.String()
	}
	if got := says(); strings.Contains(got, "MEND") || !strings.Contains(got, "no other client uses boardd-table") {
		t.Errorf("without another client:\n%s", got)
	}
	lost := make(chan error, 100)
	o := mqtt.NewClientOptions().AddBroker(b.URL()).SetClientID("boardd-table").SetAutoReconnect(true).
		SetMaxReconnectInterval(100 * time.Millisecond)
	other := mqtt.NewClient(o.SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err }))
	if token := other.Connect(); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer other.Disconnect(0)
	if got := says(); !strings.Contains(got, "MEND") || !strings.Contains(got, "uses the id boardd-table") {
		t.Errorf("with another client:\n%s", got)
	}
	held, err := Hold(c.StateDir) // as the daemon does
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for len(lost) > 0 {
		<-lost
	}
	if got := says(); strings.Contains(got, "boardd-table") || len(lost) > 0 {
		t.Errorf("while the board runs, which lost its connection %d times:\n%s", len(lost), got)
	}
}

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
