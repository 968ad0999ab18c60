// SPDX-License-Identifier: Apache-2.0

package check

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var command = regexp.MustCompile("`((?:boardd|make|go run) [^`\n]+)`")

// TestNamedCommands: every command that a sentence of a document names exists, with its options. Commands of boardd
// are in its own list, those of make in the Makefile, and those of go run are packages of the repository. Commands in
// blocks are run by TestCommands.
func TestNamedCommands(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), build(t), "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	makefile, count := read(t, "Makefile"), 0
	for _, name := range documents(t) {
		for _, m := range command.FindAllStringSubmatch(read(t, name), -1) {
			words := strings.Fields(m[1])
			count++
			switch words[0] {
			case "boardd":
				// A command may have several lines, one for each of its kinds.
				var shown string
				for line := range strings.Lines(string(out)) {
					if f := strings.Fields(line); len(f) > 1 && f[0] == "boardd" && f[1] == words[1] {
						shown += line
					}
				}
				if words[1] == "hub" || words[1] == "help" {
					continue // the hub's name; the list itself
				}
				if shown == "" {
					t.Errorf("%s names `%s`, which boardd help does not list", name, m[1])
				}
				for _, w := range words[2:] {
					if option, _, _ := strings.Cut(w, "="); strings.HasPrefix(option, "--") && !strings.Contains(shown, option) {
						t.Errorf("%s names `%s`: boardd %s has no %s", name, m[1], words[1], option)
					}
				}
			case "make":
				for _, target := range words[1:] {
					if variable, _, ok := strings.Cut(target, "="); ok {
						if !regexp.MustCompile(`(?m)^` + variable + ` \?=|\$\(` + variable + `\)`).MatchString(makefile) {
							t.Errorf("%s names `%s`: the Makefile has no variable %s", name, m[1], variable)
						}
					} else if !regexp.MustCompile(`(?m)^([a-z -]+ )?` + target + `( [a-z -]+)?:`).MatchString(makefile) {
						t.Errorf("%s names `%s`: there is no such target", name, m[1])
					}
				}
			case "go":
				if dir := strings.TrimPrefix(words[2], "./"); strings.HasPrefix(words[2], "./") {
					if found, err := filepath.Glob(filepath.Join(root, dir, "*.go")); err != nil || len(found) == 0 {
						t.Errorf("%s names `%s`: there is no program %s", name, m[1], dir)
					}
				}
			}
		}
	}
	if count < 50 {
		t.Errorf("%d commands are named: the search finds too few", count)
	}
}
