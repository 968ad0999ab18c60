// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"boardd/rules"
)

var escapes = regexp.MustCompile("\033\\[[0-9;]*m")

// TestDraw: the drawing has what stands on every square, in columns of one width, and colors change nothing but
// colors.
func TestDraw(t *testing.T) {
	for _, c := range []struct{ id, fen, rank4 string }{
		{"chess", "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", "4  .  .  .  P  .  .  .  ."},
		{"pillar", "4k3/8/8/8/3[PnbR]4/8/8/4K3 w - - 0 1", "4    .       .       .     [PnbR]    .       .       .       ."},
		{"flying", "4k3/8/8/8/3[-N]4/8/8/4K3 w - - 0 1", "4   .     .     .    [-N]   .     .     .     ."},
	} {
		v, err := rules.ByID(c.id)
		if err != nil {
			t.Fatal(err)
		}
		p, err := v.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		var plain, colored bytes.Buffer
		if err := draw(&plain, &p, p.Result(), false); err != nil {
			t.Fatal(err)
		}
		if err := draw(&colored, &p, p.Result(), true); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(plain.String(), "\n")
		if lines[4] != c.rank4 {
			t.Errorf("%s: got %q, want %q", c.fen, lines[4], c.rank4)
		}
		for r, line := range lines[:8] { // a column each file, whatever stands in it
			if !strings.HasPrefix(line, string(rune('8'-r))+" ") {
				t.Errorf("%s: line %q is not that of rank %d", c.fen, line, 8-r)
			}
		}
		if at := strings.IndexByte(lines[8], 'e'); lines[0][at] != 'k' || lines[7][at] != 'K' {
			t.Errorf("%s: the letter of the file is not below its pieces:\n%s", c.fen, plain.String())
		}
		bare := escapes.ReplaceAllString(colored.String(), "")
		bare = regexp.MustCompile(" +\n").ReplaceAllString(bare, "\n")
		if want := regexp.MustCompile(" +\n").ReplaceAllString(strings.ReplaceAll(plain.String(), ".", " "),
			"\n"); bare != want {
			t.Errorf("%s: in colors got\n%s\nwant\n%s", c.fen, bare, want)
		}
		if bytes.Count(colored.Bytes(), []byte(lightGround)) != 32 ||
			bytes.Count(colored.Bytes(), []byte(darkGround)) != 32 {
			t.Errorf("%s: not 32 squares of each color", c.fen)
		}
	}
}
