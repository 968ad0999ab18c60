// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestNewCard: a board that is saved in the middle of a game goes on from another card, with its game, its key and its
// configuration.
func TestNewCard(t *testing.T) {
	t.Parallel()
	old, card := t.TempDir(), t.TempDir()
	conf := writeConfig(t, old, "locking", "stack", "")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	r.stop()
	secret, saved := filepath.Join(old, "secret"), filepath.Join(old, "table.backup")
	if err := os.WriteFile(secret, []byte("correct horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := program(t.Context(), "backup", "--config", conf, "--passphrase-file", secret, saved).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if info, err := os.Stat(saved); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup, which has the board's key, may be read by others: %v", info.Mode())
	}
	state := filepath.Join(card, "state")
	restore := func(args ...string) (string, error) {
		out, err := program(t.Context(),
			append([]string{"restore", "--config", filepath.Join(card, "board.yaml"), "--state", state},
				append(args, saved)...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := restore(); err == nil || !strings.Contains(out, "--passphrase-file") {
		t.Errorf("restored without the passphrase: %v: %s", err, out)
	}
	said, err := restore("--passphrase-file", secret)
	if err != nil || !strings.Contains(said, "restored board table") ||
		!strings.Contains(said, "the configuration says state_dir: "+old) {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(card, "board.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(card, "board.yaml"), []byte(strings.ReplaceAll(string(text), old, card)),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"board.key", "wood.json"} {
		a, errA := os.ReadFile(filepath.Join(old, "state", name))
		b, errB := os.ReadFile(filepath.Join(state, name))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s is not the same: %v %v", name, errA, errB)
		}
	}
	r = start(t, "run", "--config", filepath.Join(card, "board.yaml"))
	r.await("table", "the game is there", func(g *wire.Game) bool { return len(g.Moves) == 1 && g.Moves[0] == "e2e4" })
	r.move("table", "e7", "e5", 1)
	r.await("table", "and goes on", moved("e2e4", "e7e5"))
	if answer, err := http.Get(r.page); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the page: %v", err)
	}
}
