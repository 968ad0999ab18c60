// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"boardd/config"
	"boardd/config/size"
)

// format is the number of the file's form. A program refuses one that it does not know.
const format = 1

// manifestName is the first entry.
const manifestName = "board.json"

// Manifest says what a backup contains.
type Manifest struct {
	Format   int    `json:"format"`
	Board    string `json:"board"`
	Version  string `json:"version"`   // of the program that wrote it
	StateDir string `json:"state_dir"` // where the state folder was
	Config   string `json:"config"`    // name of the configuration, below config/
}

// Board is what is saved.
type Board struct {
	Conf       config.Config
	ConfigPath string // of its file
	Version    string // of this program
	Traces     bool   // save traces too
	Passphrase string // "": the file is not encrypted
}

// Saved is what a backup contains, and which files that the configuration names it lacks.
type Saved struct {
	Files int
	Bytes int64
	Left  []config.File // they lie elsewhere
}

// Save writes the backup of a board. The daemon may be running: a journal only grows, and a record that is half
// written is cut off when it is opened.
func Save(w io.Writer, b Board) (s Saved, err error) {
	out := nopCloser(w)
	if b.Passphrase != "" {
		if out, err = encrypt(w, b.Passphrase); err != nil {
			return s, err
		}
	}
	z := gzip.NewWriter(out)
	a := &archive{tar: tar.NewWriter(z)}
	if err := a.board(b); err != nil {
		return s, err
	}
	a.saved.Left = elsewhere(b)
	return a.saved, errors.Join(a.tar.Close(), z.Close(), out.Close())
}

// archive is a backup that is being written.
type archive struct {
	tar   *tar.Writer
	saved Saved
}

func (a *archive) board(b Board) error {
	m := Manifest{Format: format, Board: b.Conf.Board, Version: b.Version, StateDir: b.Conf.StateDir,
		Config: filepath.Base(b.ConfigPath)}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := a.add(manifestName, append(text, '\n'), 0o644, time.Time{}); err != nil {
		return err
	}
	if err := a.file("config/"+m.Config, b.ConfigPath); err != nil {
		return err
	}
	dir := filepath.Dir(b.ConfigPath)
	added := map[string]bool{m.Config: true}
	for _, f := range b.Conf.Files() {
		name, err := filepath.Rel(dir, f.Path)
		if err != nil || !filepath.IsLocal(name) || added[name] {
			continue
		}
		added[name] = true
		if err := a.file("config/"+filepath.ToSlash(name), f.Path); err != nil {
			return fmt.Errorf("%s: %w", f.Setting, err)
		}
	}
	return a.state(b)
}

// state adds the state folder, except what can be made again.
func (a *archive) state(b Board) error {
	root := os.DirFS(b.Conf.StateDir)
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name != "." {
			return nil // an old segment, removed just now
		}
		if err != nil {
			return fmt.Errorf("cannot read the state folder: %w", err)
		}
		if d.IsDir() && (name == "broker" || name == "traces" && !b.Traces || name == stagingName ||
			strings.HasPrefix(name, replacedName)) {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || left(name) {
			return nil
		}
		err = a.file("state/"+name, filepath.Join(b.Conf.StateDir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// file adds one file as it is now. It is read whole, since it may grow meanwhile.
func (a *archive) file(name, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.Size() > largest {
		return fmt.Errorf("%s has %d bytes: a backup takes files of up to %d", from, info.Size(), largest)
	}
	text, err := size.Read(from, largest)
	if err != nil {
		return err
	}
	return a.add(name, text, info.Mode().Perm(), info.ModTime())
}

func (a *archive) add(name string, text []byte, mode fs.FileMode, at time.Time) error {
	if len(name) > longest {
		return fmt.Errorf("the name %.60q... is %d bytes long: a backup takes names of up to %d", name, len(name), longest)
	}
	a.saved.Files++
	a.saved.Bytes += int64(len(text))
	h := tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(text)), Mode: int64(mode), ModTime: at,
		Format: tar.FormatPAX}
	if err := a.tar.WriteHeader(&h); err != nil {
		return err
	}
	_, err := a.tar.Write(text)
	return err
}

// elsewhere returns the files that the configuration names and that do not lie beside it.
func elsewhere(b Board) (left []config.File) {
	for _, f := range b.Conf.Files() {
		if name, err := filepath.Rel(filepath.Dir(b.ConfigPath), f.Path); err != nil || !filepath.IsLocal(name) {
			left = append(left, f)
		}
	}
	return left
}

// encrypt returns a writer whose text is encrypted with a passphrase, as the program age does it.
func encrypt(w io.Writer, passphrase string) (io.WriteCloser, error) {
	to, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	to.SetWorkFactor(work)
	return age.Encrypt(w, to)
}

// work is the logarithm of scrypt's cost: 2^15 needs 32 MiB, which a Raspberry Pi Zero has to spare; age's own 2^18
// needs 256.
const work = 15

func nopCloser(w io.Writer) io.WriteCloser { return writer{w} }

type writer struct{ io.Writer }

func (writer) Close() error { return nil }
