// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardd/cmd/boardd/history"
	"boardd/config"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

// TestNoState: whoever cannot use the state folder is told where it is and what to do, each fault by its own words.
func TestNoState(t *testing.T) {
	for want, err := range map[string]error{"sudo chown -R " + CurrentUser() + " /var/lib/boardd": fs.ErrPermission,
		"remount,rw": unix.EROFS, "free room": unix.ENOSPC, "with locks": journal.ErrNoLock,
		"may write to": errors.New("anything")} {
		got := NoState("/var/lib/boardd", fmt.Errorf("open journal /var/lib/boardd/journal: %w", err))
		if !errors.Is(got, err) || !strings.Contains(got.Error(), want) || !strings.Contains(got.Error(), "journal: ") {
			t.Errorf("%v: %v, want %q", err, got, want)
		}
	}
}

// TestNoStateLater: a later version's journal, and a disk that is not mounted, are no matter of rights.
func TestNoStateLater(t *testing.T) {
	for _, why := range []error{journal.ErrVersion, journal.ErrNoTarget} {
		err := fmt.Errorf("open: %w 9", why)
		if got := NoState("/var/lib/boardd", err); got.Error() != err.Error() {
			t.Error(got)
		}
	}
}

// TestDoctorJournal: the doctor reads the journal, and says what is damaged or gone.
func TestDoctorJournal(t *testing.T) {
	dir := t.TempDir()
	at, c := filepath.Join(dir, "journal"), config.Default()
	c.StateDir = dir
	if err := journal.Create(at, journal.Options{}, journal.Version, [][]byte{{1}, {2}, {3}}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "live.pgn", "", 0o600)
	segment := filepath.Join(at, "00000001.journal")
	text, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	text[20] ^= 1
	full := c
	full.BudgetMB = 0
	var out bytes.Buffer
	(&examination{out: &out}).journal(&full)
	says(t, &out, "its oldest games go when a new one begins", "raise journal.budget_mb")
	for _, want := range []string{"ok    its records", "a damaged record cannot be read", "the journal is empty"} {
		var out bytes.Buffer
		(&examination{out: &out}).journal(&c)
		says(t, &out, want)
		if err := os.WriteFile(segment, text, 0o600); err != nil {
			t.Fatal(err)
		}
		text = nil
	}
}

// TestDoctorGone: a journal that is not there any more, or no folder, and a key that is gone are no first start.
func TestDoctorGone(t *testing.T) {
	c := config.Default()
	c.StateDir, c.Board = t.TempDir(), "north"
	look := func(want ...string) {
		t.Helper()
		var out bytes.Buffer
		d := &examination{out: &out}
		d.key(&c, d.journal(&c))
		says(t, &out, want...)
	}
	look("ok    key                          will be made on the first start")
	put(t, c.StateDir, "live.pgn", "", 0o600)
	look("MEND  its records                  the folder of the journal is gone, although this board has played")
	put(t, c.StateDir, "board.pub", "", 0o600)
	put(t, c.StateDir, "journal", "", 0o600)
	look("MEND  its records", "not a directory", "MEND  key                          "+c.StateDir+"/board.key is gone",
		"put it back before you start boardd")
}

// TestDoctorKeyGone: the games that a board has signed show that it has had a key.
func TestDoctorKeyGone(t *testing.T) {
	c := config.Default()
	c.StateDir, c.Board = t.TempDir(), "north"
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	start, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: "north", Black: "south", Board: "north"}, at)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(start)
	if err != nil {
		t.Fatal(err)
	}
	sg := trust.GameOf(g)
	s := seal.Sign(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), string(game.White), &sg)
	var scribe history.Scribe
	var payloads [][]byte
	for _, e := range []game.Event{start, {Kind: game.Sealed, At: at, By: game.White, Ply: s.Ply, Seal: s.String()}} {
		data, err := scribe.Encode(&table.Record{Event: &e})
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, data)
	}
	if err := journal.Create(filepath.Join(c.StateDir, "journal"), journal.Options{}, journal.Version,
		payloads); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := &examination{out: &out}
	d.key(&c, d.journal(&c))
	says(t, &out, "MEND  key                          "+c.StateDir+"/board.key is gone")
}

