// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"boardd/rules/say"
)

// faults collects everything that is wrong with one message.
type faults struct{ list []error }

// flaw adds a fault. People read it, in the language of the page if they have entered there what is wrong.
func (f *faults) flaw(format string, args ...any) {
	if len(f.list) < 8 { // a hostile message must not make a long error
		f.list = append(f.list, say.Error(format, args...))
	}
}

func (f *faults) join(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	return fmt.Errorf("read %s: %w", what, errors.Join(f.list...))
}

// text checks a string for length and for control characters, which could forge lines in a log.
func (f *faults) text(field, s string, limit int) {
	if len(s) > limit {
		f.flaw("%s: %d bytes, at most %d are taken", field, len(s), limit)
	} else if !printable(s) {
		f.flaw("%s: %.40q has characters that cannot be printed", field, s)
	}
}

func printable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

func (f *faults) oneOf(field, s string, allowed ...string) {
	if !slices.Contains(allowed, s) {
		f.flaw("%s: %.40q is unknown, allowed are %s", field, s, quoted(allowed))
	}
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(out, ", ")
}

func (f *faults) length(field string, n, most int) bool {
	if n > most {
		f.flaw("%s: %d entries, at most %d are taken", field, n, most)
	}
	return n <= most
}
