// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// hubPrefix begins the names of the folders in which the lines of virtual hubs appear; the number of the process
// follows.
const hubPrefix = "boardd-hub-"

// hubFolder makes a folder for a hub's line, and takes those away that killed programs have left.
func hubFolder() (string, error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), hubPrefix+"*"))
	if err != nil {
		return "", err
	}
	for _, dir := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), hubPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && n > 0 && unix.Kill(n, 0) == unix.ESRCH {
			os.RemoveAll(dir) //nolint:errcheck // it may be another user's, and is only litter
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", hubPrefix, os.Getpid()))
}
