// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io/fs"
	"os"
	"testing"
)

func TestEveryFileSaysItsLicence(t *testing.T) {
	root := os.DirFS("../../..")
	names, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 500 {
		t.Errorf("%d files have a licence at their head: the search finds too few", len(names))
	}
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		headed, err := head(name, text)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(headed, text) {
			t.Errorf("%s does not begin with its licence: run go run ./docs/make/spdx", name)
		}
	}
}

func TestHead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.go", "// Package a does.\npackage a\n", "// SPDX-License-Identifier: Apache-2.0\n\n// Package a does.\n" +
			"package a\n"},
		{"a_test.go", "//go:build race\n\npackage a\n", "// SPDX-License-Identifier: Apache-2.0\n\n//go:build race\n\n" +
			"package a\n"},
		{"a.html", "<!doctype html>\n<p>", "<!doctype html>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n<p>"},
		{"a.css", "p {}\n", "/* SPDX-License-Identifier: Apache-2.0 */\np {}\n"},
		{"build", "#!/bin/sh\nset -e\n", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nset -e\n"},
		{"a.scad", "cube(1);\n", "// SPDX-License-Identifier: CERN-OHL-P-2.0\ncube(1);\n"},
		{"hardware/box/kernel/a.c", "int a;\n", "// SPDX-License-Identifier: GPL-2.0-only\nint a;\n"},
	} {
		got, err := head(c.name, []byte(c.text))
		if err != nil || string(got) != c.want {
			t.Errorf("head of %s: got %q, %v, want %q", c.name, got, err, c.want)
		}
		if again, err := head(c.name, got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("head of %s a second time: got %q, %v", c.name, again, err)
		}
	}
	if got, err := head("a.go", []byte("// SPDX-License-Identifier: MIT\n\npackage a\n")); err == nil {
		t.Errorf("a file with another licence: got %q, want an error", got)
	}
}

func TestNotEveryFileHasALicence(t *testing.T) {
	for name, text := range map[string]string{"README.md": "# a\n", "board.yaml": "board: a\n", "go.mod": "module a\n"} {
		if got := commentOf(name, []byte(text)); got != "" {
			t.Errorf("comment of %s: got %q, want none", name, got)
		}
	}
}
