// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

// TestStatus: each way in which a command ends has its status and its words. Nobody reads Go's own words for a command
// that was interrupted.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		err       error
		status    int
		out, errs string
	}{
		{nil, 0, "", ""},
		{flag.ErrHelp, 0, "use: boardd mate --in N FEN\n", ""},
		{Misuse("no %s", "FEN"), 2, "", "boardd mate: no FEN\nuse: boardd mate --in N FEN\n"},
		{errors.New("no\x1b"), 1, "", "boardd mate: no\\x1b\n"},
		{context.Canceled, 1, "", "boardd mate: interrupted\n"},
		{fmt.Errorf("stopped: %w", context.Canceled), 1, "", "boardd mate: stopped: interrupted\n"},
		{fmt.Errorf("b: %v", context.DeadlineExceeded), 1, "", "boardd mate: b: it took too long\n"},
		{errors.Join(context.Canceled, errors.New("no room")), 1, "", "boardd mate: interrupted\nno room\n"},
	} {
		var out, errs bytes.Buffer
		status := Status("mate", "--in N FEN", c.err, Std{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != c.status || out.String() != c.out || errs.String() != c.errs {
			t.Errorf("%v: %d, %q and %q; want %d, %q and %q", c.err, status, &out, &errs, c.status, c.out, c.errs)
		}
	}
}