// TestDoctorOwner: a journal of another user cannot be written, although it can be read.
func TestDoctorOwner(t *testing.T) {
	c := config.Default()
	c.StateDir = t.TempDir()
	at := filepath.Join(c.StateDir, "journal")
	if err := journal.Create(at, journal.Options{}, journal.Version, [][]byte{{1}}); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join(at, "00000001.journal")
	for name, mode := range map[string]os.FileMode{segment: 0o444, at: 0o755, filepath.Dir(c.StateDir): 0o755} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	look := func(want ...string) {
		t.Helper()
		var out bytes.Buffer
		asNobody(t, func() { (&examination{out: &out}).journal(&c) })
		says(t, &out, append(want, "sudo chown -R boardd: "+c.StateDir)...)
	}
	look("MEND  journal                      write "+segment+": permission denied", "ok    its records")
	if err := os.Chmod(segment, 0); err != nil {
		t.Fatal(err)
	}
	look("MEND  its records                  read", "open "+segment+": permission denied")
	for name, mode := range map[string]os.FileMode{segment: 0o666, at: 0o777} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	games := filepath.Join(c.StateDir, "games")
	if err := os.Mkdir(games, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, games, "g1.pgn", "", 0o444)
	look("MEND  journal                      write " + filepath.Join(games, "g1.pgn") + ": permission denied")
}

// asNobody calls f as the user nobody, if the test may do so.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f() // this user may write what is his only as far as its mode says
		return
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine, and so does its being nobody
		const nobody = 65534
		_, _, e := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody)
		if e != 0 {
			done <- e
			return
		}
		f()
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestDoctorPairs: a damaged list of paired boards is named, as the daemon names it.
func TestDoctorPairs(t *testing.T) {
	dir := t.TempDir()
	look := func(want string) {
		t.Helper()
		var out bytes.Buffer
		(&examination{out: &out}).pairs(dir)
		if want == "" && out.Len() > 0 {
			t.Errorf("nothing is paired, and it says %s", &out)
		}
		says(t, &out, want)
	}
	look("")
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	if err := trust.Pair(dir, trust.Known{}, "south", seal.Fingerprint(key.Public().(ed25519.PublicKey))); err != nil {
		t.Fatal(err)
	}
	look("ok    paired boards                south")
	put(t, dir, trust.PairsFile, "south tugi", 0o600)
	look("MEND  paired boards                " + dir + "/paired: line 1: 1 word,")
}

// TestDoctorState: the doctor names each file of the state folder that was emptied or has a folder in its place.
func TestDoctorState(t *testing.T) {
	dir, c := t.TempDir(), config.Default()
	c.StateDir, c.CommandKeysFile = dir, filepath.Join(dir, "signers")
	key, _, err := seal.LoadKey(filepath.Join(dir, "board.key"))
	if err != nil {
		t.Fatal(err)
	}
	words := seal.Fingerprint(seal.Public(key))
	game := "1. e4 *\n"
	imported := fmt.Sprintf("imported/%x.pgn", sha256.Sum256([]byte(game)))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "imported"), 0o700), trust.Pair(dir, trust.Known{}, "south", words),
		trust.Outdate(dir, time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), time.Time{})); err != nil {
		t.Fatal(err)
	}
	put(t, dir, imported, game, 0o600)
	put(t, dir, "signers", seal.Line("arbiter", seal.Public(key)), 0o600)
	look := func() string {
		var out bytes.Buffer
		d := &examination{out: &out}
		d.key(&c, true)
		d.pairs(dir)
		d.signers(&c)
		d.imported(dir)
		return out.String()
	}
	if got := look(); strings.Contains(got, "MEND") || strings.Count(got, "\n") != 4 {
		t.Errorf("as it should be: %s", got)
	}
	for file, part := range map[string]string{"board.key": "key", trust.PairsFile: "paired boards",
		trust.SignedCommandsFile: "signed commands", imported: "imported games"} {
		name := filepath.Join(dir, file)
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for how, spoil := range map[string]func() error{
			"emptied":  func() error { return errors.Join(os.RemoveAll(name), os.WriteFile(name, nil, 0o600)) },
			"a folder": func() error { return errors.Join(os.RemoveAll(name), os.Mkdir(name, 0o700)) },
		} {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			if got := look(); !strings.Contains(got, "MEND  "+part) || !strings.Contains(got, name) ||
				strings.Count(got, "MEND") != 1 {
				t.Errorf("%s %s: %s", file, how, got)
			}
		}
		if err := errors.Join(os.RemoveAll(name), os.WriteFile(name, whole, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
