// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReady: a release is refused while files are not committed, or the changelog has no dated entry of the packages'
// version. The error says what is to be done.
func TestReady(t *testing.T) {
	const entry = "# Changes\n\nWhat one notices.\n\n## 0.2.0, 2026-11-27\n\n- New.\n\n## 0.1.0\n"
	for _, c := range []struct{ name, changelog, version, edit, want string }{
		{"as it should be", entry, "0.2.0", "", ""},
		{"a date is missing", strings.Replace(entry, "2026-11-27", "not released yet", 1), "0.2.0", "", "has no date"},
		{"nothing behind the version", strings.Replace(entry, ", 2026-11-27", "", 1), "0.2.0", "", "has no date"},
		{"an entry is missing", entry, "0.3.0", "", "the newest entry of CHANGELOG.md is 0.2.0"},
		{"the version was not raised", entry, "0.1.0", "", "set version"},
		{"no entry at all", "# Changes\n", "0.2.0", "", "has no entry"},
		{"an uncommitted change", entry, "0.2.0", entry + "- More.\n", " M CHANGELOG.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, root := t.TempDir(), t.TempDir()
			write := func(text string) {
				if err := os.WriteFile(filepath.Join(root, "CHANGELOG.md"), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write(c.changelog)
			for _, args := range [][]string{{"init", "-q"}, {"add", "."},
				{"-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "-m", "one"}} {
				cmd := exec.Command("git", args...)
				cmd.Dir = root
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v: %s", args, err, out)
				}
			}
			if c.edit != "" {
				write(c.edit)
			}
			err := ready(root, []string{makeDeb(t, dir, c.version, "arm64"), makeDeb(t, dir, c.version, "amd64")})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestVersionHasItsEntry: the newest entry of the changelog is that of the program's version, released or not.
func TestVersionHasItsEntry(t *testing.T) {
	source, err := os.ReadFile("../../cmd/boardd/version.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	m := heading.FindStringSubmatch(string(text))
	if m == nil || !strings.Contains(string(source), `const version = "`+m[1]+`"`) {
		t.Errorf("the newest entry of CHANGELOG.md is %q, and cmd/boardd/version.go has another version", m)
	}
}
