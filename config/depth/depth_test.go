// SPDX-License-Identifier: Apache-2.0

package depth

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"nothing":     {"", ""},
		"three":       {"a:\n  b:\n    - c: [1, 2]\n# [[[[[[[[[[[[[[[[[[\n", ""},
		"brackets":    {strings.Repeat("[", 100_000), "nested"},
		"over lines":  {strings.Repeat("[\n", 100), "nested"},
		"inline":      {strings.Repeat("- ", 50_000), "nested"},
		"indentation": {indented(100), "line 17"},
		"many lines":  {strings.Repeat("a: [b]\n", 1000), ""},
		"large":       {strings.Repeat("a", Bytes+1), "bytes"},
	} {
		err := Check([]byte(c.text))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
