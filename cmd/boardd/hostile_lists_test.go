// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardd/hardware/rig"
	"boardd/sensing/calibration"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

// evilLists are good files of each kind that stands beside a board's games: its calibration, and the lists of who may
// do what. at is where they will lie.
func evilLists(t *testing.T, at string) (files []evilFile) {
	t.Helper()
	folders := map[string]string{}
	for _, kind := range []string{"stack", "twin", "scale"} {
		folders[kind] = besideGames(t, at, kind)
	}
	data := func(kind, name string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(folders[kind], name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	conf := []string{"--config", "DIR/board.yaml"}
	check, doctor := append([]string{"check"}, conf...), append([]string{"doctor"}, conf...)
	keys := append([]string{"keys"}, conf...)
	other := seededKey(3)
	pair := append(append(keys[:3:3], "pair", "north"), seal.Fingerprint(seal.Public(other)))
	for kind := range folders {
		files = append(files, evilFile{name: rig.CalibrationFile, data: data(kind, rig.CalibrationFile),
			folder: folders[kind], args: [][]string{check}, slow: doctor})
	}
	for _, name := range []string{"accounts", "tokens", "keys", "signers"} {
		files = append(files, evilFile{name: name, data: data("stack", name), folder: folders["stack"],
			args: [][]string{check, keys}, slow: doctor})
	}
	return append(files, evilFile{name: trust.PairsFile, data: data("stack", trust.PairsFile), folder: folders["stack"],
		args: [][]string{keys, pair, append(keys[:3:3], "part", "south")}, slow: doctor},
		evilFile{name: trust.SignedCommandsFile, data: data("stack", trust.SignedCommandsFile), folder: folders["stack"],
			reads: func(dir string) error { return giveCommand(t, dir) }})
}

// A signed command that a board of evilLists takes.
const (
	evilCommand = `{"id":"1","do":"resign"}`
	evilNumber  = 1_900_000_000_000 // milliseconds since 1970, in the year 2030
)

func seededKey(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

// besideGames is the folder of a board of a kind, with a calibration and all lists.
func besideGames(t *testing.T, at, kind string) string {
	t.Helper()
	dir := t.TempDir()
	cal := calibration.New()
	cal.Board, cal.Kind, cal.CubeHeight = "table", kind, 35_000
	cal.Weights = map[byte]calibration.Weight{}
	for i, letter := range calibration.Letters {
		cal.Weights[byte(letter)] = calibration.Weight{MG: int32(9000 + 3000*i), Spread: 40}
	}
	_, err := rig.SaveCalibration(dir, &cal)
	arbiter, south := seededKey(1), seal.Public(seededKey(2))
	conf := fmt.Sprintf("board: table\nstate_dir: %[1]s\nhardware:\n  virtual: true\n  kind: %[2]s\nmqtt:\n"+
		"  url: embedded\n  listen: 127.0.0.1:0\n  accounts_file: %[1]s/accounts\n  user: table\n"+
		"  password_file: %[1]s/password\n  keys_file: %[1]s/keys\n  commands: [signed]\n"+
		"  command_keys_file: %[1]s/signers\nweb:\n  listen: 127.0.0.1:0\n  token_file: %[1]s/tokens\n", at, kind)
	err = errors.Join(err, trust.Pair(dir, trust.Known{}, "south", seal.Fingerprint(south)),
		trust.Outdate(dir, time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), time.Time{}))
	_, _, err2 := seal.LoadKey(filepath.Join(dir, "board.key"))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"board.yaml": conf, "password": "as-oslo-does\n",
		"accounts": "# of the club\ntable as-oslo-does board=table discovery\nrome as-rome-does board=rome\n" +
			"arbiter as-arbiters-do commands=table,rome\nlooker look\n",
		"tokens": "# of the club\nspectator 8WqLrzBLvMHw\nplayer 9WqLrzBLvMHw\nworkshop 7WqLrzBLvMHw\n",
		"keys":   seal.Line("rome", south), "signers": seal.Line("arbiter", seal.Public(arbiter))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// giveCommand gives a signed command to the board of a folder twice, as before and after a restart. It is carried out
// once at most.
func giveCommand(t *testing.T, dir string) (err error) {
	t.Helper()
	signed := trust.SignCommand(seededKey(1), "table", "arbiter", evilNumber, evilCommand)
	for n := range 2 {
		list, refused := trust.ReadSignedCommands(filepath.Join(dir, "signers"), dir)
		if refused == nil {
			_, refused = list.Accept("table", evilCommand, signed)
		}
		if n > 0 && refused == nil {
			t.Error("a signed command is carried out twice")
		}
		err = errors.Join(err, refused)
	}
	return err
}
