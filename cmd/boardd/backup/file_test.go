// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"boardd/sync/trust"
)

// TestOverwritesNothingElse: a backup takes the place of an older one of the same board that is no better kept, and of
// nothing else.
func TestOverwritesNothingElse(t *testing.T) {
	b, other := board(t), board(t)
	other.Conf.Board = "cellar"
	secret := b
	secret.Passphrase = "correct horse"
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		make func(name string) // what is there already
		as   Board
		want string // in the error, "" for none
	}{
		{"nothing", func(string) {}, b, ""},
		{"an empty file", func(name string) { write(t, name, "") }, b, ""},
		{"a plain one, again", func(name string) { write(t, name, string(save(t, b))) }, b, ""},
		{"a plain one, now encrypted", func(name string) { write(t, name, string(save(t, b))) }, secret, ""},
		{"an encrypted one, again", func(name string) { write(t, name, string(save(t, secret))) }, secret, ""},
		{"an encrypted one, now plain", func(name string) { write(t, name, string(save(t, secret))) }, b,
			"--passphrase-file"},
		{"one with another passphrase", func(name string) {
			changed := secret
			changed.Passphrase = "another horse"
			write(t, name, string(save(t, changed)))
		}, secret, "not that of this backup"},
		{"another board's", func(name string) { write(t, name, string(save(t, other))) }, b, "cellar"},
		{"a text", func(name string) { write(t, name, "board: kitchen\n") }, b, "no backup"},
		{"a damaged one", func(name string) { write(t, name, string(save(t, b)[:40])) }, b, "cut off or changed"},
		{"a folder", func(name string) { write(t, filepath.Join(name, "a"), "b") }, b, "no plain file"},
		{"a device", func(name string) {
			if err := os.Symlink(os.DevNull, name); err != nil {
				t.Fatal(err)
			}
		}, b, "no plain file"},
		{"a link that leads nowhere", func(name string) {
			if err := os.Symlink(filepath.Join(dir, "not", "mounted"), name); err != nil {
				t.Fatal(err)
			}
		}, b, "leads to"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
			c.make(name)
			before, _ := os.ReadFile(name) //nolint:errcheck // there may be none
			_, err := Write(name, c.as)
			after, _ := os.ReadFile(name) //nolint:errcheck // likewise
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), name) {
					t.Errorf("got %v, want %q and the file", err, c.want)
				}
				if string(before) != string(after) {
					t.Error("what was there is no longer there")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			p := newPlace(t)
			p.Passphrase = c.as.Passphrase
			if _, err := Restore(strings.NewReader(string(after)), p); err != nil {
				t.Errorf("what was written is no backup: %v", err)
			}
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("its rights: %v, %v", info.Mode(), err)
			}
		})
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Error("the device was replaced by a file")
	}
}

// TestThroughALink: a backup lands where a link leads, as on a disk that is mounted, and the link stays.
func TestThroughALink(t *testing.T) {
	b, dir := board(t), t.TempDir()
	disk, link := filepath.Join(dir, "disk", "a.backup"), filepath.Join(dir, "link")
	write(t, disk, "")
	if err := os.Symlink(disk, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(link, b); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(disk); err != nil || info.Size() == 0 {
		t.Errorf("the disk has no backup: %v", err)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Errorf("the link was replaced: %v", err)
	}
}

// TestRestoreAtWrongTime: a backup is put back as well while the computer's clock is wrong, as on a Raspberry Pi
// without a time server. No signed command counts then until people have said which were given.
func TestRestoreAtWrongTime(t *testing.T) {
	file := save(t, board(t))
	synctest.Test(t, func(t *testing.T) { // where it is the year 2000
		p := newPlace(t)
		if _, err := Restore(bytes.NewReader(file), p); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(p.StateDir, trust.SignedCommandsFile))
		if err != nil || !strings.HasPrefix(string(text), "# unknown\n") {
			t.Errorf("numbers of signed commands: %q, %v", text, err)
		}
	})
}
