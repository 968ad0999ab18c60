// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/config"
	"boardd/config/size"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/systemd/owner"
)

// stagingName is the folder in which a backup is unpacked before anything is touched; replacedName begins the names of
// what was there before.
const (
	stagingName  = ".restoring"
	replacedName = "replaced-"
)

// Place is where a backup is put back.
type Place struct {
	ConfigPath string // of the configuration
	StateDir   string // "" for the folder that is usual here, if it was saved from there
	Replace    bool   // put what is there aside
	Passphrase string
}

// Restored is what was put back.
type Restored struct {
	Manifest
	StateDir string
	Files    int
	Records  int    // of the journal
	Aside    string // folder with what was in the state folder before, "" for nothing
}

// usual is the state folder that the configuration names which is there now. Where there is none, it is that of a
// packaged board.
func usual(configPath string) (string, error) {
	c, err := config.LoadWithoutCredentials(configPath)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(configPath):
		return config.Default().StateDir, nil
	case err != nil:
		return "", fmt.Errorf("which state folder is in use here is not known, say it by --state: %w", err)
	}
	return c.StateDir, nil
}

// Restore puts a backup back. Everything is unpacked and checked before anything is changed. Files that were there
// before are kept aside.
func Restore(r io.Reader, p Place) (done Restored, err error) {
	m, next, err := open(r, p.Passphrase)
	if err != nil {
		return done, err
	}
	done.Manifest, done.StateDir = m, p.StateDir
	if done.StateDir == "" {
		if done.StateDir, err = usual(p.ConfigPath); err != nil {
			return done, err
		}
		if filepath.Clean(m.StateDir) != filepath.Clean(done.StateDir) { // a stranger's backup might name any folder
			return done, fmt.Errorf("the backup was saved from the state folder %q, and the one here is %s: say by --state "+
				"where it goes", m.StateDir, done.StateDir)
		}
	}
	if !filepath.IsAbs(done.StateDir) {
		return done, fmt.Errorf("the state folder %q is not absolute: name one by --state", done.StateDir)
	}
	staging := filepath.Join(done.StateDir, stagingName)
	if err := os.MkdirAll(done.StateDir, 0o750); err != nil {
		return done, err
	}
	unlock, err := lockIdle(done.StateDir)
	if err != nil {
		return done, err
	}
	defer unlock()
	if err := os.RemoveAll(staging); err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	newest, err := unpack(staging, next, &done.Files)
	if err != nil {
		return done, err
	}
	if done.Records, err = readBack(staging, m); err != nil {
		return done, err
	}
	if err := checkFree(staging, done.StateDir, p); err != nil {
		return done, err
	}
	state := filepath.Join(staging, "state")
	if err := errors.Join(os.MkdirAll(state, 0o750), trust.Outdate(state, time.Now(), newest)); err != nil {
		return done, err
	}
	return done, place(staging, p, &done)
}

// lockIdle makes sure that no daemon works with the state folder, and keeps one from starting until unlock.
func lockIdle(dir string) (unlock func(), err error) {
	var locks []io.Closer
	unlock = func() {
		for _, l := range locks {
			l.Close() //nolint:errcheck // nothing was written
		}
	}
	where := filepath.Join(dir, "journal")
	for at, lock := range map[string]func(string) (io.Closer, error){dir: journal.Hold, where: journal.Disk{}.Lock} {
		if !exists(at) {
			continue
		}
		l, err := lock(at)
		if errors.Is(err, journal.ErrLocked) {
			err = errors.New("boardd is running with this state folder: stop it first (sudo systemctl stop boardd)")
		}
		if err != nil {
			unlock()
			return nil, err
		}
		locks = append(locks, l)
	}
	return unlock, nil
}

// unpack writes all files of a backup below a folder, and counts them. newest is when the latest of them was written.
func unpack(dir string, next func() (entry, error), files *int) (newest time.Time, err error) {
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return newest, nil
		}
		if err != nil {
			return newest, err
		}
		name := filepath.Join(dir, filepath.FromSlash(e.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return newest, err
		}
		if err := writeSynced(name, e); err != nil {
			return newest, err
		}
		*files++
		if e.at.After(newest) {
			newest = e.at
		}
	}
}

