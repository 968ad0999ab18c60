// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/sync/seal"
)

// TestOutdate: after a backup was put back, commands that were carried out since it was made are not carried out
// again. That holds even for those of somebody who had given none before. Later ones are.
func TestOutdate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "keys")
	signers, text := map[string]ed25519.PrivateKey{}, ""
	for _, who := range []string{"arbiter", "deputy"} {
		public, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		signers[who], text = key, text+seal.Line(who, public)+"\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	take := func(who string, number int64) error {
		t.Helper()
		o, err := ReadSignedCommands(file, dir)
		if err != nil {
			t.Fatal(err)
		}
		const command = `{"do":"resign","id":"1"}`
		_, err = o.Accept("north", command, SignCommand(signers[who], "north", who, number, command))
		return err
	}
	saved := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	if err := take("arbiter", saved.UnixMilli()); err != nil {
		t.Fatal(err)
	}
	restored := saved.Add(24 * time.Hour)
	for range 2 {
		if err := Outdate(dir, restored, saved); err != nil {
			t.Fatal(err)
		}
	}
	for who := range signers {
		if err := take(who, restored.Add(-time.Hour).UnixMilli()); err == nil || !strings.Contains(err.Error(), "was used") {
			t.Errorf("a command of %s from before is carried out: %v", who, err)
		}
		if err := take(who, restored.Add(time.Hour).UnixMilli()); err != nil {
			t.Errorf("a later command of %s: %v", who, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, SignedCommandsFile), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Outdate(dir, restored, saved); err == nil {
		t.Error("numbers that cannot be read are no error")
	}
}

// TestOutdateAtWrongTime: if the clock is wrong when a backup is restored, nobody knows which commands were given
// since. Then none is taken until people have said so.
func TestOutdateAtWrongTime(t *testing.T) {
	saved := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name       string
		now, saved time.Time
		known      bool
	}{
		{"later", saved.Add(time.Hour), saved, true},
		{"a Raspberry Pi without a time server", time.Unix(60, 0), saved, false},
		{"both without one", time.Unix(600, 0), time.Unix(60, 0), false},
		{"set back by a year", saved.AddDate(-1, 0, 1), saved, false},
		{"set forward by a year", saved.AddDate(1, 0, 0), saved, true},
	} {
		public, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "keys")
		if err := os.WriteFile(file, []byte(seal.Line("arbiter", public)), 0o600); err != nil {
			t.Fatal(err)
		}
		const command = `{"do":"resign","id":"1"}`
		take := func(at time.Time) error {
			o, err := ReadSignedCommands(file, dir)
			if err == nil {
				_, err = o.Accept("north", command, SignCommand(key, "north", "arbiter", at.UnixMilli(), command))
			}
			return err
		}
		if err := Outdate(dir, c.now, c.saved); err != nil {
			t.Fatal(err)
		}
		recorded, later := saved.Add(30*time.Minute), saved.AddDate(2, 0, 0)
		if err := take(recorded); err == nil {
			t.Errorf("%s: a command that was recorded after the backup is carried out again", c.name)
		}
		if err := take(later); (err == nil) != c.known || err != nil && !strings.Contains(err.Error(), "clock was wrong") {
			t.Errorf("%s: a new command: %v", c.name, err)
		}
		if c.known {
			continue
		}
		// What the error says helps.
		err = writeList(filepath.Join(dir, SignedCommandsFile), []string{fmt.Sprint("* ", saved.Add(time.Hour).UnixMilli())})
		if err != nil {
			t.Fatal(err)
		}
		if err := take(recorded); err == nil {
			t.Errorf("%s: a recorded command is carried out again", c.name)
		}
		if err := take(later); err != nil {
			t.Errorf("%s: a new command: %v", c.name, err)
		}
	}
}

// TestOrders: a signed command is accepted once, from those whom the owner names, for the board it was signed for, and
// only unchanged. A restart forgets no number.
func TestOrders(t *testing.T) {
	dir := t.TempDir()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "keys")
	if err := os.WriteFile(file, []byte(seal.Line("arbiter", public)), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func() *SignedCommands {
		o, err := ReadSignedCommands(file, dir)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	const command = `{"do":"resign","id":"1"}`
	good := SignCommand(key, "north", "arbiter", 5, command)
	o := open()
	for _, c := range []struct{ name, board, command, signed, want string }{
		{"for another board", "south", command, good, "does not fit"},
		{"another command", "north", `{"do":"abort","id":"1"}`, good, "does not fit"},
		{"another number", "north", command, strings.Replace(good, " 5 ", " 6 ", 1), "does not fit"},
		{"another name", "north", command, strings.Replace(good, "arbiter", "umpire", 1), "not in mqtt.command_keys_file"},
		{"another key", "north", command, SignCommand(stranger, "north", "arbiter", 5, command), "does not fit"},
		{"no words", "north", command, "", "0 words"},
		{"rubbish", "north", command, "arbiter five !", "cannot be read"},
		{"as it was signed", "north", command, good, ""},
		{"again", "north", command, good, "was used"},
		{"one from before", "north", command, SignCommand(key, "north", "arbiter", 4, command), "was used"},
		{"the next", "north", command, SignCommand(key, "north", "arbiter", 7, command), ""},
	} {
		who, err := o.Accept(c.board, c.command, c.signed)
		if c.want == "" && (err != nil || who.Name != "arbiter") || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %q, %v; want %q", c.name, who.Name, err, c.want)
		}
	}
	if _, err := open().Accept("north", command, SignCommand(key, "north", "arbiter", 7, command)); err == nil {
		t.Error("after a restart a command is taken again")
	}
	o = open()
	o.name = filepath.Join(dir, "none", "orders")
	if _, err := o.Accept("north", command, SignCommand(key, "north", "arbiter", 8, command)); err == nil ||
		!strings.Contains(err.Error(), "cannot be noted") {
		t.Errorf("a command of which nothing can be noted: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, SignedCommandsFile), []byte("arbiter many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	spoilt, err := ReadSignedCommands(file, dir)
	if err == nil {
		t.Error("spoilt numbers are read")
	}
	if _, err := spoilt.Accept("north", command, SignCommand(key, "north", "arbiter", 9, command)); err == nil {
		t.Error("nobody knows what was given, and a command is taken")
	}
}
