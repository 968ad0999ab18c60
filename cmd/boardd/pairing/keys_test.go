// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"boardd/cmd/boardd/cli"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// anyKey is a key of some board.
func anyKey(t *testing.T) ed25519.PublicKey {
	t.Helper()
	key, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestCommand: the terminal lists the words, pairs and parts, and says what is wrong.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "board.yaml")
	if err := os.WriteFile(conf, fmt.Appendf(nil, "board: north\nstate_dir: %s\nhardware:\n  virtual: true\n", dir),
		0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		var out strings.Builder
		err := Run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &out},
			append([]string{"--config", conf}, args...))
		return fmt.Sprint(out.String(), err)
	}
	if got := run(); !strings.Contains(got, "north (this board): no key yet") {
		t.Errorf("before the first start: %s", got)
	}
	own, other := anyKey(t), seal.Fingerprint(anyKey(t))
	if err := os.WriteFile(filepath.Join(dir, "board.pub"), []byte(seal.Line("north", own)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"pair south " + other, "reload"},
		{"", seal.Fingerprint(own)},
		{"", "south: " + other + " (compared)"},
		{"pair south bada", "1 word,"},
		{"pair south", "say pair BOARD"},
		{"steal south", "say pair BOARD"},
		{"part east", "not paired with"},
		{"part south", "reload"},
	} {
		if got := run(strings.Fields(c.args)...); !strings.Contains(got, c.want) {
			t.Errorf("keys %s: %s, want %q in it", c.args, got, c.want)
		}
	}
	if got := run(); strings.Contains(got, "south") {
		t.Errorf("after they were parted: %s", got)
	}
}

// caught is a context that notes whether the command began to catch signals (cli.Whole), and what was written before.
type caught struct {
	context.Context
	then func()
}

func (c caught) Done() <-chan struct{} {
	c.then()
	return c.Context.Done()
}

