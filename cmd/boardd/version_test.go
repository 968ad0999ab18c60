// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestRelease: what page and health show has the version, the compiler and the target, and between them the commit
// where there is one.
func TestRelease(t *testing.T) {
	got := release()
	if want := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
	if form := regexp.MustCompile(`^\d+\.\d+\.\d+(\+[0-9a-f]{8}~?)? go`); !form.MatchString(got) {
		t.Errorf("%q is not of the form %v", got, form)
	}
}
