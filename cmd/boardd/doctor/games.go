// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/cmd/boardd/history"
	"boardd/config"
	"boardd/config/size"
	"boardd/rules/say"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"

	"golang.org/x/sys/unix"
)

// journal checks whether the journal can be read and written, and whether anything was cut off it. It also says how
// near it is to the size at which its oldest games are removed. It reports whether the board has signed any of its
// games.
func (d *examination) journal(c *config.Config) (signed bool) {
	const do = "boardd journal check says what is damaged, boardd journal salvage saves what can be saved"
	dir := filepath.Join(c.StateDir, "journal")
	_, played := os.Lstat(filepath.Join(c.StateDir, "live.pgn"))
	o := journal.Options{ExpectRecords: played == nil}
	records, report, err := journal.Read(dir, o)
	if errors.Is(err, fs.ErrNotExist) && played != nil {
		return false // a board that never played has none
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		d.find("journal", d.space(c, dir), fmt.Sprintf("%d MB at most", c.BudgetMB))
	}
	switch text := report.String(); {
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("the folder of the journal is gone, although this board has played; put it back if you have it")
	case errors.Is(err, fs.ErrPermission):
		err = mend(err.Error(), "sudo chown -R boardd: %s", c.StateDir)
	case err == nil && text != "":
		err = mend(text, do)
	}
	d.find("its records", err, fmt.Sprint(report.Records))
	return history.Read(records).Signed(c.Board)
}

// space says what keeps further games from being written, or what removes the oldest.
func (d *examination) space(c *config.Config, dir string) error {
	used, err := journal.Usage(dir, journal.Options{})
	cut, err2 := journal.SideFiles(dir, journal.Options{})
	if err = errors.Join(err, err2); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := errors.Join(writable(dir), writable(filepath.Join(c.StateDir, "games"))); err != nil {
		return mend(err.Error(), "games cannot be kept until it can be written: sudo chown -R boardd: %s", c.StateDir)
	}
	budget := int64(c.BudgetMB) << 20
	switch {
	case used >= budget/10*9:
		return mend(fmt.Sprintf("the journal has %d of %d MB: its oldest games go when a new one begins", used>>20,
			budget>>20), "save them (boardd export) and raise journal.budget_mb")
	case len(cut) > 0:
		return mend(say.Counted("something was cut off the journal %d times and kept beside it", len(cut)),
			"boardd journal check says what is damaged, boardd journal salvage saves what can be saved")
	}
	return nil
}

// writable looks for a file of a folder that this user may not write. Another user may have put it back, or have run
// boardd. The folder may be missing.
func writable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && err == nil {
			err = access(filepath.Join(dir, e.Name()))
		}
	}
	return errors.Join(err, access(dir))
}

func access(name string) error {
	if err := unix.Access(name, unix.W_OK); err != nil && !errors.Is(err, unix.ENOENT) {
		return &fs.PathError{Op: "write", Path: name, Err: err}
	}
	return nil
}

// key looks at the key by which the board signs its moves; a board that never ran has none yet.
func (d *examination) key(c *config.Config, signed bool) {
	if !c.Sign {
		d.find("key", nil, "moves are not signed (mqtt.sign)")
		return
	}
	name := seal.KeyFile(c.StateDir)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(filepath.Join(c.StateDir, "board.pub")); signed || err == nil {
			d.find("key", mend(name+" is gone, although this board has had a key", "put it back before you start boardd, "+
				"which makes another one: boards that know the old one would not take its moves"), "")
			return
		}
		d.find("key", nil, "will be made on the first start")
		return
	}
	key, _, err := seal.LoadKey(name)
	if err != nil {
		d.find("key", mends(err, "put back the file you kept, or move it away for a new key, which opponents have to "+
			"accept; moves go unsigned until then"), "")
		return
	}
	public, _ := key.Public().(ed25519.PublicKey)
	d.find("key", nil, "moves are signed by "+seal.Fingerprint(public))
}

// pairs looks at the list of the boards with which this one is paired.
func (d *examination) pairs(dir string) {
	pairs, err := trust.Pairs(dir)
	if err != nil {
		d.find("paired boards", mends(err, "until then boards whose key is not known otherwise are not believed"), "")
	} else if len(pairs) > 0 {
		d.find("paired boards", nil, strings.Join(slices.Sorted(maps.Keys(pairs)), ", "))
	}
}

// signers looks at who may sign commands, and at the numbers of those that were carried out.
func (d *examination) signers(c *config.Config) {
	const part = "signed commands"
	file := config.File{Setting: "mqtt.command_keys_file", Path: c.CommandKeysFile}
	if file.Path == "" || d.handed(part, file) {
		return
	}
	_, err := trust.ReadSignedCommands(c.CommandKeysFile, c.StateDir)
	d.find(part, err, "from those in "+c.CommandKeysFile)
}

// imported looks at the games that came from files. The name of each of these files is the hash of its text.
func (d *examination) imported(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, "imported", "*"))
	if len(names) == 0 && err == nil {
		return
	}
	var bad []string
	for _, name := range names {
		text, err := size.Read(name, size.Kept)
		if err != nil || fmt.Sprintf("%x.pgn", sha256.Sum256(text)) != filepath.Base(name) {
			bad = append(bad, name)
		}
	}
	if len(bad) > 0 {
		err = mend("not as they were written: "+strings.Join(bad, ", "), "remove them, and import the games again from the "+
			"files that you have")
	}
	d.find("imported games", err, say.Counted("%d files", len(names)))
}
