// SPDX-License-Identifier: Apache-2.0

package link

import (
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/config"
	"boardd/sync/broker"
	"boardd/sync/broker/brokertest"
	"boardd/systemd/scratch"
	"boardd/systemd/steady/steadytest"
)

// TestInsideAgain: a broker that stops while the daemon runs is said and started again.
func TestInsideAgain(t *testing.T) {
	var said steadytest.Said
	log := slog.New(slog.NewTextHandler(&said, nil))
	i := &BuiltInBroker{o: broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir(), Log: log}, log: log, free: broker.Free,
		why: errStarting, read: true}
	i.try(t.Context())
	if err := i.Ready(); err != nil {
		t.Fatal(err)
	}
	first := i.br
	if closed := i.look(); closed || i.br != first {
		t.Fatal("a broker that runs was closed")
	}
	first.Close()
	i.look()
	if err := i.Ready(); err == nil || !strings.Contains(err.Error(), "has stopped") {
		t.Errorf("it has stopped, and is: %v", err)
	}
	i.try(t.Context())
	defer i.close()
	if err := i.Ready(); err != nil || i.br == first {
		t.Errorf("it was not started again: %v", err)
	}
	if n := strings.Count(said.String(), "does not run any more"); n != 1 {
		t.Errorf("said %d times that it stopped, want once:\n%s", n, said.String())
	}
}

// TestFullDiskKeepsServing: while the disk is full the broker serves everybody at the same address and keeps what it
// is told in memory. It has what was retained before, and when there is room again, what is retained then.
func TestFullDiskKeepsServing(t *testing.T) {
	var said steadytest.Said
	log, free := slog.New(slog.NewTextHandler(&said, nil)), uint64(1<<30)
	memory := t.TempDir()
	i := &BuiltInBroker{o: broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir(), Log: log}, log: log,
		why: errStarting, read: true, free: func(string) uint64 { return free },
		memory: func() (string, error) { return scratch.Make(memory, folderPrefix) }}
	i.try(t.Context())
	url := i.URL()
	defer func() { i.close() }()
	talk := func(id, say, hear string) {
		t.Helper()
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID(id).SetAutoReconnect(false))
		heard := make(chan string, 20)
		done := func(k mqtt.Token) {
			t.Helper()
			if !k.WaitTimeout(10*time.Second) || k.Error() != nil {
				t.Fatalf("%s: %v", id, k.Error())
			}
		}
		done(c.Connect())
		if say != "" {
			done(c.Publish("boardd/v1/a/game", 1, true, say))
		}
		defer c.Disconnect(100)
		for range 10 { // the broker answers a message before it knows it as a retained one
			done(c.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { heard <- string(m.Payload()) }))
			select {
			case got := <-heard:
				if got != hear {
					t.Errorf("%s hears %q, want %q", id, got, hear)
				}
				return
			case <-time.After(time.Second):
			}
		}
		t.Errorf("%s hears nothing, want %q", id, hear)
	}
	moves := func(to uint64) {
		t.Helper()
		if free = to; !i.look() {
			t.Fatalf("with %d bytes free the broker stays where it is", free)
		}
		i.try(t.Context())
		if err := i.Ready(); err != nil || i.URL() != url {
			t.Fatalf("with %d bytes free it is at %s, want %s: %v", free, i.URL(), url, err)
		}
		if i.look() {
			t.Fatalf("with %d bytes free it moves again", free)
		}
	}
	talk("before", "old", "old")
	moves(1 << 20)
	talk("there", "", "old")
	talk("meanwhile", "new", "new")
	if free = 3 << 20; i.look() {
		t.Error("it goes back to a disk that is nearly full")
	}
	moves(1 << 30)
	talk("after", "", "new")
	left, err := os.ReadDir(memory)
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left in memory: %v", left, err)
	}
	for _, want := range []string{"goes on in memory", "has room again"} {
		if strings.Count(said.String(), want) != 1 {
			t.Errorf("want once that it %s:\n%s", want, said.String())
		}
	}
}

// TestSlowStart: a store that takes long is not set aside, but gets twice the time at each further try. Only with the
// longest patience is it set aside.
func TestSlowStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "broker")
	var said steadytest.Said
	log := slog.New(slog.NewTextHandler(&said, nil))
	i := &BuiltInBroker{o: broker.Options{Listen: "127.0.0.1:0", Dir: dir, Log: log}, log: log, free: broker.Free,
		why: errStarting, read: true}
	i.try(t.Context())
	i.close()
	i.o.Patience = time.Nanosecond
	for n := range 5 {
		if _, err := os.Stat(dir + ".damaged"); err == nil {
			t.Fatalf("after %d tries the store was set aside:\n%s", n, said.String())
		}
		i.try(t.Context())
		if err := i.Ready(); err == nil || !strings.Contains(err.Error(), "takes long") {
			t.Fatalf("it had a nanosecond, and is: %v", err)
		}
	}
	if _, err := os.Stat(dir + ".damaged"); err != nil {
		t.Errorf("a store that never answers is still used:\n%s", said.String())
	}
}

