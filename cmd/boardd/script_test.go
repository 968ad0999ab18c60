// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/user"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs command lines as people type them. Each file of testdata/script is one session.
func TestScripts(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(name string) (bool, error) {
			_, err := user.Lookup("boardd")
			return name == "service" && err == nil, nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("BOARDD_TEST_AS_PROGRAM", "1")
			e.Setenv("GORACE", os.Getenv("GORACE")) // how long a program waits at its end for races
			return os.Symlink(self, e.WorkDir+"/boardd")
		},
	})
}
