// SPDX-License-Identifier: Apache-2.0

package link

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// played is a game of north with these seats after these moves.
func played(t *testing.T, white, black string, moves ...string) *game.Game {
	t.Helper()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	e, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: white, Black: black, Board: "north"}, at)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if err := g.Apply(game.Event{Kind: game.Moved, At: at, Move: m, Remote: true}); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestAllows goes through every word of a command, each setting, and games with and without people.
func TestAllows(t *testing.T) {
	fresh, running := played(t, "local", "south"), played(t, "north", "engine", "e2e4")
	over, engines := played(t, "local", "local", "f2f3", "e7e5", "g2g4", "d8h4"), played(t, "engine", "engine", "e2e4")
	begins := []string{wire.DoNew, wire.DoSetup, wire.DoRematch}
	for _, do := range wire.CommandWords() {
		for _, c := range []struct {
			name    string
			setting []string
			by      string
			g       *game.Game
			want    bool
		}{
			{"off", []string{"off"}, "", engines, false},
			{"on", []string{"on"}, "", running, true},
			{"a list with it", []string{"flip", do}, "", running, true},
			{"signed", []string{"signed"}, "arbiter", running, true},
			{"not signed", []string{"signed"}, "", engines, false},
			{"not signed, a list with it", []string{"signed", do}, "", running, true},
			{"signed, and nothing said of it", nil, "arbiter", running, do == wire.DoHint},
			{"signed, off", []string{"off"}, "arbiter", running, false},
			{"a list without it", []string{"explode"}, "", engines, false},
			{"nothing said, a person plays", nil, "", running, do == wire.DoHint},
			{"nothing said, no move made yet", nil, "", fresh, do == wire.DoName || slices.Contains(begins, do)},
			{"nothing said, the game is over", nil, "", over, do == wire.DoHint || slices.Contains(begins, do)},
			{"nothing said, engines play", nil, "", engines, !slices.Contains(begins, do)},
		} {
			err := Allows(c.setting, &wire.Command{Do: do}, c.by, 0, c.g)
			if want := c.want && do != wire.DoSettle; (err == nil) != want {
				t.Errorf("%s, %s: %v, want allowed %v", do, c.name, err, want)
			}
			if err != nil && do != wire.DoSettle && !strings.Contains(err.Error(), "mqtt.commands") {
				t.Errorf("%s, %s: %v does not name the setting", do, c.name, err)
			}
		}
	}
}

// TestSignedBefore: a signed command counts in the game that ran when it was signed, and after that game only if it
// names a step. A number that is no time says nothing, and neither does a board whose clock is wrong.
func TestSignedBefore(t *testing.T) {
	g := played(t, "local", "south", "e2e4")
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		number int64
		to     int64
		want   bool
	}{
		{"in this game", began.Add(time.Hour).UnixMilli(), 0, true},
		{"as it began", began.UnixMilli(), 0, true},
		{"with the command that began it", began.Add(-skew).UnixMilli(), 0, true},
		{"in the game before", began.Add(-skew - time.Millisecond).UnixMilli(), 0, false},
		{"in the game before, and it names a step", began.Add(-time.Hour).UnixMilli(), 1, true},
		{"numbers that are counted", 7, 0, true},
		{"by a clock that began in 1970", time.Unix(600, 0).UnixMilli(), 0, true},
	} {
		for _, setting := range [][]string{{"signed"}, {"signed", wire.DoResign}} {
			err := Allows(setting, &wire.Command{Do: wire.DoResign, To: c.to}, "arbiter", c.number, g)
			if (err == nil) != c.want || err != nil && !strings.Contains(err.Error(), "signed before this game began") {
				t.Errorf("signed %s: %v, want allowed %v", c.name, err, c.want)
			}
		}
	}
}

// TestStrangersBeginFewGames: who may write to the command topic cannot fill the journal with games. Other commands
// are not counted.
func TestStrangersBeginFewGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Strangers
		begins := func(do string) (n int) {
			for range 100 {
				if s.Begins(&wire.Command{Do: do}) == nil {
					n++
				}
			}
			return n
		}
		if n := begins(wire.DoNew); n != 20 {
			t.Errorf("%d games at once, want 20", n)
		}
		if n := begins(wire.DoSetup) + begins(wire.DoRematch); n != 0 {
			t.Errorf("%d more by other words", n)
		}
		if n := begins(wire.DoName); n != 100 {
			t.Errorf("%d of 100 other commands", n)
		}
		time.Sleep(time.Minute)
		if n := begins(wire.DoNew); n != 6 {
			t.Errorf("%d a minute later, want 6", n)
		}
	})
}