// TestAwait: a board waits for a broker that is starting, but not long.
func TestAwait(t *testing.T) {
	for _, c := range []struct{ takes, waits time.Duration }{{time.Second, time.Second}, {time.Hour, soon}} {
		synctest.Test(t, func(t *testing.T) {
			i, from := &BuiltInBroker{begun: make(chan struct{}), why: errStarting, read: true}, time.Now()
			ready := time.AfterFunc(c.takes, func() {
				i.mu.Lock()
				i.why = nil
				i.mu.Unlock()
				close(i.begun)
			})
			defer ready.Stop()
			if err := i.Await(t.Context()); (err == nil) != (c.takes == c.waits) || time.Since(from) != c.waits {
				t.Errorf("a start of %v: %v after %v, want after %v", c.takes, err, time.Since(from), c.waits)
			}
		})
	}
}

// TestRenew: the accounts are read again while the broker runs. A file with faults changes nothing. A broker that
// began without accounts is started again with those that there are now.
func TestRenew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts")
	var said steadytest.Said
	log := slog.New(slog.NewTextHandler(&said, nil))
	i := &BuiltInBroker{o: broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir(), Log: log}, log: log, free: broker.Free,
		conf: &config.Config{MQTTAccountsFile: file}, why: errStarting, read: true}
	i.try(t.Context())
	defer func() { i.close() }()
	enters := func(password string) bool {
		t.Helper()
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(i.URL()).SetUsername("north").SetPassword(password).
			SetAutoReconnect(false))
		k := c.Connect()
		if !k.WaitTimeout(time.Minute) {
			t.Fatal("the broker does not answer")
		}
		c.Disconnect(0)
		return k.Error() == nil
	}
	for n, c := range []struct{ text, fault, password string }{
		{"# nobody yet\n", "no account", "anything"},
		{"north n board=north\n", "", "n"},
		{"north n board=\n", "no right", "n"},
		{"north m\n", "", "m"},
		{"", "no account", "m"},
		{"north m\n", "", "m"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := i.Renew()
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%d: %v, want %q", n, err, c.fault)
		}
		if i.Ready() != nil {
			i.try(t.Context())
		}
		if !enters(c.password) || n > 0 && (enters("x") || enters("n") != (c.password == "n")) {
			t.Errorf("%d: %q is not what opens the broker:\n%s", n, c.password, said.String())
		}
	}
	if n := strings.Count(said.String(), "is started again with its new accounts"); n != 1 {
		t.Errorf("started again %d times, want once:\n%s", n, said.String())
	}
}

// TestNeedsItsFiles: a broker whose accounts or certificates cannot be read does not run, and stops nothing else. It
// never runs without its accounts. Once the files are sound it runs at the address that the board knows.
func TestNeedsItsFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "accounts")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		why         string
		conf        config.Config
		spoil, mend func()
	}{
		{"no such file", config.Config{MQTTAccountsFile: file}, func() {}, func() { write("accounts", "north n\n") }},
		{"no account", config.Config{MQTTAccountsFile: file}, func() { write("accounts", "") },
			func() { write("accounts", "north n\n") }},
		{"no right", config.Config{MQTTAccountsFile: file}, func() { write("accounts", "north n bord=north\n") },
			func() { write("accounts", "north n\n") }},
		{"mqtt.listen_cert_file", config.Config{MQTTListenCertFile: filepath.Join(dir, "own.pem"),
			MQTTListenKeyFile: filepath.Join(dir, "own.key"),
			MQTTCAFile:        filepath.Join(dir, "none")}, func() {}, func() { brokertest.Certify(t, dir, "own") }},
	} {
		os.Remove(file) //nolint:errcheck // it may not be there
		c.spoil()
		c.conf.MQTTListen, c.conf.StateDir = "127.0.0.1:0", t.TempDir()
		var said steadytest.Said
		log := slog.New(slog.NewTextHandler(&said, nil))
		i := &BuiltInBroker{conf: &c.conf, o: broker.Options{Listen: c.conf.MQTTListen}, log: log, free: broker.Free,
			why: errStarting}
		i.try(t.Context())
		i.try(t.Context())
		if err := i.Ready(); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("it is %v, want %q", err, c.why)
		}
		if n := strings.Count(said.String(), "does not run"); n != 1 {
			t.Errorf("said %d times that it does not run, want once:\n%s", n, said.String())
		}
		before := i.URL()
		c.mend()
		i.try(t.Context())
		if err := i.Ready(); err != nil {
			t.Errorf("%s: with sound files it is %v", c.why, err)
		}
		if before != i.URL() {
			t.Errorf("%s: the board was told %s, and it is at %s", c.why, before, i.URL())
		}
		c.conf.MQTTURL = i.URL()
		if conn, err := dialTo(t, &c.conf, i); err != nil {
			t.Errorf("%s: the board does not reach it: %v", c.why, err)
		} else {
			conn.Close()
		}
		i.close()
	}
}

// dialTo connects to a built-in broker as its board does.
func dialTo(t *testing.T, c *config.Config, inside *BuiltInBroker) (net.Conn, error) {
	t.Helper()
	own, err := Mirror(c, inside, nil).TLS()
	if err != nil {
		return nil, err
	}
	if address, ok := strings.CutPrefix(c.MQTTURL, "tls://"); ok {
		return tls.Dial("tcp", address, own)
	}
	return net.Dial("tcp", strings.TrimPrefix(c.MQTTURL, "tcp://"))
}
