// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/seal"
)

// board is one with a key of its own.
func board(t *testing.T, name string) (*Keys, string) {
	t.Helper()
	dir := t.TempDir()
	k, err := Read("")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.Own(dir, name); err != nil {
		t.Fatal(err)
	}
	return k, dir
}

// says is what a board publishes after one move of a game in which it has White, with its signatures. If by is nil,
// nothing is signed.
func says(t *testing.T, name string, by *Keys) (*game.RemoteGame, table.Seals) {
	t.Helper()
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	e, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: name, Black: "south", Board: name}, at)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(e)
	if err == nil {
		err = g.Apply(game.Event{Kind: game.Moved, At: at, Move: "e2e4"})
	}
	if err != nil {
		t.Fatal(err)
	}
	seals := table.Seals{}
	if by != nil {
		for _, e := range by.Sign(g, at) {
			seals[e.By] = e.Seal
		}
	}
	sg := GameOf(g)
	return &game.RemoteGame{Board: name, ID: sg.ID, Variant: sg.Variant, White: sg.White, Black: sg.Black,
		Start: sg.Start,
		Moves: sg.Moves}, seals
}

// believed is why a board does not believe what another says, "" if it does.
func believed(t *testing.T, k, by *Keys) string {
	t.Helper()
	h, seals := says(t, "north", by)
	good, err := k.Verify(h, seals)
	var d *table.TrustError
	switch {
	case err == nil:
		k.TrustFirst("north", good)
		return ""
	case !errors.As(err, &d):
		t.Fatal(err)
	}
	return d.Why.English
}

// TestFirstKeyCounts: the key with which a board first signs counts as its own. After that unsigned messages and those
// by other keys are not believed, until the owner makes this board forget the key.
func TestFirstKeyCounts(t *testing.T) {
	north, _ := board(t, "north")
	impostor, _ := board(t, "north")
	south, _ := board(t, "south")
	if why := believed(t, south, nil); why != "" {
		t.Errorf("nothing signed, nothing known: %s", why)
	}
	if why := believed(t, south, north); why != "" {
		t.Errorf("signed for the first time: %s", why)
	}
	if why := believed(t, south, nil); !strings.Contains(why, "not signed") {
		t.Errorf("no longer signed: %q", why)
	}
	if why := believed(t, south, impostor); !strings.Contains(why, north.Words()) ||
		!strings.Contains(why, impostor.Words()) {
		t.Errorf("another key: %q does not name both", why)
	}
	south.SetKey("north", nil)
	if why := believed(t, south, impostor); why != "" {
		t.Errorf("after the key was forgotten: %s", why)
	}
}

// TestForged: a signature that does not fit the moves is not believed, whoever's key it is.
func TestForged(t *testing.T) {
	north, _ := board(t, "north")
	south, _ := board(t, "south")
	h, seals := says(t, "north", north)
	h.Moves = []string{"d2d4"}
	var d *table.TrustError
	if _, err := south.Verify(h, seals); !errors.As(err, &d) || !d.Forged {
		t.Errorf("a move that was not signed: %v", err)
	}
	seals[game.White] = "rubbish"
	if _, err := south.Verify(h, seals); !errors.As(err, &d) || !d.Forged {
		t.Errorf("rubbish for a signature: %v", err)
	}
}

// TestOwnMovesCount: moves in another board's message count as made here as far as this board's own signature reaches.
// A signature by another key, of another game, after other takebacks, or of other moves does not count.
func TestOwnMovesCount(t *testing.T) {
	north, _ := board(t, "north")
	other, _ := board(t, "north")
	own := func(by *Keys, change func(h *game.RemoteGame)) int {
		t.Helper()
		h, seals := says(t, "north", by)
		h.Board, h.Moves = "south", append(h.Moves, "e7e5", "g1f3") // south tells what north has said, and more
		change(h)
		if _, err := north.Verify(h, seals); err != nil {
			t.Fatal(err)
		}
		return h.Own
	}
	if n := own(north, func(*game.RemoteGame) {}); n != 1 {
		t.Errorf("%d moves count as made here, want the one that was signed", n)
	}
	for what, n := range map[string]int{
		"another key":     own(other, func(*game.RemoteGame) {}),
		"nothing signed":  own(nil, func(*game.RemoteGame) {}),
		"another game":    own(north, func(h *game.RemoteGame) { h.ID = "other" }),
		"other takebacks": own(north, func(h *game.RemoteGame) { h.Takebacks = 1 }),
		"another line":    own(north, func(h *game.RemoteGame) { h.Moves[0] = "d2d4" }),
	} {
		if n != 0 {
			t.Errorf("%s: %d moves count as made here", what, n)
		}
	}
}

