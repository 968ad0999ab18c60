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

// name is how such folders begin; the process and a number follow.
const name = "boardd-broker-"

// volatile makes a folder in memory for this process alone.
func volatile() (dir string, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(shared, &st); err != nil {
		return "", fmt.Errorf("%s: %w", shared, err)
	}
	if st.Type != unix.TMPFS_MAGIC {
		return "", fmt.Errorf("%s is not in memory", shared)
	}
	if broker.Free(shared) < mostVolatile {
		return "", fmt.Errorf("%s has no room", shared)
	}
	return volatileIn(shared)
}

func volatileIn(parent string) (dir string, err error) {
	return os.MkdirTemp(parent, fmt.Sprintf("%s%d-", name, os.Getpid()))
}

// abandoned removes the folders of processes that were killed.
func abandoned(parent string) {
	old, _ := filepath.Glob(filepath.Join(parent, name+"*")) // the pattern is well-formed
	for _, o := range old {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(o), name), "-")
		if n, err := strconv.Atoi(pid); err == nil && n > 0 && errors.Is(unix.Kill(n, 0), unix.ESRCH) {
			os.RemoveAll(o) //nolint:errcheck // another account's stay
		}
	}
}
