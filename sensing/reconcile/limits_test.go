// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"os"
	"strings"
	"testing"
)

// limits holds the scripts and traces that are known to be misread, by "kind name". The list may only shrink: what is
// read right must be taken out.
type limits map[string]bool

func readLimits(t *testing.T, name string) limits {
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	l := limits{}
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			l[line] = true
		}
	}
	return l
}

// hold fails a test if its script fails without being a known limit, or is a known limit and passes.
func (l limits) hold(t *testing.T, kind, name string, err error) {
	switch known := l[kind+" "+name]; {
	case err != nil && !known:
		t.Errorf("%s %s\n%v", kind, name, err)
	case err == nil && known:
		t.Errorf("this is a known limit, and is read right now: take %q out of testdata/limits.txt", kind+" "+name)
	}
}
