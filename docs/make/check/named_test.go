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
	command    = regexp.MustCompile("`((?:boardd|make|go run|go test) [^`\n]+)`")
	shown      = regexp.MustCompile("(?ms)^```(?:text|sh|console)?\n(.*?)^```$")
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
			named, _, _ := strings.Cut(m[1], " #") // a remark
			found = append(found, named)
		}
	}
	return found
}

// TestNamedCommands: every command that a document names exists, with its options. Commands of boardd are in its own
// list, those of make in the Makefile, and those of go run are packages of the repository.
func TestNamedCommands(t *testing.T) {
	program := build(t)
	out, err := exec.CommandContext(t.Context(), program, "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	makefile, count := read(t, "Makefile"), 0
	for _, name := range documents(t) {
		for _, named := range commandsNamed(read(t, name)) {
			words := strings.Fields(named)
			count++
			if len(words) == 1 || strings.HasSuffix(words[1], ":") {
				continue // make alone, and what a command says
			}
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
					if !strings.HasPrefix(option, "--") {
						continue
					}
					if !slices.Contains(optionForm.FindAllString(listed, -1), option) || !takes(t, program, words[1:], option[1:]) {
						t.Errorf("%s names `%s`: boardd %s has no %s", name, named, words[1], option)
					}
				}
			case "make":
				if name == hubReadme {
					continue // TestHubCommands runs these
				}
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
				for _, option := range unknownOptions(t, words) {
					t.Errorf("%s names `%s`: nothing in that package reads -%s", name, named, option)
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

// takes reports whether a command of boardd has an option among its real ones, as its own help lists them. A command
// with kinds, such as boardd journal salvage, may list it for that kind.
func takes(t *testing.T, program string, words []string, option string) bool {
	t.Helper()
	kinds := len(words) > 1 && regexp.MustCompile(`^[a-z]+$`).MatchString(words[1])
	for n := range 2 {
		if n == 1 && !kinds {
			break
		}
		cmd := exec.CommandContext(t.Context(), program, append(slices.Clone(words[:n+1]), "--help")...)
		cmd.Dir = t.TempDir()
		if out, err := cmd.CombinedOutput(); err == nil &&
			regexp.MustCompile(`(?m)^ +-?`+option+`\b`).Match(out) {
			return true
		}
	}
	return false
}

// testOptions are the options of go test that documents use.
var testOptions = []string{"run", "bench", "benchtime", "count", "cpu", "fuzz", "fuzztime", "parallel", "race",
	"timeout", "v"}

// unknownOptions returns the options of a go run or go test that neither go nor the package has. Of go run those
// before the package are go's.
func unknownOptions(t *testing.T, words []string) (unknown []string) {
	t.Helper()
	at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "./") })
	if at < 0 {
		return nil
	}
	options := words[at+1:]
	if words[1] == "test" {
		options = words[2:]
	}
	found, err := filepath.Glob(filepath.Join(root, words[at], "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range options {
		option, ok := strings.CutPrefix(strings.TrimPrefix(w, "["), "-")
		option, _, _ = strings.Cut(strings.TrimPrefix(option, "-"), "=")
		if !ok || option == "h" || words[1] == "test" && slices.Contains(testOptions, option) ||
			words[at] == "./cmd/boardd" && words[1] == "run" { // boardd: its own list, when it is run
			continue
		}
		defined := regexp.MustCompile(`\.[A-Z]\w+\((?:[&\w.]+, )?"` + regexp.QuoteMeta(option) + `",`)
		if !slices.ContainsFunc(found, func(name string) bool {
			name, _ = filepath.Rel(root, name)
			return defined.MatchString(read(t, name))
		}) {
			unknown = append(unknown, option)
		}
	}
	return unknown
}

func TestUnknownOptionsAreFound(t *testing.T) {
	for named, want := range map[string]string{
		"go run ./rules/table/trial/report -pool -moves 3000":       "",
		"go run ./rules/table/trial/report -pools -moves 3000":      "pools",
		"go test ./cmd/boardd -run TestFlood -flood 12s -v":         "",
		"go test ./cmd/boardd -run TestFlood -floods 12s -v":        "floods",
		"go test -run Corpus/NAME ./sensing/reconcile/rerun -races": "races",
	} {
		if got := strings.Join(unknownOptions(t, strings.Fields(named)), " "); got != want {
			t.Errorf("%s: got %q, want %q", named, got, want)
		}
	}
	program := build(t)
	for named, want := range map[string]bool{"journal salvage format": true, "bench out": true, "bench output": false} {
		words := strings.Fields(named)
		if got := takes(t, program, words[:len(words)-1], "-"+words[len(words)-1]); got != want {
			t.Errorf("boardd %s: got %v, want %v", named, got, want)
		}
	}
}
