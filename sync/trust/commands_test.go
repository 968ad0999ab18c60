// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/seal"
)

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
		who, err := o.Take(c.board, c.command, c.signed)
		if c.want == "" && (err != nil || who != "arbiter") || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %q, %v; want %q", c.name, who, err, c.want)
		}
	}
	if _, err := open().Take("north", command, SignCommand(key, "north", "arbiter", 7, command)); err == nil {
		t.Error("after a restart a command is taken again")
	}
	o = open()
	o.name = filepath.Join(dir, "none", "orders")
	if _, err := o.Take("north", command, SignCommand(key, "north", "arbiter", 8, command)); err == nil ||
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
	if _, err := spoilt.Take("north", command, SignCommand(key, "north", "arbiter", 9, command)); err == nil {
		t.Error("nobody knows what was given, and a command is taken")
	}
}