// TestPaired: a board whose words were compared is believed only by that key, from its first message on, whatever key
// was met before. This holds until the pairing is undone, even after a restart.
func TestPaired(t *testing.T) {
	north, _ := board(t, "north")
	impostor, _ := board(t, "north")
	for _, before := range []*Keys{nil, north, impostor} {
		south, dir := board(t, "south")
		if before != nil {
			if why := believed(t, south, before); why != "" {
				t.Fatal(why)
			}
		}
		if err := Pair(dir, Known{}, "north", strings.ToUpper(strings.ReplaceAll(north.Words(), " ", "-"))); err != nil {
			t.Fatal(err)
		}
		if err := south.Reread(dir); err != nil {
			t.Fatal(err)
		}
		if got, want := south.List(), []Known{{"north", north.Words(), Paired}}; !slices.Equal(got, want) ||
			!south.Pinned("north") {
			t.Errorf("known: %v, want %v", got, want)
		}
		if why := believed(t, south, nil); !strings.Contains(why, "not signed") {
			t.Errorf("not signed, though paired: %q", why)
		}
		if why := believed(t, south, impostor); !strings.Contains(why, impostor.Words()) {
			t.Errorf("the impostor: %q", why)
		}
		if why := believed(t, south, north); why != "" {
			t.Errorf("its own key: %s", why)
		}
		if err := Unpair(dir, "north"); err != nil {
			t.Fatal(err)
		}
		if err := south.Reread(dir); err != nil || south.Pinned("north") {
			t.Errorf("parted: still fixed, or %v", err)
		}
	}
}

// TestNearlyTheWords: somebody may try keys until one has the first word of another board's key. He gains nothing by
// that, since the program compares all six words.
func TestNearlyTheWords(t *testing.T) {
	north, _ := board(t, "north")
	south, dir := board(t, "south")
	first, _, _ := strings.Cut(north.Words(), " ")
	near, _ := board(t, "north")
	for !strings.HasPrefix(near.Words(), first+" ") {
		_, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		near.own = key
	}
	own := Known{"south", south.Words(), ""}
	if err := errors.Join(Pair(dir, own, "north", north.Words()), south.Reread(dir)); err != nil {
		t.Fatal(err)
	}
	if why := believed(t, south, near); !strings.Contains(why, near.Words()) {
		t.Errorf("a key with the words %s passes for that with %s: %q", near.Words(), north.Words(), why)
	}
}

