// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardd/config"
	"boardd/config/size"
	"boardd/rules/say"
	"boardd/sync/journal"

	"golang.org/x/sys/unix"
)

// disk tries to write and sync a file where the games are kept.
func (d *examination) disk(c *config.Config) {
	err := os.MkdirAll(c.StateDir, 0o750)
	var took time.Duration
	if err == nil {
		took, err = writeSynced(filepath.Join(c.StateDir, ".doctor"))
	}
	do := "make the folder writable for the user that runs boardd: sudo chown -R boardd: " + c.StateDir
	switch {
	case errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT):
		do = "delete something, or use a larger card: a move is shown only once it is kept"
	case errors.Is(err, unix.EROFS):
		do = "put state_dir onto a file system that can be written; if this one was writable, the card is worn out or was " +
			"torn: replace it"
	case errors.Is(err, unix.EIO):
		do = "the card is failing: copy what can be read (boardd export) and replace it"
	}
	d.find("disk "+c.StateDir, mends(err, "%s", do), fmt.Sprintf("a synced write takes %v", took.Round(rounding)))
	d.room(c.StateDir)
	d.secrets(c)
}

// writeSynced writes about as much as a move takes.
func writeSynced(name string) (time.Duration, error) {
	begin := time.Now()
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	_, err = f.Write(make([]byte, 4096))
	err = errors.Join(err, f.Sync(), f.Close(), os.Remove(name))
	return time.Since(begin), err
}

// secrets looks for files that others must not read.
func (d *examination) secrets(c *config.Config) {
	var names []string
	for _, f := range c.WorldReadable() {
		names = append(names, f.Path)
	}
	var err error
	if len(names) > 0 {
		err = mend("every user of this machine may read "+strings.Join(names, ", "), "chmod o= %s", strings.Join(names, " "))
	}
	d.find("secrets", err, "no file with a secret can be read by others")
}

// leastRoom is how many bytes should be free: about what a year of games needs.
const leastRoom = 200 << 20

// room checks the free space and the errors that the file system has counted.
func (d *examination) room(dir string) {
	var fs unix.Statfs_t
	err := unix.Statfs(dir, &fs)
	free := fs.Bavail * uint64(fs.Bsize)
	if err == nil && free < leastRoom {
		err = mend(fmt.Sprintf("only %d MB are free", free>>20), "delete something, or use a larger card")
	}
	d.find("room on the disk", err, fmt.Sprintf("%d MB are free", free>>20))
	name, ok := d.blockDevice(dir)
	if !ok {
		return
	}
	if n, ok := d.count("sys/fs/ext4/" + name + "/errors_count"); ok {
		var err error
		if n > 0 {
			err = mend(say.Counted("the file system on %s has met %d errors", name, n),
				"copy the games elsewhere (boardd export) and replace the card")
		}
		d.find("health of the disk", err, "the file system on "+name+" has met no error")
	}
	d.wear(name)
}

// blockDevice is the disk or the partition that a folder is on; ok is false if it is on none, as in memory.
func (d *examination) blockDevice(dir string) (name string, ok bool) {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return "", false
	}
	dev, err := os.Readlink(filepath.Join(d.root, fmt.Sprintf("sys/dev/block/%d:%d", unix.Major(st.Dev),
		unix.Minor(st.Dev))))
	return filepath.Base(dev), err == nil
}

// count reads a number from a file below the root.
func (d *examination) count(name string) (int, bool) {
	text, err := size.Read(filepath.Join(d.root, name), size.Named)
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return n, err == nil
}

// wear asks a card how much of its life is used up. eMMC tells it in tenths (JEDEC JESD84-B51,
// DEVICE_LIFE_TIME_EST_TYP_A and _B: 0x01 is up to a tenth, 0x0a up to all, 0x0b more). Most SD cards tell nothing.
func (d *examination) wear(partition string) {
	disk, _, _ := strings.Cut(partition, "p")
	text, err := size.Read(filepath.Join(d.root, "sys/block", disk, "device/life_time"), size.Named)
	if err != nil || !strings.HasPrefix(disk, "mmcblk") {
		return
	}
	worst := 0
	for _, word := range strings.Fields(string(text)) {
		if n, err := strconv.ParseInt(word, 0, 32); err == nil {
			worst = max(worst, int(n))
		}
	}
	err = nil
	if worst > 9 {
		err = mend(fmt.Sprintf("%s says that nine tenths of its life and more are over", disk),
			"copy the games elsewhere (boardd export) and replace it")
	}
	d.find("wear of the card", err, fmt.Sprintf("%s says that at most %d %% of its life are over", disk, 10*worst))
}

// Hold makes a state folder if there is none, and locks it for the one daemon that may work with it.
func Hold(dir string) (io.Closer, error) {
	err := journal.Disk{}.MkdirAll(dir)
	if err != nil {
		return nil, NoState(dir, err)
	}
	held, err := journal.Hold(dir)
	if err != nil {
		return nil, NoState(dir, err)
	}
	return held, nil
}

// NoState says what to do about a state folder without which there is no game.
func NoState(dir string, err error) error {
	switch {
	case errors.Is(err, journal.ErrLocked):
		return fmt.Errorf("%w: another boardd runs with this state_dir, stop it first", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: all of state_dir must belong to %s, who runs boardd: sudo chown -R %s %s", err, CurrentUser(),
			CurrentUser(), dir)
	case errors.Is(err, unix.EROFS):
		return fmt.Errorf("%w: mount the disk of state_dir so that it can be written (sudo mount -o remount,rw), or name "+
			"a folder on another one", err)
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("%w: free room on the disk of state_dir, or name a folder on another one", err)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, journal.ErrVersion), errors.Is(err, journal.ErrNoTarget):
		return err // it says what to do
	case errors.Is(err, journal.ErrNoLock):
		return fmt.Errorf("%w: name a folder for state_dir on a file system with locks", err)
	}
	return fmt.Errorf("%w: state_dir must be a folder that this user may write to", err)
}
