// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/cmd/boardd/cli"
	"boardd/rules/game"
)

// verifyBoth runs boardd verify on two files, each read by somebody else.
func verifyBoth(t *testing.T, a, b string) (out string, err error) {
	t.Helper()
	var names []string
	for i, text := range []string{a, b} {
		name := filepath.Join(t.TempDir(), []string{"club", "south"}[i])
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	var buf bytes.Buffer
	err = Verify(t.Context(), cli.Std{In: strings.NewReader(""), Out: &buf, Err: &buf}, names)
	return strings.NewReplacer(names[0], "club", names[1], "south").Replace(buf.String()), err
}

// TestVerifyNamesTwoStories: a player who signs one game in two ways, for two readers, is named when their files are
// verified together. A shorter record is no other one, nor is one from before a takeback.
func TestVerifyNamesTwoStories(t *testing.T) {
	back := game.Event{Kind: game.TakenBack, Ply: 2, Count: 1}
	ends := func(outcome, reason string) game.Event {
		return game.Event{Kind: game.Ended, Outcome: outcome, Reason: reason}
	}
	for _, c := range []struct {
		name string
		a, b *game.Game
		want string // "" if nothing is wrong
	}{
		{"the same", signedGame(t, "e4 e5 Nf3"), signedGame(t, "e4 e5 Nf3"), ""},
		{"a shorter one", signedGame(t, "e4 e5 Nf3 Nc6"), signedGame(t, "e4 e5"), ""},
		{"one that ended", signedGame(t, "e4 e5"), signedGame(t, "e4 e5", ends("1-0", "resignation")), ""},
		{"before a takeback", signedGame(t, "e4 e5 Nf3 Nc6"), signedGame(t, "e4 e5 Nf3 d6", back), ""},
		{"another move", signedGame(t, "e4 e5 Nf3 Nc6"), signedGame(t, "e4 e5 Nf3 d6"),
			"game g1 is told in two ways: club has 2...Nc6, south has 2...d6; black signed both by the key "},
		{"another move, and then none", signedGame(t, "e4 e5 Nf3 Nc6 Bb5"), signedGame(t, "e4 c5"),
			"club has 1...e5, south has 1...c5; black signed both"},
		{"another move before a takeback", signedGame(t, "e4 e5 Nf3 Nc6 Bb5", game.Event{Kind: game.TakenBack, Ply: 4,
			Count: 1}), signedGame(t, "e4 c5 Nf3"),
			"club has 1...e5, south has 1...c5; black signed both"},
		{"another result", signedGame(t, "e4 e5", ends("1-0", "resignation")),
			signedGame(t, "e4 e5", ends("0-1", "resignation")),
			"club has 1-0 by resignation, south has 0-1 by resignation; white signed both"},
		{"another reason", signedGame(t, "e4 e5", ends("1-0", "resignation")), signedGame(t, "e4 e5", ends("1-0", "time")),
			"club has 1-0 by resignation, south has 1-0 by time; white signed both"},
	} {
		out, err := verifyBoth(t, fileOf(t, c.a), fileOf(t, c.b))
		if (err != nil) != (c.want != "") || !strings.Contains(out, c.want) ||
			err != nil && err.Error() != "games that are told in two ways: 1" {
			t.Errorf("%s: error %v, want %q in\n%s", c.name, err, c.want, out)
		}
	}
	text := fileOf(t, signedGame(t, "e4 e5")) + fileOf(t, signedGame(t, "e4 c5"))
	want := "- (game 1) has 1...e5, - (game 2) has 1...c5"
	if status, out := check(t, text); status != 1 || !strings.Contains(out, want) {
		t.Errorf("in one file: status %d\n%s", status, out)
	}
}