// TestPairWrong: a wrong name or wrong words change nothing. A damaged file is an error that names the line.
func TestPairWrong(t *testing.T) {
	north, _ := board(t, "north")
	south, dir := board(t, "south")
	words := north.Words()
	other := "b" + words[1:]
	if other == words {
		other = "d" + words[1:]
	}
	for _, c := range [][3]string{{"North", words, "a-z"}, {"north", "", "0 words"},
		{"south", words, "is this board"}, {"engine", words, "no other board plays"}, {"lichess", words, "no other board"},
		{"north", words + " bada", "7 words"}, {"north", other, "one of them"},
		{"north", south.Words(), "words of this board"}, {"north", "cata" + words[4:], "letter 1"},
		{"north", "bad" + words[4:], "four letters"}} {
		own := Known{"south", south.Words(), ""}
		if err := Pair(dir, own, c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q %q: %v, want an error with %q", c[0], c[1], err, c[2])
		}
	}
	if err := Unpair(dir, "north"); err == nil {
		t.Error("parted from a board with which it was not paired")
	}
	if _, err := os.Stat(filepath.Join(dir, PairsFile)); err == nil {
		t.Error("a file was written")
	}
	if err := Pair(dir, Known{}, "north", words); err != nil {
		t.Fatal(err)
	}
	if err := south.Reread(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, PairsFile), []byte("east "+words+"\nnorth bada\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := south.Reread(dir); err == nil || !strings.Contains(err.Error(), "line 2") || !south.Pinned("north") ||
		south.Pinned("east") {
		t.Errorf("a spoilt file: %v, north fixed %v, east %v", err, south.Pinned("north"), south.Pinned("east"))
	}
	anew, err := Read("")
	if err != nil {
		t.Fatal(err)
	}
	if err := anew.Reread(dir); err == nil {
		t.Error("a spoilt file is read after a restart")
	}
	if why := believed(t, anew, north); !strings.Contains(why, "cannot be read") {
		t.Errorf("nobody knows whose key was compared, and a key is met: %q", why)
	}
}

// TestFiled: the owner's file takes precedence over keys that were met or paired.
func TestFiled(t *testing.T) {
	north, folder := board(t, "north")
	impostor, _ := board(t, "north")
	line, err := os.ReadFile(filepath.Join(folder, "board.pub"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "keys")
	if err := os.WriteFile(file, line, 0o600); err != nil {
		t.Fatal(err)
	}
	south, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	south.Recall(Owner{}, [][]byte{
		[]byte(`{"trusted":{"north":"` + strings.Fields(seal.Line("north", seal.Public(impostor.own)))[1] + `"}}`)})
	if err := Pair(dir, Known{}, "north", impostor.Words()); err != nil {
		t.Fatal(err)
	}
	if err := south.Reread(dir); err != nil {
		t.Fatal(err)
	}
	if why := believed(t, south, impostor); why == "" {
		t.Error("the impostor is believed against the file")
	}
	if why := believed(t, south, north); why != "" {
		t.Error(why)
	}
	if got, want := south.List(), []Known{{"north", north.Words(), Filed}}; !slices.Equal(got, want) {
		t.Errorf("known: %v, want %v", got, want)
	}
	if _, err := Read(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "mqtt.keys_file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestMetIsKept: the latest record of keys in the journal is read back. What is not a key in it is left out.
func TestMetIsKept(t *testing.T) {
	north, _ := board(t, "north")
	south, _ := board(t, "south")
	believed(t, south, north)
	text := south.Keys()["north"]
	again, err := Read("")
	if err != nil {
		t.Fatal(err)
	}
	again.Recall(Owner{}, [][]byte{[]byte(`{"trusted":{"east":"` + text + `"}}`), []byte(`{"other":1}`),
		[]byte(`{"trusted":{"north":"` + text + `","west":"no key"}}`)})
	if got, want := again.List(), []Known{{"north", north.Words(), Met}}; !slices.Equal(got, want) {
		t.Errorf("known: %v, want %v", got, want)
	}
}

// TestMetElsewhere: what another board has met counts for nothing here, though its journal came into the folder. A
// board that was renamed, and one that has lost its key, still know whom they met.
func TestMetElsewhere(t *testing.T) {
	north, _ := board(t, "north")
	south, _ := board(t, "south")
	text := strings.Fields(seal.Line("north", seal.Public(north.own)))[1]
	own := south.Owner("south")
	for name, c := range map[string]struct {
		owner Owner
		want  int
	}{
		"its own":                      {own, 1},
		"of an older version":          {Owner{}, 1},
		"another board's":              {north.Owner("north"), 0},
		"another board's without keys": {Owner{Board: "north"}, 0},
		"from before it was renamed":   {Owner{"east", own.Key}, 1},
		"from before its key was lost": {Owner{"south", north.Owner("").Key}, 1},
	} {
		record, err := json.Marshal(Record{Keys: map[string]string{"west": text}, Owner: c.owner})
		if err != nil {
			t.Fatal(err)
		}
		k, err := Read("")
		if err != nil {
			t.Fatal(err)
		}
		k.Recall(own, [][]byte{record})
		if got := len(k.List()); got != c.want {
			t.Errorf("%s: %d boards are known, want %d", name, got, c.want)
		}
	}
}

// FuzzFingerprint: what is read as words is written the same, and every key's words are read.
func FuzzFingerprint(f *testing.F) {
	f.Add("bada bada bada bada bada bada", []byte{1})
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, text string, key []byte) {
		if words, err := seal.ParseFingerprint(text); err == nil {
			if again, err := seal.ParseFingerprint(words); err != nil || again != words {
				t.Errorf("%q is read as %q, %v", words, again, err)
			}
		}
		words := seal.Fingerprint(ed25519.PublicKey(key))
		if got, err := seal.ParseFingerprint(words); err != nil || got != words {
			t.Errorf("%q: %q, %v", words, got, err)
		}
	})
}

// TestRereadFixed: when the owner's file of keys is read again, it counts as it is then. If it has faults, the keys
// from before count on, and no unknown key is accepted.
func TestRereadFixed(t *testing.T) {
	north, dir := board(t, "north")
	other, _ := board(t, "other")
	file := filepath.Join(t.TempDir(), "keys")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(seal.Line("north", seal.Public(north.own)))
	k, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text  string
		fault bool
		want  bool // what north signs is believed
	}{{seal.Line("north", seal.Public(other.own)), false, false}, {"north rubbish", true, false},
		{seal.Line("north", seal.Public(north.own)), false, true}, {"north rubbish", true, true}, {"", false, true}} {
		write(c.text)
		if err := k.Reread(dir); (err != nil) != c.fault {
			t.Errorf("%q: %v", c.text, err)
		}
		h, seals := says(t, "north", north)
		if _, err := k.Verify(h, seals); (err == nil) != c.want {
			t.Errorf("%q: %v, want believed %v", c.text, err, c.want)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := k.Reread(dir); err == nil {
		t.Error("the file is gone, and that is no error")
	}
	h, seals := says(t, "west", other)
	if _, err := k.Verify(h, seals); err == nil {
		t.Error("an unknown key is accepted while the file is gone")
	}
}

// TestPairedAtOnce: boards that are paired and parted at the same time, as in a terminal and on the page, are all
// paired and parted. A lock that another program keeps is an error, and changes nothing.
func TestPairedAtOnce(t *testing.T) {
	other, _ := board(t, "other")
	dir, words := t.TempDir(), other.Words()
	name := func(n int) string { return "board-" + strconv.Itoa(n) }
	const boards = 40
	all := func(do func(n int) error) {
		t.Helper()
		var wait sync.WaitGroup
		for n := range boards {
			wait.Go(func() {
				if err := do(n); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
	all(func(n int) error { return Pair(dir, Known{}, name(n), words) })
	pairs, err := Pairs(dir)
	if err != nil || len(pairs) != boards {
		t.Fatalf("%d boards are paired, want %d: %v", len(pairs), boards, err)
	}
	all(func(n int) error {
		if n%2 == 0 {
			return Unpair(dir, name(n))
		}
		return Pair(dir, Known{}, name(boards+n), words)
	})
	if pairs, err = Pairs(dir); err != nil || len(pairs) != boards || pairs[name(0)] != "" {
		t.Fatalf("after the half of them were parted and as many others paired, %d are: %v", len(pairs), err)
	}
	f, err := os.Open(filepath.Join(dir, PairsLock))
	if err == nil {
		defer f.Close()
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		if err := Unpair(dir, name(1)); err == nil || !strings.Contains(err.Error(), "try again") {
			t.Errorf("while another program changes the list: %v", err)
		}
	})
	link := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(link, PairsLock)); err != nil {
		t.Fatal(err)
	}
	if err := Pair(link, Known{}, "board", words); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a lock that is a symbolic link: %v, want an error that says so", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "elsewhere")); err == nil {
		t.Error("a file was made where a symbolic link leads to")
	}
}
