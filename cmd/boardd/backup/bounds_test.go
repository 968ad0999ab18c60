// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// headers is a tar of headers in the form of PAX, of a megabyte each, which tell of a file that never comes. It counts
// what is read of it.
type headers struct {
	one, rest []byte
	read      int64
}

func newHeaders(t *testing.T) *headers {
	t.Helper()
	const size = 1 << 20
	record := fmt.Sprintf("%d comment=%s\n", size, strings.Repeat("x", size-len("1048576 comment=\n")))
	var one bytes.Buffer
	w := tar.NewWriter(&one)
	// a plain file of which the type is changed below: the writer of package tar refuses such a header
	if err := w.WriteHeader(&tar.Header{Name: "x", Typeflag: tar.TypeReg, Size: size, Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, record) //nolint:errcheck // to a buffer
	text := one.Bytes()
	sum := 0
	copy(text[148:156], "        ")
	text[156] = tar.TypeXHeader
	for _, b := range text[:512] {
		sum += int(b)
	}
	copy(text[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return &headers{one: text}
}

func (h *headers) Read(p []byte) (int, error) {
	if h.read > 100<<20 {
		return 0, io.EOF
	}
	if len(h.rest) == 0 {
		h.rest = h.one
	}
	n := copy(p, h.rest)
	h.rest, h.read = h.rest[n:], h.read+int64(n)
	return n, nil
}

// TestEndlessHeaders: of a backup that goes on with headers, and never comes to a file, only a little is read.
func TestEndlessHeaders(t *testing.T) {
	h := newHeaders(t)
	packed, z := io.Pipe()
	packing := make(chan struct{})
	go func() {
		defer close(packing)
		w := gzip.NewWriter(z)
		_, err := io.Copy(w, h)
		z.CloseWithError(err)
	}()
	_, err := Restore(packed, newPlace(t))
	packed.Close() //nolint:errcheck // the other end has gone
	<-packing
	if err == nil || !strings.Contains(err.Error(), "no backup of boardd") {
		t.Errorf("got %v", err)
	}
	if h.read > 16<<20 { // what packs well is made far ahead
		t.Errorf("%d bytes were made, want the headers to be refused before", h.read)
	}
}

// TestUsualFolderIsNotGuessed: where the configuration that is here cannot be read, nobody knows its state folder. It
// is asked for, and nothing is changed.
func TestUsualFolderIsNotGuessed(t *testing.T) {
	b := board(t)
	p := newPlace(t)
	p.StateDir = ""
	write(t, p.ConfigPath, "board: [\n")
	_, err := Restore(bytes.NewReader(save(t, b)), p)
	if err == nil || !strings.Contains(err.Error(), p.ConfigPath) || !strings.Contains(err.Error(), "--state") {
		t.Errorf("%v; want it to be said, and --state to be asked for", err)
	}
}

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
