// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"context"
	"errors"
	"net"
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

// TestDoctorLosesItsPlaceAtOnce: another client with the board's id may be back before the broker has answered. Then
// the connection is closed without an answer, and that is not for a password.
func TestDoctorLosesItsPlaceAtOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			hello := make([]byte, 200)
			if n, _ := conn.Read(hello); bytes.Contains(hello[:n], []byte("boardd-doctor-")) {
				_, _ = conn.Write([]byte{0x20, 2, 0, 0}) // CONNACK: accepted
				_, _ = conn.Read(hello)
			}
			conn.Close()
		}
	}()
	var out bytes.Buffer
	d := &examination{out: &out}
	d.network(t.Context(), &config.Config{Board: "table", MQTTURL: "mqtt://" + l.Addr().String(), StateDir: t.TempDir()})
	if got := out.String(); !strings.Contains(got, "another client uses the id boardd-table") ||
		!strings.Contains(got, "lets this board in") {
		t.Errorf("closed without an answer:\n%s", got)
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
		d.network(t.Context(), &config.Config{Board: "table", MQTTURL: b.URL(), StateDir: t.TempDir(),
			MQTTUser: c.user, MQTTPasswordFile: secret})
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("password %q: got\n%swant %q", c.password, out.String(), c.want)
		}
		b.Close()
	}
}

// fakeClient is a client at a broker that closes no connection.
type fakeClient struct{ mqtt.Client }

func (fakeClient) Disconnect(uint) {}

// TestDoctorAlone: the doctor says that no other client is there only if it has looked. So it does not where it cannot
// tell whether the board runs, or is stopped too early. Where no board has run, it says nothing. It makes no file.
func TestDoctorAlone(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "file", "", 0o600)
	held, err := Hold(filepath.Join(dir, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := os.Mkdir(filepath.Join(dir, "stands"), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		state   string
		stopped bool
		login   error
		want    string // "" for nothing
	}{
		"a board that runs":            {state: "runs"},
		"no folder":                    {state: "none"},
		"not named":                    {},
		"no folder that can be locked": {state: "file", want: "MEND  client id at broker"},
		"stopped":                      {state: "stands", stopped: true},
		"stopped while logging in":     {state: "stands", stopped: true, login: errors.New("no answer")},
		"refused":                      {state: "stands", login: errors.New("no answer"), want: "MEND  client id at broker"},
		"alone":                        {state: "stands", want: "no other client uses boardd-table"},
	} {
		conf := config.Config{Board: "table"}
		if c.state != "" {
			conf.StateDir = filepath.Join(dir, c.state)
		}
		ctx, stop := context.WithCancel(t.Context())
		if c.stopped {
			stop()
		}
		var out bytes.Buffer
		(&examination{out: &out}).alone(ctx, "broker", &conf, func(string) (mqtt.Client, <-chan error, error) {
			return fakeClient{}, nil, c.login
		})
		stop()
		if got := out.String(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%swant %q", name, got, c.want)
		}
	}
	for _, name := range []string{"lock", filepath.Join(dir, "stands", "lock"), filepath.Join(dir, "lock")} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

// TestInterruptedSaysNothing: what the doctor breaks off because it is interrupted is no fault of a part.
func TestInterruptedSaysNothing(t *testing.T) {
	dir := t.TempDir()
	c := config.Default()
	c.Board, c.StateDir, c.Virtual, c.MQTTURL = "table", dir, true, "mqtt://127.0.0.1:1"
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	if err := Examine(ctx, &out, &c, filepath.Join(dir, "board.yaml"), false); err == nil || out.Len() > 0 {
		t.Errorf("got %v and\n%s\nwant an error alone", err, &out)
	}
}
