// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// TestBomb: a small file that unpacks to more entries or a longer line than a trace has is refused before it fills the
// memory. It says which line that is.
func TestBomb(t *testing.T) {
	head := "boardd-trace 1\ngame chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
	for text, want := range map[string]string{
		head + strings.Repeat("q 1 0\n", 2<<20):     "more than",
		strings.Repeat("\x00", 1<<20):               "line 1 has more than 65536 bytes",
		head + "q 1 0" + strings.Repeat("0", 1<<20): "line 3 has more than 65536 bytes",
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		io.WriteString(z, text) //nolint:errcheck // a buffer takes everything
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&packed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q and so on: %v, want %q", text, err, want)
		}
	}
}
