// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"
	"testing"
	"unicode"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"1.e4 e5\n\tKönig ♔": "1.e4 e5\n\tKönig ♔",
		"\x1b]0;owned\x07":   `\x1b]0;owned\x07`,
		"a\x9bb\u009bc":      `a\x9bb\x9bc`,
		"\u202egnp.exe":      `\u202egnp.exe`,
		"back\b\rover\x00":   `back\x08\x0dover\x00`,
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[2J\xff\u2066x")
	f.Fuzz(func(t *testing.T, text string) {
		got := Clean(text)
		for _, r := range got {
			if r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)) ||
				r == unicode.ReplacementChar && !strings.ContainsRune(text, r) {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}
