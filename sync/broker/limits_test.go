// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"golang.org/x/sys/unix"

	"boardd/sync/broker"
	"boardd/sync/broker/gate"
	"boardd/systemd/steady/steadytest"
)

// size is how much lies below a folder, in bytes.
func size(t *testing.T, dir string) (sum int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, e := d.Info(); e == nil {
				sum += info.Size()
			}
		}
		return nil // what vanishes meanwhile is not there
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestForgottenSession: a client that may only read subscribes to everything once and never comes back. What is
// published then does not fill the disk, and others can still connect, now and after a restart.
func TestForgottenSession(t *testing.T) {
	dir := t.TempDir()
	var said steadytest.Said
	o := broker.Options{Dir: dir, MaxStore: 64 << 20, Quota: &gate.Quota{},
		Log: slog.New(slog.NewTextHandler(&said, nil)), Users: []broker.User{
			{Name: "north", Password: "n", Board: "north"}, {Name: "look", Password: "v"}}}
	b := start(t, o)
	lost := mqtt.NewClient(options(b.URL(), "lost", "look", "v").SetCleanSession(false))
	wait(t, "connect", lost.Connect())
	wait(t, "subscribe", lost.Subscribe("boardd/v1/#", 1, func(mqtt.Client, mqtt.Message) {}))
	lost.Disconnect(100)
	c := connect(t, b.URL(), "board", "north", "n")
	text := strings.Repeat("x", 1000<<10)
	for i := range 75 { // 75 MB, more than the store takes
		wait(t, "publish", c.Publish("boardd/v1/north/event", 1, false, fmt.Sprint(i)+text))
	}
	if got := size(t, dir); got > 60<<20 {
		t.Errorf("%d bytes lie in the store, want the oldest messages to go", got)
	}
	connect(t, b.URL(), "another", "look", "v")
	b.Close()
	connect(t, start(t, o).URL(), "after", "look", "v")
	if text := said.String(); strings.Contains(text, "without a limit") || strings.Contains(text, "set aside") {
		t.Errorf("said:\n%s", text)
	}
}

// TestDamagedStore: a store that cannot be used is set aside and made again, and the log says so.
func TestDamagedStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "broker")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "jetstream"), []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said steadytest.Said
	b := start(t, broker.Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&said, nil))})
	connect(t, b.URL(), "one", "", "")
	if text, err := os.ReadFile(filepath.Join(dir+".damaged", "jetstream")); err != nil || string(text) != "no folder" ||
		!strings.Contains(said.String(), "set aside") {
		t.Errorf("the old store: %q, %v; said %s", text, err, said.String())
	}
}

// TestStrangeStore: the same holds for a store that would fill the memory. It has a file larger than the server
// writes, many of them, or a link.
func TestStrangeStore(t *testing.T) {
	for name, make := range map[string]func(dir string) error{
		"a sparse file": func(dir string) error { return sparse(filepath.Join(dir, "$MQTT_msgs", "meta.inf"), 1<<40) },
		"many files": func(dir string) (err error) {
			for i := range 20 {
				err = errors.Join(err, sparse(filepath.Join(dir, "$MQTT_msgs", "msgs", fmt.Sprint(i, ".blk")), 30<<20))
			}
			return err
		},
		"a link": func(dir string) error { return os.Symlink("/dev/zero", filepath.Join(dir, "meta.inf")) },
	} {
		dir := filepath.Join(t.TempDir(), "broker")
		streams := filepath.Join(dir, "jetstream", "$G", "streams")
		if err := errors.Join(os.MkdirAll(filepath.Join(streams, "$MQTT_msgs", "msgs"), 0o750), make(streams)); err != nil {
			t.Fatal(err)
		}
		var said steadytest.Said
		b := start(t, broker.Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&said, nil))})
		connect(t, b.URL(), "one", "", "")
		if _, err := os.Stat(dir + ".damaged"); err != nil || !strings.Contains(said.String(), "set aside") {
			t.Errorf("%s: %v; said %s", name, err, said.String())
		}
	}
}

