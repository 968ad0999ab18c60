// SPDX-License-Identifier: Apache-2.0

package check

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	command    = regexp.MustCompile("`((?:boardd|make|go run) [^`\n]+)`")
	shown      = regexp.MustCompile("(?ms)^```(?:text|sh)?\n(.*?)^```$")
	optionForm = regexp.MustCompile(`--[a-z-]+`)
	inBlock    = regexp.MustCompile(`(?m)^(?:\$ )?(?:sudo )?(?:[A-Z_0-9]+=\S+ )*((?:boardd|make|go run|go test) [^|>\n]+)`)
	testOf     = regexp.MustCompile(`^go test (?:-run (\S+) )?\./(\S+)$`)
)

// commandsNamed returns the commands that sentences and blocks of a document name.
func commandsNamed(text string) (found []string) {
	for _, m := range command.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	for _, block := range shown.FindAllStringSubmatch(text, -1) {
		for _, m := range inBlock.FindAllStringSubmatch(block[1], -1) {
			found = append(found, m[1])
		}
	}
	return found
}

// TestNamedCommands: every command that a document names exists, with its options. Commands of boardd are in its own
// list, those of make in the Makefile, and those of go run are packages of the repository.
func TestNamedCommands(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), build(t), "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	makefile, count := read(t, "Makefile"), 0
	for _, name := range documents(t) {
		for _, named := range commandsNamed(read(t, name)) {
			words := strings.Fields(named)
			count++
			switch words[0] {
			case "boardd":
				// A command may have several lines, one for each of its kinds.
				var listed string
				for line := range strings.Lines(string(out)) {
					if f := strings.Fields(line); len(f) > 1 && f[0] == "boardd" && f[1] == words[1] {
						listed += line
					}
				}
				if words[1] == "hub" || words[1] == "help" {
					continue // the hub's name; the list itself
				}
				if listed == "" {
					t.Errorf("%s names `%s`, which boardd help does not list", name, named)
				}
				for _, w := range words[2:] {
					option, _, _ := strings.Cut(w, "=")
					if strings.HasPrefix(option, "--") && !slices.Contains(optionForm.FindAllString(listed, -1), option) {
						t.Errorf("%s names `%s`: boardd %s has no %s", name, named, words[1], option)
					}
				}
			case "make":
				for _, target := range words[1:] {
					if variable, _, ok := strings.Cut(target, "="); ok {
						if !regexp.MustCompile(`(?m)^` + variable + ` \?=|\$\(` + variable + `\)`).MatchString(makefile) {
							t.Errorf("%s names `%s`: the Makefile has no variable %s", name, named, variable)
						}
					} else if !regexp.MustCompile(`(?m)^([a-z -]+ )?` + target + `( [a-z -]+)?:`).MatchString(makefile) {
						t.Errorf("%s names `%s`: there is no such target", name, named)
					}
				}
			case "go":
				if m := testOf.FindStringSubmatch(named); m != nil && !hasTest(t, m[2], m[1]) {
					t.Errorf("%s names `%s`: there is no such test", name, named)
				}
				if dir := strings.TrimPrefix(words[2], "./"); strings.HasPrefix(words[2], "./") {
					if found, err := filepath.Glob(filepath.Join(root, dir, "*.go")); err != nil || len(found) == 0 {
						t.Errorf("%s names `%s`: there is no program %s", name, named, dir)
					}
				}
			}
		}
	}
	if count < 50 {
		t.Errorf("%d commands are named: the search finds too few", count)
	}
}

// hasTest reports whether a package has a test whose name contains these words.
func hasTest(t *testing.T, dir, words string) bool {
	t.Helper()
	words, _, _ = strings.Cut(words, "/") // a test in a table of tests
	found, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(found, func(name string) bool {
		name, _ = filepath.Rel(root, name)
		return regexp.MustCompile(`(?m)^func Test\w*` + words).MatchString(read(t, name))
	})
}
