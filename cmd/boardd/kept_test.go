// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/hardware/rig"
	"boardd/sensing/calibration"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// TestStateDamaged: log and page name a file of the state folder that was emptied or grown, or has zeros or a folder
// in its place. The game goes on. The doctor's test of the same is TestDoctorState.
func TestStateDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state, signers := filepath.Join(dir, "state"), filepath.Join(dir, "signers")
	conf := writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: embedded\n  listen: 127.0.0.1:0\n"+
		"  commands: [signed]\n  command_keys_file: "+signers+"\n")
	if err := os.Mkdir(state, 0o750); err != nil {
		t.Fatal(err)
	}
	key, _, err := seal.LoadKey(filepath.Join(state, "board.key"))
	if err != nil {
		t.Fatal(err)
	}
	cal := calibration.New()
	cal.Board, cal.Kind = "table", "stack"
	if _, err := rig.SaveCalibration(state, &cal); err != nil {
		t.Fatal(err)
	}
	other := seal.Fingerprint(bytes.Repeat([]byte{1}, 32))
	if err := errors.Join(trust.Pair(state, trust.Known{}, "south", other),
		trust.Outdate(state, time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), time.Time{}),
		os.WriteFile(signers, []byte(seal.Line("arbiter", seal.Public(key))), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.stop()
	parts := map[string]string{"board.key": "key", "paired": "paired boards", "orders": "signed commands",
		"calibration.yaml": "calibration"}
	for how, spoil := range map[string]func(name string, whole []byte) error{
		"emptied":   func(name string, _ []byte) error { return os.WriteFile(name, nil, 0o600) },
		"of zeros":  func(name string, whole []byte) error { return os.WriteFile(name, make([]byte, len(whole)), 0o600) },
		"a folder":  func(name string, _ []byte) error { return errors.Join(os.Remove(name), os.Mkdir(name, 0o700)) },
		"too large": func(name string, _ []byte) error { return os.Truncate(name, 1<<30) },
	} {
		whole := map[string][]byte{}
		for file := range parts {
			name := filepath.Join(state, file)
			if whole[name], err = os.ReadFile(name); err != nil {
				t.Fatalf("%v: %s", err, r.errs)
			}
			if err := spoil(name, whole[name]); err != nil {
				t.Fatal(err)
			}
		}
		r := start(t, "run", "--config", conf)
		r.await("table", "the game is there", func(g *wire.Game) bool { return g.Game != "" })
		var h wire.Health
		r.listen("table", "health", func(data []byte) bool { return json.Unmarshal(data, &h) == nil },
			func() string { return "health" })
		r.stop()
		for file, part := range parts {
			if !slices.ContainsFunc(h.Parts, func(p wire.Part) bool { return p.Name == part && !p.OK }) {
				t.Errorf("%s is %s: the page does not say so", file, how)
			}
			if name := filepath.Join(state, file); !strings.Contains(r.errs.String(), name) {
				t.Errorf("%s is %s: the log does not say so:\n%s", file, how, r.errs)
			}
		}
		for name, text := range whole {
			if err := errors.Join(os.RemoveAll(name), os.WriteFile(name, text, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
