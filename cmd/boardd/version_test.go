// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestRelease: page and health show the version, the commit if there is one, the compiler and the target.
func TestRelease(t *testing.T) {
	got := release()
	if want := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
	if form := regexp.MustCompile(`^\d+\.\d+\.\d+(\+[0-9a-f]{8}~?)? go`); !form.MatchString(got) {
		t.Errorf("%q is not of the form %v", got, form)
	}
}