// sparse makes a file of a size that takes no room on the disk.
func sparse(name string, bytes int64) error {
	return errors.Join(os.WriteFile(name, nil, 0o600), os.Truncate(name, bytes))
}

// TestTrouble: a broker whose store fails while it runs says so, and the next one on the same store serves.
func TestTrouble(t *testing.T) {
	o := broker.Options{Dir: t.TempDir()}
	b := start(t, o)
	connect(t, b.URL(), "one", "", "")
	if err := b.Trouble(); err != nil {
		t.Errorf("a broker that runs: %v", err)
	}
	if err := b.Break(); err != nil {
		t.Fatal(err)
	}
	if err := b.Trouble(); err == nil || !strings.Contains(err.Error(), "given up its store") {
		t.Errorf("without a store: %v", err)
	}
	b.Close()
	if err := b.Trouble(); err == nil {
		t.Error("a broker that has stopped runs")
	}
	connect(t, start(t, o).URL(), "two", "", "")
}

// TestFullDisk: a broker that could not write reports it, because it accepts nothing afterwards. It is not started
// while the disk is full, which is no damage of its store. Later it has what it had before.
func TestFullDisk(t *testing.T) {
	if os.Getenv("BOARDD_TEST_FULL_DISK") == "" { // in a process of its own: the limit below is one of all its files
		c := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
		c.Env = append(os.Environ(), "BOARDD_TEST_FULL_DISK=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	dir := filepath.Join(t.TempDir(), "broker")
	b := start(t, broker.Options{Dir: dir})
	c := connect(t, b.URL(), "one", "", "")
	wait(t, "publish", c.Publish("boardd/v1/a/game", 1, true, "before"))
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	full := before
	full.Cur = 2048 // no file may grow beyond it, like one on a full disk
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 1000 && b.Trouble() == nil; i++ {
		select { // the server does not answer for what it could not write
		case <-c.Publish("boardd/v1/b/game", 1, true, strings.Repeat(fmt.Sprint(i), 500)).Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	err := b.Trouble()
	if again := unix.Setrlimit(unix.RLIMIT_FSIZE, &before); again != nil {
		t.Fatal(again)
	}
	if err == nil || !strings.Contains(err.Error(), "part of its store") {
		t.Fatalf("after a write that failed: trouble %v, want it named", err)
	}
	b.Close()
	free := uint64(0)
	o := broker.Options{Listen: "127.0.0.1:0", Dir: dir}.WithFree(func() uint64 { return free })
	if _, err := broker.Start(o); err == nil || !strings.Contains(err.Error(), "disk is full") {
		t.Fatalf("on a full disk: %v, want it refused", err)
	}
	free = 1 << 30
	b = start(t, o)
	if _, err := os.Stat(dir + ".damaged"); err == nil {
		t.Error("the store was set aside")
	}
	if got, want := receive(t, listen(t, connect(t, b.URL(), "two", "", ""), "boardd/v1/a/game", 1)),
		"boardd/v1/a/game before"; got != want {
		t.Errorf("retained: %q, want %q", got, want)
	}
}

// TestManyBoardsHearCommands: there are more boards than the 1,000 consumers that a stream of the server takes by
// default. With -commands the subscriptions are made, which takes 20 s because each is synced. Without it only the
// setting is checked.
func TestManyBoardsHearCommands(t *testing.T) {
	if most, err := (broker.Options{}).Consumers(); err != nil || most >= 0 {
		t.Errorf("at most %d boards hear commands, %v", most, err)
	}
	if *commandSubscriptions == 0 {
		return
	}
	b := start(t, broker.Options{})
	for client := range 17 {
		c := connect(t, b.URL(), fmt.Sprint("boards-", client), "", "")
		topics := map[string]byte{} // as many as one session may have
		for n := range 60 {
			topics[fmt.Sprintf("boardd/v1/b%d-%d/command", client, n)] = 1
		}
		k := c.SubscribeMultiple(topics, nil)
		wait(t, "subscribe", k)
		for topic, code := range k.(*mqtt.SubscribeToken).Result() {
			if code > 1 {
				t.Fatalf("%s is refused, after %d boards", topic, 60*client)
			}
		}
	}
}
