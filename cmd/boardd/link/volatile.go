// SPDX-License-Identifier: Apache-2.0

package link

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"boardd/sync/broker"
)

// mostVolatile is how much of the memory a broker without a disk may take, in bytes: what its largest stream may hold,
// and as much again.
const mostVolatile = 64 << 20

// shared is where Linux keeps files in memory.
const shared = "/dev/shm"

// volatile makes a folder in memory for this process alone, and removes those of processes that have ended.
func volatile() (dir string, err error) { return volatileIn(shared) }

func volatileIn(parent string) (dir string, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(parent, &st); err != nil {
		return "", fmt.Errorf("%s: %w", parent, err)
	}
	if st.Type != unix.TMPFS_MAGIC && parent == shared {
		return "", fmt.Errorf("%s is not in memory", parent)
	}
	if broker.Free(parent) < mostVolatile {
		return "", fmt.Errorf("%s has no room", parent)
	}
	const name = "boardd-broker-"
	old, err := filepath.Glob(filepath.Join(parent, name+"*"))
	if err != nil {
		return "", err
	}
	for _, o := range old {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(o), name), "-")
		if n, err := strconv.Atoi(pid); err == nil && n > 0 && errors.Is(unix.Kill(n, 0), unix.ESRCH) {
			os.RemoveAll(o) //nolint:errcheck // another account's stay
		}
	}
	return os.MkdirTemp(parent, fmt.Sprintf("%s%d-", name, os.Getpid()))
}
