// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"strings"
	"testing"
)

// TestHostileBackup: a stranger's backup can neither ask for more memory than a small board has, nor go on without end
// behind its files.
func TestHostileBackup(t *testing.T) {
	b := board(t)
	b.Passphrase = "correct horse"
	costly := bytes.Replace(save(t, b), []byte(" 15\n"), []byte(" 20\n"), 1) // scrypt would take 1 GiB
	p := newPlace(t)
	p.Passphrase = b.Passphrase
	if _, err := Restore(bytes.NewReader(costly), p); err == nil || !strings.Contains(err.Error(), "work factor") {
		t.Errorf("too costly a passphrase: got %v", err)
	}
	var long bytes.Buffer
	z := gzip.NewWriter(&long)
	w := tar.NewWriter(z)
	for _, h := range []tar.Header{file("board.json", soundManifest), file("config/board.yaml", "board: a\n")} {
		text := h.Linkname
		h.Linkname, h.Size, h.Mode = "", int64(len(text)), 0o600
		w.WriteHeader(&h)     //nolint:errcheck // to a buffer
		w.Write([]byte(text)) //nolint:errcheck // to a buffer
	}
	w.Close()                           //nolint:errcheck // to a buffer
	z.Write(make([]byte, 4*mostBehind)) //nolint:errcheck // to a buffer
	z.Close()                           //nolint:errcheck // to a buffer
	if _, err := Restore(&long, newPlace(t)); err == nil || !strings.Contains(err.Error(), "behind its last file") {
		t.Errorf("more behind the last file: got %v", err)
	}
}

// TestBackupNamesNoFolder: a backup of a folder that is not the usual one goes nowhere until somebody says where.
func TestBackupNamesNoFolder(t *testing.T) {
	b := board(t)
	p := newPlace(t)
	p.StateDir = ""
	before, err := os.ReadDir(b.Conf.StateDir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Restore(bytes.NewReader(save(t, b)), p)
	if err == nil || !strings.Contains(err.Error(), "--state") || !strings.Contains(err.Error(), b.Conf.StateDir) {
		t.Errorf("%v; want --state to be asked for", err)
	}
	after, err := os.ReadDir(b.Conf.StateDir)
	if err != nil || len(after) != len(before) {
		t.Errorf("%d files, want the %d of before: %v", len(after), len(before), err)
	}
}