func writeSynced(name string, e entry) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, e.mode)
	if err != nil {
		return err
	}
	_, err = f.Write(e.text)
	return errors.Join(err, f.Sync(), f.Close())
}

// readBack reads what was unpacked as the daemon would.
func readBack(staging string, m Manifest) (records int, err error) {
	if !exists(filepath.Join(staging, "config", m.Config)) {
		return 0, fmt.Errorf("the backup has no configuration %s, though it names it", m.Config)
	}
	if key := filepath.Join(staging, "state", "board.key"); exists(key) {
		if _, _, err := seal.LoadKey(key); err != nil {
			return 0, err
		}
	}
	dir := filepath.Join(staging, "state", "journal")
	if !exists(dir) {
		return 0, nil // a board that never played
	}
	all, _, err := journal.Read(dir, journal.Options{})
	return len(all), err
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// checkFree returns an error if something would be overwritten that must not be.
func checkFree(staging, state string, p Place) error {
	if p.Replace {
		return nil
	}
	taken := func(from, to string) (names []string) {
		entries, err := os.ReadDir(filepath.Join(staging, from))
		if err != nil {
			return nil
		}
		for _, e := range entries {
			name := filepath.Join(to, e.Name())
			if exists(name) {
				names = append(names, name)
			}
		}
		return names
	}
	names := append(taken("config", filepath.Dir(p.ConfigPath)), taken("state", state)...)
	if len(names) > 0 {
		return fmt.Errorf("already there: %s; --replace puts them aside and the backup in their place",
			strings.Join(names, ", "))
	}
	return nil
}

// place moves what was unpacked to where it belongs, and what was there aside.
func place(staging string, p Place, done *Restored) error {
	aside := asideName(done.StateDir)
	moved, err := move(filepath.Join(staging, "state"), done.StateDir, filepath.Join(aside, "state"))
	if err != nil {
		return err
	}
	dir := filepath.Dir(p.ConfigPath)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	// The configuration gets the name under which it was asked for.
	from := filepath.Join(staging, "config")
	if name := filepath.Base(p.ConfigPath); name != done.Config {
		if err := os.Rename(filepath.Join(from, done.Config), filepath.Join(from, name)); err != nil {
			return err
		}
	}
	again, err := copyOver(from, dir, filepath.Join(aside, "config"))
	if moved || again {
		done.Aside = aside
	}
	return err
}

// asideName is a folder in the state folder that does not exist yet.
func asideName(state string) string {
	for n := 1; ; n++ {
		name := filepath.Join(state, fmt.Sprint(replacedName, n))
		if !exists(name) {
			return name
		}
	}
}

// move renames what is in a folder into another one on the same file system. What is there goes to aside first.
func move(from, to, aside string) (replaced bool, err error) {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		target := filepath.Join(to, e.Name())
		if exists(target) {
			if err := os.MkdirAll(aside, 0o700); err != nil {
				return replaced, err
			}
			if err := os.Rename(target, filepath.Join(aside, e.Name())); err != nil {
				return replaced, err
			}
			replaced = true
		}
		if err := owner.Give(filepath.Join(from, e.Name()), to); err != nil {
			return replaced, err
		}
		if err := os.Rename(filepath.Join(from, e.Name()), target); err != nil {
			return replaced, err
		}
	}
	return replaced, journal.Disk{}.SyncDir(to)
}

// copyOver copies the files of a folder into another one, that may lie on another file system. What is there is copied
// to aside first.
func copyOver(from, to, aside string) (replaced bool, err error) {
	var made []string
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if exists(target) {
			if err := copyFile(target, filepath.Join(aside, rel)); err != nil {
				return err
			}
			replaced = true
		}
		made = append(made, target)
		return copyFile(name, target)
	})
	if err != nil {
		return replaced, err
	}
	slices.Sort(made)
	for _, name := range made {
		if err := owner.Give(name, to); err != nil {
			return replaced, err
		}
	}
	return replaced, nil
}

// copyFile copies a file whole or not at all.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	text, err := size.Read(from, largest)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err
	}
	whole := to + ".restoring"
	if err := os.Remove(whole); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeSynced(whole, entry{text: text, mode: info.Mode().Perm()}); err != nil {
		return err
	}
	return os.Rename(whole, to)
}
