// SPDX-License-Identifier: Apache-2.0

package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Make makes a folder in parent for this process alone. Its name begins with prefix; the number of the process and a
// random number follow.
func Make(parent, prefix string) (dir string, err error) {
	return os.MkdirTemp(parent, fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// Clean removes the folders that Make made in parent for processes that have ended since. What it may not remove
// stays: it can be another user's.
func Clean(parent, prefix string) {
	entries, _ := os.ReadDir(parent) // a folder that cannot be read holds nothing to remove
	for _, e := range entries {
		if n := owner(e.Name(), prefix); n > 0 && errors.Is(unix.Kill(n, 0), unix.ESRCH) {
			os.RemoveAll(filepath.Join(parent, e.Name())) //nolint:errcheck // it may be another user's
		}
	}
}

// owner is the number of the process to which a folder belongs, 0 if Make did not make it.
func owner(name, prefix string) int {
	rest, ok := strings.CutPrefix(name, prefix)
	pid, _, whole := strings.Cut(rest, "-")
	n, err := strconv.Atoi(pid)
	if !ok || !whole || err != nil || n < 0 {
		return 0
	}
	return n
}
