// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/history"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/table"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

func keyOf(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

// signedGame is a game of north and south, as a board holds it that has heard the other's signatures.
func signedGame(t *testing.T, moves string, more ...game.Event) *game.Game {
	t.Helper()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	started, err := game.Start(game.Setup{ID: "g1", Variant: "chess", White: "north", Black: "south", Board: "north"}, at)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(started)
	if err != nil {
		t.Fatal(err)
	}
	apply := func(e game.Event) {
		e.At, e.Remote = at, true
		if err := g.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	sign := func(side game.Side, key ed25519.PrivateKey) {
		sg := trust.GameOf(g)
		s := seal.Sign(key, string(side), &sg)
		apply(game.Event{Kind: game.Sealed, By: side, Ply: s.Ply, Seal: s.String()})
	}
	keys := map[game.Side]ed25519.PrivateKey{game.White: keyOf(1), game.Black: keyOf(2)}
	for _, m := range strings.Fields(moves) {
		side := g.Turn()
		p := g.Position()
		move, err := p.ParseMove(m)
		if err != nil {
			t.Fatal(err)
		}
		apply(game.Event{Kind: game.Moved, Move: p.Coord(move)})
		sign(side, keys[side])
	}
	for _, e := range more {
		apply(e)
	}
	if g.Over() || g.Takebacks() > 0 {
		sign(game.White, keys[game.White])
		sign(game.Black, keys[game.Black])
	}
	return g
}

func fileOf(t *testing.T, g *game.Game) string {
	t.Helper()
	var b strings.Builder
	if err := pgn.Write(&b, File(g, nil, nil)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// check runs boardd verify on a text and gives its status and what it printed.
func check(t *testing.T, text string, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	status := 0
	if err := Verify(t.Context(), cli.Std{In: strings.NewReader(text), Out: &out, Err: &out},
		append([]string{"-"}, args...)); err != nil {
		fmt.Fprintln(&out, err)
		status = 1
		if errors.As(err, new(cli.Usage)) {
			status = 2
		}
	}
	return status, out.String()
}

func TestVerifyGoodGames(t *testing.T) {
	resigned := game.Event{Kind: game.Ended, Outcome: "1-0", Reason: "resignation"}
	for name, c := range map[string]struct {
		g    *game.Game
		want []string
	}{
		"ended": {signedGame(t, "e4 e5 Nf3 Nc6 Bb5", resigned), []string{"white signed all 5 moves and the result " +
			"1-0 by resignation by the key", "black signed all 5"}},
		"mate": {signedGame(t, "f3 e5 g4 Qh4#"), []string{"white signed all 4 moves and the result 0-1 by checkmate",
			"black signed all 4"}},
		"goes on": {signedGame(t, "e4 e5 Nf3"), []string{"white signed all 3 moves by the key",
			"black signed the first 2 moves of 3"}},
		"one move": {signedGame(t, "e4", resigned), []string{"white signed the only move and the result 1-0 by"}},
		"one each": {signedGame(t, "e4 e5"), []string{"white signed the first move of 2, the last of its own by",
			"black signed all 2 moves by"}},
		"taken back": {signedGame(t, "e4 e5 Nf3 Nc6", game.Event{Kind: game.TakenBack, Ply: 2, Count: 1}),
			[]string{"white signed all 2", "black signed all 2"}},
	} {
		status, out := check(t, fileOf(t, c.g))
		for _, want := range c.want {
			if !strings.Contains(out, want) || status != 0 {
				t.Errorf("%s: status %d, want 0 and %q in\n%s", name, status, want, out)
			}
		}
	}
}

// TestVerifyForeignGame: a game of another program has no id and no signature.
func TestVerifyForeignGame(t *testing.T) {
	status, out := check(t, "[White \"Anderssen\"]\n\n1. e4 e5 *\n")
	if !strings.HasPrefix(out, "game of chess: White Anderssen, Black ?, *\n") || status != 1 ||
		!strings.HasSuffix(out, "games that are not signed as they stand: 1\n") {
		t.Errorf("status %d:\n%s", status, out)
	}
}

var (
	aStamp = regexp.MustCompile(`\{\[%seal\s[^}]*\}`)
	aTag   = regexp.MustCompile(`\[(White|Black)Seal "[^"]*"\]\n`)
)

// TestVerifyNamesWhatIsWrong changes an exported game in every way that somebody might.
func TestVerifyNamesWhatIsWrong(t *testing.T) {
	g := signedGame(t, "e4 e5 Nf3 Nc6 Bb5 h6", game.Event{Kind: game.Ended, Outcome: "1-0", Reason: "resignation"})
	good := fileOf(t, g)
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in\n%s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	// cut drops the moves from one word to another, with what stands behind them
	cut := func(from, to string) string {
		i, j := strings.Index(good, from), strings.Index(good, to)
		if i < 0 || j < i {
			t.Fatalf("%q and %q are not in this order in\n%s", from, to, good)
		}
		return good[:i] + good[j:]
	}
	stamps := aStamp.FindAllString(good, -1)
	for _, c := range []struct{ name, text, want string }{
		{"a forged move", replace("2.Nf3", "2.Nc3"), "move 2.Nc3 is not what white signed there"},
		{"a forged answer", replace("Nc6", "a6"), "move 2...a6 is not what black signed there"},
		{"two dropped moves", cut("2.Nf3", "3.Bb5"), "move 2.Bb5 is not what white signed there"},
		{"dropped last moves", cut("3.Bb5", "1-0\n"), "white signed 6 moves, here are 4: 2 were dropped"},
		{"swapped moves", strings.NewReplacer("Nf3", "Bb5", "Bb5", "Nf3").Replace(good),
			"move 2.Bb5 is not what white signed there"},
		{"another result", strings.NewReplacer(`"1-0"`, `"0-1"`, "\n1-0\n", "\n0-1\n", " 1-0\n", " 0-1\n").Replace(good),
			"white signed the result 1-0 by resignation, not 0-1 by resignation"},
		{"another reason", replace(`[Termination "resignation"]`, `[Termination "time"]`),
			"by resignation, not 1-0 by time"},
		{"other players", replace(`[White "north"]`, `[White "west"]`), "move 1.e4 is not what white signed there"},
		{"another game", replace(`[GameId "g1"]`, `[GameId "g2"]`), "move 1.e4 is not what white signed"},
		{"another start",
			replace(`[Board`, `[SetUp "1"]`+"\n"+`[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9"]`+"\n"+
				`[Board`), "move 9.e4 is not what white signed"},
		{"signatures stripped", aTag.ReplaceAllString(good, ""), "nothing is signed"},
		{"one side's stripped", replace(aTag.FindString(good), ""), "white has signed nothing"},
		{"a forged move without its signature", strings.Replace(replace("Nc6", "a6"), stamps[3], "", 1),
			"move 3.Bb5 is not what white signed there"},
		{"a forged move, all signatures of moves stripped", aStamp.ReplaceAllString(replace("Nc6", "a6"), ""),
			"(1.e4 bears no signature of its own)"},
		{"a tag that is none", aTag.ReplaceAllString(good, "[${1}Seal \"x\"]\n"), "tag WhiteSeal"},
	} {
		status, out := check(t, c.text)
		if status != 1 || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d, want 1 and %q in\n%s", c.name, status, c.want, out)
		}
	}
	if status, out := check(t, replace("Nc6", "Kc6")); status != 1 || !strings.Contains(out, "Kc6") {
		t.Errorf("an impossible move: status %d\n%s", status, out)
	}
	if status, out := check(t, ""); status != 1 || !strings.Contains(out, "no game") {
		t.Errorf("no game: status %d\n%s", status, out)
	}
	if status, _ := check(t, good, "--nonsense"); status != 2 {
		t.Errorf("wrong use: status %d", status)
	}
}

func TestVerifyByKnownKeys(t *testing.T) {
	good := fileOf(t, signedGame(t, "e4 e5"))
	north, south := seal.Line("north", keyOf(1).Public().(ed25519.PublicKey)),
		seal.Line("south", keyOf(2).Public().(ed25519.PublicKey))
	name := filepath.Join(t.TempDir(), "keys")
	for text, want := range map[string]string{
		north + south: "",
		north:         "black signed as board south, whose key is not among those given",
		strings.ReplaceAll(north, "north", "south") + strings.ReplaceAll(south, "south",
			"north"): "but the key of board north is",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, out := check(t, good, "--keys", name)
		if (status == 0) != (want == "") || !strings.Contains(out, want) {
			t.Errorf("keys\n%sstatus %d, want %q in\n%s", text, status, want, out)
		}
	}
}

// FuzzVerify: no file crashes it, and no file except the exported game passes.
func FuzzVerify(f *testing.F) {
	t := &testing.T{}
	good := fileOf(t, signedGame(t, "e4 e5"))
	f.Add(good)
	f.Add(strings.Replace(good, "e5", "d5", 1))
	v, err := rules.ByID("chess")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		games, _ := pgn.Read(strings.NewReader(text), v)
		for i := range games {
			c := newChecker(&games[i], map[string]ed25519.PublicKey{"north": keyOf(1).Public().(ed25519.PublicKey),
				"south": keyOf(2).Public().(ed25519.PublicKey)})
			moves := strings.Join(c.game.Moves, " ")
			if len(c.run()) == 0 && moves != "e2e4 e7e5" && moves != "e2e4" && moves != "" {
				t.Fatalf("%q passes for a game of these boards:\n%s", moves, text)
			}
		}
	})
}

// TestImportLiesApart: games from files lie beside the journal, once even if they are imported twice, and are exported
// with the others.
func TestImportLiesApart(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "game.pgn")
	if err := os.WriteFile(file, []byte("[White \"a\"]\n\n1. e4 e5 1-0\n\n[White \"b\"]\n\n1. d4 *\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for range 2 {
		if err := Import(t.Context(), cli.Std{Out: &out, Err: &out}, []string{"--state", dir, file}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "journal")); !os.IsNotExist(err) {
		t.Errorf("the journal of play was touched: %v", err)
	}
	out.Reset()
	err := Export(t.Context(), cli.Std{Out: &out, Err: &out}, []string{"--state", dir})
	if got := out.String(); err != nil || strings.Count(got, "1.e4 e5 1-0") != 1 || strings.Count(got, "1.d4 *") != 1 {
		t.Errorf("exported: %v\n%s", err, got)
	}
}

// TestVerifyTellsHandsFromCommands: what was made by hand and what was given by a command is in the file, and is said.
func TestVerifyTellsHandsFromCommands(t *testing.T) {
	g := signedGame(t, "e4 e5 Nf3", game.Event{Kind: game.Moved, Move: "b8c6", Via: game.OverMQTT("")},
		game.Event{Kind: game.Moved, Move: "f1b5", Via: game.ByHand},
		game.Event{Kind: game.Moved, Move: "a7a6", Via: game.OnPage("anna", true)},
		game.Event{Kind: game.Moved, Move: "b5a4", Via: "hand/" + game.OnPage("", true)},
		game.Event{Kind: game.Moved, Move: "g8f6", Via: game.OnPage("", false)},
		game.Event{Kind: game.Moved, Move: "e1g1", Via: game.ByPage},
		game.Event{Kind: game.Moved, Move: "f8e7", Via: game.ByEngine},
		game.Event{Kind: game.Ended, Outcome: "1-0", Reason: string(rules.Resignation), Via: game.OverMQTT("arbiter")})
	_, out := check(t, fileOf(t, g))
	for _, want := range []string{
		"white, as the exporting board noted: 1 move by hand; 1 by hand, told apart from others on the page, asked " +
			"over the loopback address; 2 by the other board, or at Lichess; 1 on the page\n",
		"black, as the exporting board noted: 0 moves by hand; 1 by MQTT, not signed; 1 by the engine; 1 by the other " +
			"board, or at Lichess; 1 on the page, with the token of anna; 1 on the page, without a token\n",
		"the result, as the exporting board noted: by MQTT, signed by arbiter\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
}

// TestWhoGaveIsSigned: the notes of who gave the moves are signed by the exporting board. If somebody changes them, or
// signs them with another key, verify fails. If they are not signed, it says so.
func TestWhoGaveIsSigned(t *testing.T) {
	g := signedGame(t, "e4 e5 Nf3 Nc6") // by the other board, each
	north, south, other := string(Text(g, nil, keyOf(1))), string(Text(g, nil, keyOf(2))), string(Text(g, nil, keyOf(3)))
	tag := regexp.MustCompile(`(?m)^\[ViaSeal .*\n`)
	for _, c := range []struct{ what, text, want string }{
		{"as it is", north, "these notes are signed by the key " + seal.Fingerprint(seal.Public(keyOf(1)))},
		{"exported by the other board", south, "these notes are signed by the key " +
			seal.Fingerprint(seal.Public(keyOf(2)))},
		{"exported by a board that did not play", other, "these notes are not signed"},
		{"without the signature", tag.ReplaceAllString(north, ""), "these notes are not signed"},
		{"another way", strings.Replace(north, "%via board", "%via hand", 1), "the signature does not fit"},
		{"a way less", strings.Replace(north, "[%via board]", "", 1), "the signature does not fit"},
		{"no way", regexp.MustCompile(`\[%via [^\]]*\]`).ReplaceAllString(north, ""), "the signature does not fit"},
		{"rubbish", tag.ReplaceAllString(north, "[ViaSeal \"x\"]\n"), "want key and signature"},
		{"signed again", tag.ReplaceAllString(north, "[ViaSeal \""+seal.SignWays(keyOf(3), "g1",
			waysOf(File(g, nil, nil)))+"\"]\n"), "which has signed no move"},
	} {
		status, out := check(t, c.text)
		if fails := !strings.Contains(c.want, "these notes"); !strings.Contains(out, c.want) || fails != (status == 1) {
			t.Errorf("%s: status %d, want %q in\n%s", c.what, status, c.want, out)
		}
	}
}

// TestNoEscapes: text from a stranger's file cannot control a terminal, neither by verify, nor by import, nor by the
// export of imported games.
func TestNoEscapes(t *testing.T) {
	dir := t.TempDir()
	bad := "[Event \"\x1b]0;owned\x07\"]\n[GameId \"\x1b[2J\"]\n[White \"\u202egnp\"]\n[Result \"1-0\"]\n\n" +
		"1. e4 {\x9b31m} e5 1-0\n"
	_, out := check(t, bad)
	var kept bytes.Buffer
	std := cli.Std{In: strings.NewReader(bad), Out: &kept, Err: &kept}
	if err := Import(t.Context(), std, []string{"--state", dir, "-"}); err != nil {
		fmt.Fprintln(cli.Plain(&kept), err)
	}
	if err := Export(t.Context(), std, []string{"--state", dir}); err != nil {
		fmt.Fprintln(cli.Plain(&kept), err)
	}
	for _, text := range []string{out, kept.String()} {
		if text == "" || text != cli.Clean(text) {
			t.Errorf("printed: %q", text)
		}
	}
}

// TestExportNoEscapes: neither can a stranger's journal.
func TestExportNoEscapes(t *testing.T) {
	var scribe history.Scribe
	e, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: game.Local, Black: "\x1b[2J\u202e\u009b",
		Board: "\x1b]0;owned\x07"}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	data, err := scribe.Encode(&table.Record{Event: &e})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := journal.Create(filepath.Join(dir, "journal"), journal.Options{}, journal.Version,
		[][]byte{data}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	std := cli.Std{In: strings.NewReader(""), Out: &out, Err: &out}
	if err := Export(t.Context(), std, []string{"--state", dir}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "[2J") || text != cli.Clean(text) {
		t.Errorf("printed: %q", text)
	}
}

// TestPipeNobodyWritesTo: a named pipe to which nobody writes, in place of a file of games or keys, is an error. No
// command waits for ever, and nothing is kept.
func TestPipeNobodyWritesTo(t *testing.T) {
	dir := t.TempDir()
	pipe, good := filepath.Join(dir, "pipe"), filepath.Join(dir, "game.pgn")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(good, []byte("1. e4 e5 *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	std := cli.Std{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	done := make(chan error, 3)
	go func() {
		done <- Verify(t.Context(), std, []string{"--keys", pipe, good})
		done <- Verify(t.Context(), std, []string{pipe})
		done <- Import(t.Context(), std, []string{"--state", dir, pipe})
	}()
	for range cap(done) {
		select {
		case err := <-done:
			if err == nil {
				t.Error("it is no file of games or keys, and nothing was said")
			}
		case <-time.After(time.Minute):
			t.Fatal("it waits for ever")
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, imported, "*")); err != nil || len(names) > 0 {
		t.Errorf("kept: %v, %v", names, err)
	}
}

// TestEmptyFileOfOldGoes: an import removes the empty file that older versions kept of a file without a game.
func TestEmptyFileOfOldGoes(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, imported, fmt.Sprintf("%x.pgn", sha256.Sum256(nil)))
	if err := errors.Join(os.Mkdir(filepath.Dir(old), 0o750), os.WriteFile(old, nil, 0o640)); err != nil {
		t.Fatal(err)
	}
	std := cli.Std{In: strings.NewReader("1. e4 e5 *\n"), Out: io.Discard, Err: io.Discard}
	if err := Import(t.Context(), std, []string{"--state", dir, "-"}); err != nil {
		t.Fatal(err)
	}
	if names, err := filepath.Glob(filepath.Join(dir, imported, "*")); err != nil || len(names) != 1 || names[0] == old {
		t.Errorf("there is %v, %v, want the file of the one game", names, err)
	}
}

// TestImportNoGame: a file in which there is no game is an error that says so, and leaves no file.
func TestImportNoGame(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "blank": "\n \n", "remark": "; nothing was played\n"} {
		file := filepath.Join(dir, name+".pgn")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{file, "-"} {
			var out bytes.Buffer
			std := cli.Std{In: strings.NewReader(text), Out: &out, Err: &out}
			err := Import(t.Context(), std, []string{"--state", filepath.Join(dir, "state"), from})
			if err == nil || !strings.HasPrefix(err.Error(), from+": there is no game in it") ||
				!strings.Contains(err.Error(), "want PGN") || strings.Contains(err.Error(), "pipe") {
				t.Errorf("%s from %s: got %v\n%s", name, from, err, &out)
			}
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, "state", imported, "*")); err != nil || len(names) > 0 {
		t.Errorf("kept: %v, %v", names, err)
	}
	file := filepath.Join(dir, "empty.pgn")
	std := cli.Std{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	if err := Verify(t.Context(), std, []string{file}); err == nil || strings.Contains(err.Error(), "pipe") {
		t.Errorf("verify: got %v, want nothing about pipes", err)
	}
}

// TestPipeWrittenLate: whoever writes to a named pipe may come after the command that reads it.
func TestPipeWrittenLate(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	wrote := make(chan error, 1)
	go func() {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until it is read
		if err == nil {
			_, err = f.WriteString("1. e4 e5 *\n")
			err = errors.Join(err, f.Close())
		}
		wrote <- err
	}()
	var out bytes.Buffer
	std := cli.Std{In: strings.NewReader(""), Out: &out, Err: io.Discard}
	err := Import(t.Context(), std, []string{"--state", dir, pipe})
	if err != nil || !strings.HasSuffix(out.String(), ": 1\n") {
		t.Fatalf("got %v, %s", err, &out)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
}
