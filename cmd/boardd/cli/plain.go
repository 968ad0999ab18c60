// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns a writer that writes control characters, and characters that change the direction of text, as escapes.
// Text from strangers goes through it before it is printed.
func Plain(w io.Writer) io.Writer { return plain{w} }

type plain struct{ w io.Writer }

func (p plain) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, Clean(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Clean is a text with such characters written as escapes. Line ends and tabs stay, and the joiners that names in
// Persian and in languages of India need.
func Clean(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case strings.ContainsRune("\n\t\u200c\u200d", r) || !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Cf, r) &&
			r != '\u2028' && r != '\u2029':
			out.WriteString(text[i : i+size])
		case r < 0x100:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		i += size
	}
	return out.String()
}
