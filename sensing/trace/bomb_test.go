// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// TestBomb: a small file that unpacks to more entries than a trace has is refused before it fills the memory.
func TestBomb(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	head := "boardd-trace 1\ngame chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
	io.WriteString(z, head) //nolint:errcheck // a buffer takes everything
	io.WriteString(z, strings.Repeat("q 1 0\n",
		2<<20)) //nolint:errcheck // likewise
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if tr, err := Read(&packed); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("read %d entries, %v", len(tr.Entries), err)
	}
}
