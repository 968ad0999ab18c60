// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"boardd/config/size"

	"filippo.io/age"
)

// The limits of a backup: a file from a stranger must not fill the memory or the card.
const (
	largest = 64 << 20  // bytes of a file
	most    = 1 << 30   // bytes of all files
	count   = 1_000_000 // files

	longest    = 1000    // bytes of a file's name
	mostBehind = 1 << 20 // bytes behind the last file
	mostHead   = 1 << 16 // bytes of all headers of a file; boardd's own have 3 KiB at most
	mostWork   = 18      // the logarithm of scrypt's cost, as age writes it: 256 MiB
)

// ErrEncrypted is the error of a backup that needs a passphrase.
var ErrEncrypted = errors.New("this backup is encrypted: give the file with its passphrase by --passphrase-file")

// An entry is one file of a backup.
type entry struct {
	name string // below state/ or config/
	mode fs.FileMode
	at   time.Time // when it was last written
	text []byte
}

// open returns the manifest of a backup and a function that returns its files one by one, and io.EOF after the last.
func open(r io.Reader, passphrase string) (m Manifest, next func() (entry, error), err error) {
	in := bufio.NewReader(r)
	begin, _ := in.Peek(len(magic))
	encrypted := string(begin) == magic
	if encrypted {
		if passphrase == "" {
			return m, nil, ErrEncrypted
		}
		if r, err = decrypt(in, passphrase); err != nil {
			return m, nil, err
		}
		in = bufio.NewReader(r)
	}
	z, err := gzip.NewReader(in)
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, io.EOF) && !encrypted:
		return m, nil, errors.New("this is no backup of boardd: it does not begin like one")
	case err != nil:
		return m, nil, fmt.Errorf("the backup was cut off or changed: %w", err)
	}
	heads := &allowance{r: z}
	t := tar.NewReader(heads)
	seen, sum := map[string]bool{}, int64(0)
	next = func() (entry, error) {
		heads.left = mostHead
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			// The tar has ended. Read on, so that gzip and age check the whole file.
			n, err := io.CopyN(io.Discard, z, mostBehind)
			switch {
			case err == nil:
				return entry{}, fmt.Errorf("%d bytes or more stand behind its last file: this is no backup of boardd", n)
			case !errors.Is(err, io.EOF):
				return entry{}, fmt.Errorf("the backup was cut off or changed: %w", err)
			}
			return entry{}, io.EOF
		}
		if errors.Is(err, errNoBackup) {
			return entry{}, err
		}
		if err != nil {
			return entry{}, fmt.Errorf("the backup was cut off or changed: %w", err)
		}
		sum += h.Size + mostHead - heads.left
		if err := admissible(h, seen, sum); err != nil {
			return entry{}, err
		}
		seen[h.Name], heads.left = true, h.Size
		text, err := io.ReadAll(t)
		if err != nil {
			return entry{}, fmt.Errorf("the backup was cut off or changed: %s: %w", h.Name, err)
		}
		return entry{h.Name, fs.FileMode(h.Mode).Perm()&^0o022 | 0o600, h.ModTime, text}, nil
	}
	m, err = manifest(next)
	return m, next, err
}

// allowance reads a part of a backup, which may not be longer than what is left.
type allowance struct {
	r    io.Reader
	left int64
}

var errNoBackup = fmt.Errorf("a file has more than %d bytes of headers: this is no backup of boardd", mostHead)

func (a *allowance) Read(p []byte) (int, error) {
	if a.left == 0 && len(p) > 0 {
		return 0, errNoBackup
	}
	n, err := a.r.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	return n, err
}

// left reports whether a file of the state folder is in no backup: locks, and what an earlier restore left there.
func left(name string) bool {
	top, _, folder := strings.Cut(name, "/")
	return top == stagingName || folder && strings.HasPrefix(top, replacedName) || path.Base(name) == "lock" ||
		path.Ext(name) == ".lock"
}

// admissible returns why an entry cannot be part of a backup, nil if it can.
func admissible(h *tar.Header, seen map[string]bool, sum int64) error {
	top, _, _ := strings.Cut(h.Name, "/")
	switch {
	case len(h.Name) > longest:
		return fmt.Errorf("the name %.60q... is %d bytes long, want %d at most: this is no backup of boardd", h.Name,
			len(h.Name), longest)
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("%q is no plain file: this is no backup of boardd", h.Name)
	case !fs.ValidPath(h.Name) || !filepath.IsLocal(filepath.FromSlash(h.Name)) || strings.Contains(h.Name, `\`):
		return fmt.Errorf("%q leaves its folder: this is no backup of boardd", h.Name)
	case h.Name != manifestName && (top != "state" && top != "config" || top == h.Name):
		return fmt.Errorf("%q belongs to no board: this is no backup of boardd", h.Name)
	case top == "state" && left(strings.TrimPrefix(h.Name, "state/")):
		return fmt.Errorf("%q: no backup has such a file, which boardd makes anew", h.Name)
	case seen[h.Name]:
		return fmt.Errorf("%q is there twice: this is no backup of boardd", h.Name)
	case h.Size > largest || sum > most || len(seen) >= count:
		return fmt.Errorf("%q is too much: a backup has up to %d bytes and %d files, of up to %d bytes each", h.Name,
			int64(most), count, largest)
	}
	return nil
}

func manifest(next func() (entry, error)) (m Manifest, err error) {
	first, err := next()
	if err != nil {
		return m, err
	}
	if first.name != manifestName {
		return m, fmt.Errorf("it begins with %q, want %s: this is no backup of boardd", first.name, manifestName)
	}
	if err := json.Unmarshal(first.text, &m); err != nil {
		return m, fmt.Errorf("%s: %w", manifestName, err)
	}
	if m.Format != format {
		return m, fmt.Errorf("the backup has format %d, this program reads %d: use boardd %s or a later one", m.Format,
			format, m.Version)
	}
	if m.Config == "" || path.Base(m.Config) != m.Config || !filepath.IsLocal(m.Config) {
		return m, fmt.Errorf("%s: config %q is no name of a file", manifestName, m.Config)
	}
	return m, nil
}

// magic is the beginning of a file of age.
const magic = "age-encryption.org/v1\n"

func decrypt(r io.Reader, passphrase string) (io.Reader, error) {
	who, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, err
	}
	who.SetMaxWorkFactor(mostWork)
	plain, err := age.Decrypt(r, who)
	var wrong *age.NoIdentityMatchError
	if errors.As(err, &wrong) {
		return nil, errors.New("the passphrase is not that of this backup")
	}
	if err != nil {
		return nil, fmt.Errorf("the backup was cut off or changed: %w", err)
	}
	return plain, nil
}

// Passphrase reads the first line of a file with a passphrase.
func Passphrase(text []byte) (string, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) < 8 {
		return "", errors.New("a passphrase has 8 letters or more, in the first line of its file")
	}
	return string(line), nil
}

// PassphraseOf reads a passphrase from a file; without a file it is "".
func PassphraseOf(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	text, err := size.Read(file, size.Named)
	if err != nil {
		return "", fmt.Errorf("cannot read the passphrase: %w", err)
	}
	p, err := Passphrase(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}
