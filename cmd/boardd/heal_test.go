// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/seal"
	"boardd/sync/wire"
)

// keys asks a board for the words of its keys; a body pairs it before.
func (r *running) keys(body string) (status int, words string, how map[string]string) {
	r.t.Helper()
	var reply *http.Response
	var err error
	if body == "" {
		reply, err = r.client.Get(r.page + "api/settings/keys")
	} else {
		reply, err = r.client.Post(r.page+"api/settings/keys", "application/json", strings.NewReader(body))
	}
	if err != nil {
		r.t.Fatal(err)
	}
	defer reply.Body.Close() //nolint:errcheck // it is only read
	var list struct {
		Words  string
		Others []struct{ Board, How string }
	}
	if err := json.NewDecoder(reply.Body).Decode(&list); err != nil {
		r.t.Fatal(err)
	}
	how = map[string]string{}
	for _, o := range list.Others {
		how[o.Board] = o.How
	}
	return reply.StatusCode, list.Words, how
}

// TestPairedBoards pairs two boards that run, by the words that each shows of itself: their game goes on. Words of
// another key make a board take nothing, and the right ones heal it.
func TestPairedBoards(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	_, ofOslo, _ := d.oslo.keys("")
	_, ofRome, _ := d.rome.keys("")
	if len(strings.Fields(ofOslo)) != 6 || len(strings.Fields(ofRome)) != 6 || ofOslo == ofRome {
		t.Fatalf("oslo shows %q, rome %q: want six words each", ofOslo, ofRome)
	}
	pair := func(r *running, board, words string) {
		t.Helper()
		if status, _, how := r.keys(fmt.Sprintf(`{"board":%q,"words":%q}`, board, words)); status != http.StatusOK ||
			how[board] != "paired" {
			t.Fatalf("pairing with %s: status %d, %s is %q", board, status, board, how[board])
		}
	}
	pair(d.oslo, "rome", ofRome)
	pair(d.rome, "oslo", ofOslo)
	d.play(1, "e2", "e4")
	if status, _, how := d.oslo.keys(fmt.Sprintf(`{"board":"rome","words":%q}`, ofOslo)); status != http.StatusConflict ||
		how["rome"] != "" {
		t.Errorf("its own words are taken for those of rome: status %d, rome is %q", status, how["rome"])
	}
	pair(d.oslo, "rome", seal.Fingerprint(make(ed25519.PublicKey, ed25519.PublicKeySize))) // of a board elsewhere
	d.rome.move("rome", "e7", "e5", 1)
	d.rome.await("rome", "its move is made", moved("e2e4", "e7e5"))
	if g := d.oslo.await("oslo", "what comes from rome is refused",
		func(g *wire.Game) bool { return g.Conflict != "" }); len(g.Moves) != 1 {
		t.Errorf("oslo has taken %v from a board whose key is not the one compared", g.Moves)
	}
	pair(d.oslo, "rome", ofRome)
	d.oslo.await("oslo", "rome is heard again", func(g *wire.Game) bool { return g.Conflict == "" && len(g.Moves) == 2 })
	d.oslo.move("oslo", "e7", "e5", 1)
	d.oslo.await("oslo", "the copy stands", func(g *wire.Game) bool { return synced(g) && len(g.Moves) == 2 })
	d.play(3, "g1", "f3")
}

// TestDamageIsHealedByTheRival: moves that a journal has lost come back from the other board, which still shows them,
// and the game goes on. They may be the other side's, or this side's own, which it has signed.
func TestDamageIsHealedByTheRival(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"g1f3", "e7e5"} {
		t.Run(lost, func(t *testing.T) {
			t.Parallel()
			healed(t, lost)
		})
	}
}

// healed plays three moves, damages one in the journal of Black's board, and looks whether all are back.
func healed(t *testing.T, lost string) {
	t.Helper()
	d := startDuel(t, "")
	d.play(1, "e2", "e4")
	d.play(2, "e7", "e5")
	d.play(3, "g1", "f3")
	d.rome.stop()
	name := filepath.Join(d.dir, "rome", "journal", "00000001.journal")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(data), `"`+lost+`"`)
	if i < 0 {
		t.Fatalf("the journal does not hold %s: %q", lost, data)
	}
	data[i+1] ^= 1
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	d.rome = start(t, "run", "--config", filepath.Join(d.dir, "rome", "board.yaml"))
	g := d.rome.await("rome", "the lost moves are back", moved("e2e4", "e7e5", "g1f3"))
	if g.Conflict != "" {
		t.Errorf("a conflict: %s", g.Conflict)
	}
	d.rome.await("rome", "the wood shows them", synced)
	d.play(4, "b8", "c6")
	d.rome.stop()
	if text := d.rome.errs.String(); !strings.Contains(text, "a damaged record cannot be read") {
		t.Errorf("nothing was damaged, so nothing was healed:\n%s", text)
	}
}
