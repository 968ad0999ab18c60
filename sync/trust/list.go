// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"boardd/config/size"
)

// lastLine ends a list in the state folder. Without it a list that was emptied or cut off would pass for a shorter
// one. Then fewer boards would be paired, or fewer commands carried out.
const lastLine = "# end"

// errCut is why a list is not whole.
var errCut = errors.New("it was emptied or cut off: its last line is not " + lastLine)

// readList calls take with each line of a list and its number. A file that is not there is an empty list.
func readList(name string, take func(n int, line string) error) error {
	data, err := size.Read(name, size.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, whole := strings.CutSuffix(strings.TrimSpace(string(data)), lastLine)
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := take(i+1, line); err != nil {
			return err
		}
	}
	if !whole {
		return errCut
	}
	return nil
}

// writeList writes a list, synced.
func writeList(name string, lines []string) error {
	return renameio.WriteFile(name, []byte(strings.Join(append(lines, lastLine), "\n")+"\n"), 0o600)
}

// lockWithin is how long a lock is waited for. Who holds it only writes a small file.
const lockWithin = 10 * time.Second

// keysFor is how long a watch goes by the keys that it was told.
const keysFor = 10 * time.Second

// lock makes a file if there is none and locks it, against other processes and goroutines. Where files cannot be
// locked at all, as on some network disks, nobody is kept out.
func lock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	unlock = func() { f.Close() } //nolint:errcheck // nothing was written
	for end := time.Now().Add(lockWithin); ; time.Sleep(20 * time.Millisecond) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, errors.ErrUnsupported), err == syscall.ENOLCK:
			return unlock, nil
		case err != syscall.EWOULDBLOCK && err != syscall.EINTR:
			unlock()
			return nil, fmt.Errorf("lock %s: %w", name, err)
		case time.Now().After(end):
			unlock()
			return nil, fmt.Errorf("another program is changing %s: try again", name)
		}
	}
}
