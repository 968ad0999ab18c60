// SPDX-License-Identifier: Apache-2.0

package club

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/sync/mirror"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// saying is a broker that says what it was given.
type saying []mirror.BoardMessage

func (s saying) Run(_ context.Context, tell func(mirror.BoardMessage)) error {
	for _, m := range s {
		tell(m)
	}
	return nil
}

func (saying) SendCommand(string, command) error { return nil }

// TestSigned: of a board whose key is in mqtt.keys_file the club and its wall hear what the board has signed. Of other
// boards, and without that file, they hear everything.
func TestSigned(t *testing.T) {
	own := func() (*trust.Keys, string) {
		k, err := trust.Read("")
		dir := t.TempDir()
		if err == nil {
			_, _, err = k.Own(dir, "north")
		}
		if err != nil {
			t.Fatal(err)
		}
		return k, filepath.Join(dir, "board.pub")
	}
	north, file := own()
	evil, _ := own()
	tells := func(board, id string, by *trust.Keys) mirror.BoardMessage {
		e, err := game.Start(game.Setup{ID: id, Variant: "chess", White: board, Black: "south", Board: board}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := game.New(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range by.Sign(g, time.Time{}) {
			if err := g.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		start := g.Start()
		return mirror.BoardMessage{Board: board, Game: &wire.Game{Game: id, Variant: "chess", Start: start.FEN(),
			FEN: start.FEN(), Turn: "white", Seats: wire.Seats{White: board, Black: "south"}, Seals: trust.WireSeals(g)}}
	}
	online := true
	broker := saying{tells("north", "true", north), tells("north", "forged", evil), tells("west", "unknown", evil),
		{Board: "north", Online: &online}}
	for _, c := range []struct {
		file string
		want []string
	}{{file, []string{"true", "unknown", "online"}}, {"", []string{"true", "forged", "unknown", "online"}}} {
		var got []string
		err := signed{broker, c.file, slog.New(slog.DiscardHandler)}.Run(t.Context(), func(m mirror.BoardMessage) {
			if m.Game == nil {
				got = append(got, "online")
				return
			}
			got = append(got, m.Game.Game)
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("with the keys of %q the club hears %v, want %v (%v)", c.file, got, c.want, err)
		}
	}
	spoilt := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(spoilt, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (signed{broker, spoilt, slog.New(slog.DiscardHandler)}).Run(t.Context(), func(mirror.BoardMessage) {
		t.Error("nobody knows whose keys count, and something is heard")
	}); err == nil {
		t.Error("a file of keys that cannot be read is no error")
	}
}
