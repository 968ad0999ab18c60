// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/config"
	"boardd/sync/journal"
	"boardd/sync/seal"
)

// board makes a board that has played: a state folder and a configuration with a file beside it and one elsewhere.
func board(t *testing.T) Board {
	t.Helper()
	state, conf := filepath.Join(t.TempDir(), "state"), t.TempDir()
	j, _, _, err := journal.Open(filepath.Join(state, "journal"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append([]byte("e2e4"), []byte("e7e5")); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := seal.LoadKey(filepath.Join(state, "board.key")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(state, "games", "a.pgn"), "1.e4 e5 *\n")
	write(t, filepath.Join(state, "calibration.json"), "{}\n")
	write(t, filepath.Join(state, "traces", "a.trace"), "boardd-trace 1\n")
	write(t, filepath.Join(state, "broker", "store"), "can be made anew")
	write(t, filepath.Join(conf, "password"), "secret\n")
	far := filepath.Join(t.TempDir(), "tokens")
	write(t, far, "player abcdefghijklmnop\n")
	text := fmt.Sprintf("board: kitchen\nstate_dir: %s\nmqtt:\n  url: mqtts://b.example:8883\n  user: kitchen\n"+
		"  password_file: %s\nweb:\n  token_file: %s\n",
		state, filepath.Join(conf, "password"), far)
	b := Board{ConfigPath: filepath.Join(conf, "board.yaml"), Version: "0.2.0"}
	write(t, b.ConfigPath, text)
	if b.Conf, err = config.LoadWithoutCredentials(b.ConfigPath); err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func save(t *testing.T, b Board) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := Save(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// tree is what a folder holds, without locks.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		info, _ := d.Info()
		found[rel] = fmt.Sprint(info.Mode(), " ", string(text))
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

// newPlace is a machine without any files of a board.
func newPlace(t *testing.T) Place {
	return Place{ConfigPath: filepath.Join(t.TempDir(), "etc", "board.yaml"),
		StateDir: filepath.Join(t.TempDir(), "state")}
}

func TestRestoreGivesTheSameBoard(t *testing.T) {
	b := board(t)
	for _, c := range []struct {
		name       string
		traces     bool
		passphrase string
	}{{"plain", false, ""}, {"with traces", true, ""}, {"encrypted", false, "correct horse"}} {
		t.Run(c.name, func(t *testing.T) {
			b.Traces, b.Passphrase = c.traces, c.passphrase
			file := save(t, b)
			if got := bytes.Contains(file, []byte("age-encryption.org")); got != (c.passphrase != "") {
				t.Errorf("encrypted: got %v", got)
			}
			p := newPlace(t)
			p.Passphrase = c.passphrase
			done, err := Restore(bytes.NewReader(file), p)
			if err != nil {
				t.Fatal(err)
			}
			if done.Board != "kitchen" || done.Records != 2 || done.Aside != "" {
				t.Errorf("got %+v", done)
			}
			want := tree(t, b.Conf.StateDir)
			delete(want, "broker/store")
			if !c.traces {
				delete(want, "traces/a.trace")
			}
			got := tree(t, p.StateDir)
			if !strings.Contains(got["orders"], " * ") { // of signed commands that were given since
				t.Errorf("orders: %q", got["orders"])
			}
			delete(got, "orders")
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("state: got %v, want %v", got, want)
			}
			if got := tree(t, filepath.Dir(p.ConfigPath)); fmt.Sprint(got) != fmt.Sprint(tree(t, filepath.Dir(b.ConfigPath))) {
				t.Errorf("configuration: got %v", got)
			}
		})
	}
}

func TestSaveSaysWhatItLeaves(t *testing.T) {
	saved, err := Save(&bytes.Buffer{}, board(t))
	if err != nil || len(saved.Left) != 1 || saved.Left[0].Setting != "web.token_file" {
		t.Errorf("got %+v, %v, want the token file, which lies elsewhere", saved, err)
	}
}

func TestWhatIsThereIsNotLost(t *testing.T) {
	old, other := board(t), board(t)
	file := save(t, old)
	p := Place{ConfigPath: other.ConfigPath, StateDir: other.Conf.StateDir}
	before := tree(t, p.StateDir)
	if _, err := Restore(bytes.NewReader(file), p); err == nil || !strings.Contains(err.Error(), "--replace") {
		t.Fatalf("over another board: got %v", err)
	}
	if got := tree(t, p.StateDir); fmt.Sprint(got) != fmt.Sprint(before) {
		t.Errorf("a refused restore changed something: %v", got)
	}
	p.Replace = true
	done, err := Restore(bytes.NewReader(file), p)
	if err != nil {
		t.Fatal(err)
	}
	kept := tree(t, filepath.Join(done.Aside, "state"))
	if kept["board.key"] != before["board.key"] ||
		kept["journal/00000001.journal"] != before["journal/00000001.journal"] {
		t.Errorf("what was there is not in %s: %v", done.Aside, kept)
	}
	if got := tree(t, p.StateDir)["board.key"]; got != tree(t, old.Conf.StateDir)["board.key"] ||
		got == before["board.key"] {
		t.Errorf("key: got %s", got)
	}
	if tree(t, filepath.Join(done.Aside, "config"))["board.yaml"] == "" {
		t.Error("the former configuration is gone")
	}
	// A backup of this board does not contain what was put aside.
	other.Conf.StateDir = p.StateDir
	p2 := newPlace(t)
	if _, err := Restore(bytes.NewReader(save(t, other)), p2); err != nil {
		t.Fatal(err)
	}
	if exists(filepath.Join(p2.StateDir, "replaced-1")) {
		t.Error("what was put aside is in the next backup")
	}
}

func TestRunningDaemonIsNotTouched(t *testing.T) {
	b := board(t)
	file := save(t, b)
	j, _, _, err := journal.Open(filepath.Join(b.Conf.StateDir, "journal"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := Save(&bytes.Buffer{}, b); err != nil {
		t.Errorf("a backup beside a daemon: %v", err)
	}
	_, err = Restore(bytes.NewReader(file), Place{ConfigPath: b.ConfigPath, StateDir: b.Conf.StateDir, Replace: true})
	if err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("restored under a running daemon: got %v", err)
	}
}

// inflate is the archive within a backup that is not encrypted, nil if it is not whole.
func inflate(file []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	return all
}

// TestDamageIsFound: a backup that was cut off or changed anywhere is refused, and nothing of it is put back.
func TestDamageIsFound(t *testing.T) {
	b := board(t)
	for steps, passphrase := range map[int]string{16: "", 4: "correct horse"} { // scrypt is slow
		b.Passphrase = passphrase
		file := save(t, b)
		check := func(what string, bad []byte) {
			p := newPlace(t)
			p.Passphrase = b.Passphrase
			_, err := Restore(bytes.NewReader(bad), p)
			// What begins like a backup is one: whoever is told that it is none looks for another file.
			if err != nil && len(bad) > 500 && strings.Contains(err.Error(), "no backup") {
				t.Errorf("%s: got %v, want that it is damaged", what, err)
			}
			if err == nil {
				// Where a run of equal bytes is copied from does not matter: such a change changes nothing.
				if same := b.Passphrase == "" && bytes.Equal(inflate(bad), inflate(file)); !same {
					t.Errorf("%s: accepted", what)
				}
				return
			}
			if got := tree(t, p.StateDir); len(got) > 0 || exists(p.ConfigPath) {
				t.Errorf("%s: left %v", what, got)
			}
		}
		for cut := 0; cut < len(file); cut += 1 + len(file)/steps {
			check(fmt.Sprintf("cut off after %d of %d bytes", cut, len(file)), file[:cut])
		}
		for at := 40; at < len(file)-20; at += 1 + len(file)/steps {
			bad := bytes.Clone(file)
			bad[at] ^= 0x10
			check(fmt.Sprintf("byte %d of %d changed", at, len(file)), bad)
		}
	}
}

func TestPassphrases(t *testing.T) {
	b := board(t)
	b.Passphrase = "correct horse"
	file := save(t, b)
	if _, err := Restore(bytes.NewReader(file), newPlace(t)); !errors.Is(err, ErrEncrypted) {
		t.Errorf("without a passphrase: got %v", err)
	}
	p := newPlace(t)
	p.Passphrase = "wrong horse!"
	if _, err := Restore(bytes.NewReader(file), p); err == nil ||
		!strings.Contains(err.Error(), "not that of this backup") {
		t.Errorf("with a wrong passphrase: got %v", err)
	}
	if got, err := Passphrase([]byte("correct horse\r\nmore\n")); got != "correct horse" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := Passphrase([]byte("short\n")); err == nil {
		t.Error("a short passphrase: got no error")
	}
}

// forge makes a backup with entries of any kind.
func forge(headers ...tar.Header) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, h := range headers {
		text := h.Linkname
		if h.Typeflag == tar.TypeReg {
			h.Linkname, h.Size, h.Mode = "", int64(len(text)), 0o600
		}
		w.WriteHeader(&h)     //nolint:errcheck // to a buffer
		w.Write([]byte(text)) //nolint:errcheck // to a buffer; a link has no text
	}
	w.Close() //nolint:errcheck // to a buffer
	z.Close() //nolint:errcheck // to a buffer
	return out.Bytes()
}

const soundManifest = `{"format":1,"board":"a","version":"0.2.0","state_dir":"/nowhere","config":"board.yaml"}`

func file(name, text string) tar.Header {
	return tar.Header{Typeflag: tar.TypeReg, Name: name, Linkname: text}
}

func TestForgedBackups(t *testing.T) {
	sound, conf := file("board.json", soundManifest), file("config/board.yaml", "board: a\n")
	if _, err := Restore(bytes.NewReader(forge(sound, conf)), newPlace(t)); err != nil {
		t.Fatalf("a backup without a game: %v", err)
	}
	for want, headers := range map[string][]tar.Header{
		"leaves its folder":   {sound, conf, file("state/../../evil", "x")},
		"belongs to no board": {sound, conf, file("etc/passwd", "x")},
		"leaves its folder: ": {sound, conf, file("/etc/passwd", "x")},
		"no plain file":       {sound, conf, {Typeflag: tar.TypeSymlink, Name: "state/link", Linkname: "/etc"}},
		"there twice":         {sound, conf, conf},
		"begins with":         {conf, sound},
		"has format 9":        {file("board.json", strings.Replace(soundManifest, ":1", ":9", 1)), conf},
		"is no name of a file": {file("board.json", strings.Replace(soundManifest, "board.yaml", "../board.yaml", 1)),
			conf},
		"has no configuration":      {sound, file("config/other.yaml", "")},
		"damaged":                   {},
		"board.json: ":              {file("board.json", "{")},
		"belongs to no board: this": {sound, conf, file("state", "x")},
		"no backup has such a file": {sound, conf, file("state/.restoring/x", "x")},
		"no backup has such":        {sound, conf, file("state/replaced-1/x", "x")},
		"no backup has":             {sound, conf, file("state/journal/lock", "")},
		"bytes long":                {sound, conf, file("state/"+strings.Repeat("a/", 1000)+"b", "x")},
	} {
		p := newPlace(t)
		_, err := Restore(bytes.NewReader(forge(headers...)), p)
		if err == nil && want == "damaged" {
			t.Error("an empty backup: got no error")
		}
		if want != "damaged" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("got %v, want %s", err, want)
		}
		if exists(p.ConfigPath) || len(tree(t, p.StateDir)) > 0 {
			t.Errorf("%s: something was put back", want)
		}
	}
}

// FuzzRead: whatever a stranger's file contains, reading it ends, and returns only plain files with local names.
func FuzzRead(f *testing.F) {
	f.Add(forge(file("board.json", soundManifest), file("config/board.yaml", "board: a\n"),
		file("state/journal/00000001.journal", "x")))
	f.Add([]byte(magic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		_, next, err := open(bytes.NewReader(text), "a passphrase")
		for err == nil {
			var e entry
			if e, err = next(); err == nil && !filepath.IsLocal(e.name) {
				t.Errorf("%q leaves its folder", e.name)
			}
		}
	})
}
