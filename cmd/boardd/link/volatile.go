// SPDX-License-Identifier: Apache-2.0

package link

import (
	"fmt"

	"golang.org/x/sys/unix"

	"boardd/sync/broker"
	"boardd/systemd/scratch"
)

// mostVolatile is how much of the memory a broker without a disk may take, in bytes. It is twice what its largest
// stream may hold.
const mostVolatile = 64 << 20

// shared is where Linux keeps files in memory.
const shared = "/dev/shm"

// folderPrefix begins the names of such folders.
const folderPrefix = "boardd-broker-"

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
	return scratch.Make(shared, folderPrefix)
}
