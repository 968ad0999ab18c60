// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNoState: whoever cannot use the state folder is told where it is and what to do, each fault by its own words.
func TestNoState(t *testing.T) {
	for want, err := range map[string]error{"sudo chown -R " + UserName() + " /var/lib/boardd": fs.ErrPermission,
		"remount,rw": unix.EROFS, "may write to": errors.New("anything")} {
		got := NoState("/var/lib/boardd", fmt.Errorf("open journal /var/lib/boardd/journal: %w", err))
		if !errors.Is(got, err) || !strings.Contains(got.Error(), want) || !strings.Contains(got.Error(), "journal: ") {
			t.Errorf("%v: %v, want %q", err, got, want)
		}
	}
}
