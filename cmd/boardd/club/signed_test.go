// SPDX-License-Identifier: Apache-2.0

package club

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
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

// own is the key of a board, and the file that others have of it.
func own(t *testing.T) (*trust.Keys, string) {
	t.Helper()
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

// began is what a board says of a game that it has begun, signed by a key.
func began(t *testing.T, board, id string, by *trust.Keys) mirror.BoardMessage {
	t.Helper()
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

// TestSigned: of a board whose key is in mqtt.keys_file the club and its wall hear what the board has signed. Of other
// boards, and without that file, they hear everything.
func TestSigned(t *testing.T) {
	north, file := own(t)
	evil, _ := own(t)
	tells := func(board, id string, by *trust.Keys) mirror.BoardMessage { return began(t, board, id, by) }
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

// slowly is a broker that says the same again and again, and waits for long before each time.
type slowly struct {
	says  mirror.BoardMessage
	waits []func() // what happens while it waits
}

func (s slowly) Run(_ context.Context, tell func(mirror.BoardMessage)) error {
	for _, happens := range s.waits {
		happens()
		time.Sleep(time.Minute)
		tell(s.says)
	}
	return nil
}

func (slowly) SendCommand(string, command) error { return nil }

// TestKeysWhileTheClubRuns: a key that is written to mqtt.keys_file counts without a new start. A file with a fault
// changes nothing, and is named once.
func TestKeysWhileTheClubRuns(t *testing.T) {
	_, key := own(t)
	evil, _ := own(t)
	line, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "keys")
	holds := func(text []byte) func() {
		return func() {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	holds(nil)()
	var log strings.Builder
	synctest.Test(t, func(t *testing.T) {
		heard := 0
		broker := slowly{began(t, "north", "forged", evil),
			[]func(){holds(nil), holds(line), holds([]byte("rubbish")), holds([]byte("rubbish")), holds(nil)}}
		err := signed{broker, file, slog.New(slog.NewTextHandler(&log, nil))}.Run(t.Context(),
			func(mirror.BoardMessage) { heard++ })
		if err != nil || heard != 2 {
			t.Errorf("heard %d times, want before the key was known and after it was taken out: %v", heard, err)
		}
	})
	if n := strings.Count(log.String(), "those known before count"); n != 1 {
		t.Errorf("the fault of the file is named %d times, want once:\n%s", n, log.String())
	}
}
