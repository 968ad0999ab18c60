// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/sync/broker/brokertest"
	"boardd/sync/wire"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// freeAddress returns an address on which nothing listened a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestBrokerInside: the built-in broker serves TLS and the accounts of its configuration, and denies everything else.
func TestBrokerInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	cert, key := brokertest.Certify(t, dir, "club.example")
	accounts := write("accounts", "table t board=table\narbiter a commands=table\nlook v\n")
	password := write("password", "t\n")
	address := freeAddress(t)
	conf := writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+address+"\n  accounts_file: "+
		accounts+"\n  listen_cert_file: "+cert+
		"\n  listen_key_file: "+key+"\n  user: table\n  password_file: "+password+"\n")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	listening(t, address)

	pool := x509.NewCertPool()
	data, err := os.ReadFile(cert)
	if err != nil || !pool.AppendCertsFromPEM(data) {
		t.Fatal(err)
	}
	connect := func(user, pass, server string) (mqtt.Client, error) {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tls://" + address).SetClientID("test-" +
			user).SetUsername(user).SetPassword(pass).
			SetAutoReconnect(false).SetTLSConfig(&tls.Config{RootCAs: pool, ServerName: server}))
		k := c.Connect()
		if !k.WaitTimeout(soonEnough) {
			t.Fatalf("%s: the broker does not answer", user)
		}
		return c, k.Error()
	}
	for _, bad := range [][3]string{{"look", "wrong", "club.example"}, {"", "", "club.example"},
		{"look", "v", "other.example"}} {
		if c, err := connect(bad[0], bad[1], bad[2]); err == nil {
			c.Disconnect(0)
			t.Errorf("%q is let in", bad)
		}
	}
	if conn, err := net.Dial("tcp", address); err == nil { // the broker does not speak plain TCP
		conn.SetDeadline(time.Now().Add(soonEnough)) //nolint:errcheck // a read that waits for ever would fail the test
		conn.Write([]byte("\x10\x0e\x00\x04MQTT\x04\x02\x00\x3c\x00\x02hi"))
		if n, _ := conn.Read(make([]byte, 4)); n == 4 {
			t.Error("a client without TLS is served")
		}
		conn.Close()
	}
	look, err := connect("look", "v", "club.example")
	if err != nil {
		t.Fatal(err)
	}
	defer look.Disconnect(0)
	heard := make(chan mqtt.Message, 100)
	k := look.Subscribe(wire.Root+"#", 1, func(_ mqtt.Client, m mqtt.Message) { heard <- m })
	if k.Wait(); k.Error() != nil {
		t.Fatal(k.Error())
	}
	s := &spectator{t: t, client: look, heard: heard}
	s.until("the game is seen",
		func(_, leaf string, payload []byte) bool { return leaf == wire.LeafGame && len(payload) > 0 })
	s.send(wire.Topic("table", wire.LeafCommand), `{"id":"forbidden","do":"resign","by":"white"}`)
	arbiter, err := connect("arbiter", "a", "club.example")
	if err != nil {
		t.Fatal(err)
	}
	defer arbiter.Disconnect(0)
	(&spectator{t: t, client: arbiter}).send(wire.Topic("table", wire.LeafCommand),
		`{"id":"allowed","do":"move","move":"e2e4"}`)
	s.until("the arbiter's command is answered, and no other", func(_, leaf string, payload []byte) bool {
		if strings.Contains(string(payload), "forbidden") {
			t.Error("the spectator's command was taken")
		}
		return leaf == wire.LeafReply && strings.Contains(string(payload), "allowed")
	})
}

// TestCheckOfTheBroker: check refuses what the built-in broker could not run with. The daemon plays on without it, see
// TestNeedsItsFiles.
func TestCheckOfTheBroker(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "accounts")
	if err := os.WriteFile(file, []byte("table t admin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for more, want := range map[string]string{
		"  accounts_file: " + file + "\n": "this board needs an account as well",
		"  user: table\n  accounts_file: " + file +
			"\n": `line 1: account "table": "admin" is no right`,
		"  listen_cert_file: " + file + "\n":                                  "the certificate needs its key",
		"  listen_cert_file: " + file + "\n  listen_key_file: " + file + "\n": "listen_cert_file and mqtt.listen_key_file",
		"  listen_ca_file: " + filepath.Join(dir, "none") + "\n":              "listen_ca_file",
	} {
		conf := writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: embedded\n  listen: 127.0.0.1:0\n"+more)
		var out strings.Builder
		if status := run(t.Context(), []string{"check", "--config", conf}, cli.Std{In: strings.NewReader(""), Out: &out,
			Err: &out}); status != 1 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: status %d, want 1 and %q in\n%s", more, status, want, out.String())
		}
	}
}

// TestTakenPortStopsNoGame: another program, to which the board must not talk, uses the port of the built-in broker.
// The game goes on, and the page says why the broker does not run. It runs once the port is free.
func TestTakenPortStopsNoGame(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{}, 1)
	go func() {
		if conn, err := l.Accept(); err == nil {
			conn.Close()
			called <- struct{}{}
		}
	}()
	address := l.Addr().String()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+
		address+"\n"))
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "the game goes on", moved("e2e4"))
	r.listen("table", "link",
		func(data []byte) bool { return strings.Contains(string(data), "another program listens there") },
		func() string { return "the page says why" })
	select {
	case <-called:
		t.Error("the board called the other program")
	default:
	}
	l.Close()
	r.listen("table", "link", func(data []byte) bool { return strings.Contains(string(data), `"up":true`) },
		func() string { return "the broker runs" })
	spectate(t, "tcp://"+address).until("the game is on the broker", func(_, leaf string, payload []byte) bool {
		return leaf == wire.LeafGame && strings.Contains(string(payload), "e2e4")
	})
}

// TestOrdinaryStart: a start at which nothing is wrong logs no warning, nor does the end.
func TestOrdinaryStart(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+
		freeAddress(t)+"\n"))
	r.await("table", "the array stands", synced)
	r.listen("table", "link", func(data []byte) bool { return strings.Contains(string(data), `"up":true`) },
		func() string { return "the broker runs" })
	r.stop()
	for _, line := range strings.Split(r.errs.String(), "\n") {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			t.Error(line)
		}
	}
}