// TestCommandWhole: an interrupt does not break off a command that pairs or parts, from before it writes. One that
// only lists ends at once.
func TestCommandWhole(t *testing.T) {
	dir := t.TempDir()
	conf, pairs := filepath.Join(dir, "board.yaml"), filepath.Join(dir, trust.PairsFile)
	if err := os.WriteFile(conf, fmt.Appendf(nil, "board: north\nstate_dir: %s\nhardware:\n  virtual: true\n", dir),
		0o600); err != nil {
		t.Fatal(err)
	}
	text := func() string {
		data, err := os.ReadFile(pairs)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, c := range []struct {
		args   string
		writes bool
	}{{"", false}, {"pair south " + seal.Fingerprint(anyKey(t)), true}, {"part south", true}, {"", false}} {
		before, whole := text(), false
		ctx := caught{t.Context(), func() {
			whole = true
			if now := text(); now != before {
				t.Errorf("keys %s: something was written before signals are caught: %q", c.args, now)
			}
		}}
		if err := Run(ctx, cli.Std{Out: io.Discard, Err: io.Discard},
			append([]string{"--config", conf}, strings.Fields(c.args)...)); err != nil {
			t.Fatal(err)
		}
		if whole != c.writes || (text() != before) != c.writes {
			t.Errorf("keys %s: signals were caught: %v, something was written: %v; want both %v", c.args, whole,
				text() != before, c.writes)
		}
	}
}

// TestPairedByRoot: what root writes for the service belongs to the service. Whoever else runs the test has no other
// service than itself.
func TestPairedByRoot(t *testing.T) {
	service := os.Getuid()
	if service == 0 {
		service = 12345
	}
	dir, conf := t.TempDir(), filepath.Join(t.TempDir(), "board.yaml")
	text := fmt.Appendf(nil, "board: north\nstate_dir: %s\nhardware:\n  virtual: true\n", dir)
	if err := os.WriteFile(conf, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, service, service); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--config", conf, "pair", "south"}, strings.Fields(seal.Fingerprint(anyKey(t)))...)
	if err := Run(t.Context(), cli.Std{Out: io.Discard, Err: io.Discard}, args); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, trust.PairsFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Sys().(*syscall.Stat_t).Uid; int(got) != service {
		t.Errorf("the list of pairs belongs to user %d, want %d", got, service)
	}
}

// TestDesk: the page lists the words, pairs, parts and forgets, and is told what is wrong.
func TestDesk(t *testing.T) {
	dir := t.TempDir()
	met, filed, other := anyKey(t), anyKey(t), seal.Fingerprint(anyKey(t))
	file := filepath.Join(dir, "keys")
	if err := os.WriteFile(file, []byte(seal.Line("east", filed)), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := trust.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	k.SetKey("west", met)
	noted, log := 0, strings.Builder{}
	d := &Desk{Board: "north", Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))}
	d.Ask = func(_ *http.Request, do func(*trust.Keys) bool) bool {
		if do(k) {
			noted++
		}
		return true
	}
	ask := func(method, body string) (int, string) {
		w := httptest.NewRecorder()
		d.ServeHTTP(w, httptest.NewRequest(method, "/api/settings/keys", strings.NewReader(body)))
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s is answered by %s, which is no JSON", method, body, w.Body)
		}
		return w.Code, w.Body.String()
	}
	const east, west = `{"board":"east","words":"%s","how":"file"}`, `{"board":"west","words":"%s","how":"%s"}`
	here := fmt.Sprintf(east, seal.Fingerprint(filed))
	for _, c := range []struct {
		method, body string
		status       int
		want         string
	}{
		{"GET", "", 200, `"others":[` + here + "," + fmt.Sprintf(west, seal.Fingerprint(met), trust.Met) + "]"},
		{"POST", `{"board":"west","words":"` + seal.Fingerprint(met) + `"}`, 200,
			fmt.Sprintf(west, seal.Fingerprint(met), trust.Paired)},
		{"POST", `{"board":"west","words":"` + other + `"}`, 200, fmt.Sprintf(west, other, trust.Paired)},
		{"POST", `{"board":"west","words":"bada"}`, 409, "1 word,"},
		{"POST", `{"board":"east","words":"` + other + `"}`, 409, "mqtt.keys_file"},
		{"POST", `{"board":"east"}`, 409, "mqtt.keys_file"},
		{"POST", `{"board":"south"}`, 409, "not paired with"},
		{"POST", `x`, 400, "no request"},
		{"POST", `{"board":"west"}`, 200, fmt.Sprintf(west, seal.Fingerprint(met), trust.Met)},
		{"POST", `{"board":"west"}`, 200, `"others":[` + here + "]"},
	} {
		if status, got := ask(c.method, c.body); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %d %s, want %d with %s", c.method, c.body, status, got, c.status, c.want)
		}
	}
	if noted != 1 {
		t.Errorf("%d times a forgotten key was to be noted, want once", noted)
	}
	for _, want := range []string{`other=west words="` + other, "other=west words=forgotten"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, &log)
		}
	}
	if strings.Contains(log.String(), "south") {
		t.Errorf("what was refused is in the log as done:\n%s", &log)
	}
	d.Ask = func(*http.Request, func(*trust.Keys) bool) bool { return false }
	if status, _ := ask("GET", ""); status != 503 {
		t.Errorf("a board that does not answer: %d", status)
	}
	d.Ask = func(_ *http.Request, do func(*trust.Keys) bool) bool { // it stops while somebody pairs
		d.Ask = func(*http.Request, func(*trust.Keys) bool) bool { return false }
		do(k)
		return true
	}
	log.Reset()
	if status, got := ask("POST", `{"board":"late","words":"`+other+`"}`); status != 503 ||
		!strings.Contains(got, "is written") || !strings.Contains(log.String(), "other=late") {
		t.Errorf("a board that stops while somebody pairs: %d %s and the log\n%s", status, got, &log)
	}
}

// TestSignNumber: a signer whose clock was once ahead can give the number that the board wants.
func TestSignNumber(t *testing.T) {
	dir := t.TempDir()
	sign := func(args ...string) string {
		var out strings.Builder
		if err := Sign(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &strings.Builder{}},
			append([]string{"--key", filepath.Join(dir, "key"), "--name", "arbiter"}, args...)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	file := filepath.Join(dir, "keys")
	if err := os.WriteFile(file, []byte(sign()), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := trust.ReadSignedCommands(file, dir)
	if err != nil {
		t.Fatal(err)
	}
	take := func(args ...string) error {
		t.Helper()
		c, err := wire.DecodeCommand([]byte(sign(append(args, "--board", "oslo", `{"id":"1","do":"pause"}`)...)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = o.Accept("oslo", c.Text(), c.Signed)
		return err
	}
	if err := take("--number", "4102444800000"); err != nil { // in 2100
		t.Fatal(err)
	}
	if err := take(); err == nil || !strings.Contains(err.Error(), "than 4102444800000 (boardd sign --number") {
		t.Errorf("today: %v", err)
	}
	if err := take("--number", "4102444800001"); err != nil {
		t.Errorf("with a higher number: %v", err)
	}
}
