// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

func TestSqueeze(t *testing.T) {
	for _, k := range []struct{ name, in, want string }{
		{"strokes that follow each other", `<g s="a"><path d="M1.0000 2.0000
L3.0000 2.0000
" />
<path d="M3.0000 2.0000
L3.0000 4.1250
" />
<path d="M9.0000 9.0000
L8.0000 9.0000
" />
</g>`, "<g s=\"a\"><path d=\"M1 2l2 0l0 2.13M9 9l-1 0\"/>\n</g>\n"},
		{"dates and hidden texts",
			`<?xml version="1.0"?><title>made 2026</title><text x="1.0" opacity="0">R1</text><rect x="0.1270"/>`,
			"<rect x=\"0.13\"/>\n"},
		{"groups with nothing in them", `<g a="b"><g c="d">
 </g></g><g><rect/></g>`, "<g><rect/></g>\n"},
	} {
		if got := squeeze(k.in); got != k.want {
			t.Errorf("%s: %q, want %q", k.name, got, k.want)
		}
	}
}
