// SPDX-License-Identifier: Apache-2.0

package check

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardd/config"
	"boardd/leds"
)

var configuration = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestConfigurations: every configuration in a document is one that the daemon takes.
func TestConfigurations(t *testing.T) {
	count := 0
	for _, name := range documents(t) {
		for _, m := range configuration.FindAllStringSubmatch(read(t, name), -1) {
			count++
			_, err := config.Parse(name, []byte(m[1]))
			if faults := new(config.Faults); errors.As(err, &faults) {
				for _, f := range faults.List {
					if !strings.HasPrefix(f.What, "cannot be read: open /etc/boardd/") { // the owner's own files
						t.Errorf("%s has a configuration that is not sound: %s: %s", name, f.Setting, f.What)
					}
				}
			} else if err != nil {
				t.Errorf("%s has a configuration that is not sound: %v", name, err)
			}
		}
	}
	if count == 0 {
		t.Error("no document has a configuration")
	}
}

var setting = regexp.MustCompile("`((?:hardware|leds|pieces|game|mqtt|web|engine|" +
	"lichess|livechess|club|journal|names)\\.[a-z_]+)(?::[^`]*)?`")

// TestSettings: every setting that a document names exists.
func TestSettings(t *testing.T) {
	known := map[string]bool{}
	section := ""
	for line := range strings.Lines(config.Reference()) {
		name, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case !ok || strings.HasPrefix(name, "#"):
		case !strings.HasPrefix(line, " "):
			section = name
		default:
			known[section+"."+name] = true
		}
	}
	count := 0
	for _, name := range documents(t) {
		for _, m := range setting.FindAllStringSubmatch(read(t, name), -1) {
			count++
			if !known[m[1]] && m[1] != "lichess.org" {
				t.Errorf("%s names the setting %s, which does not exist", name, m[1])
			}
		}
	}
	if count < 15 {
		t.Errorf("%d settings are named: the search finds too few", count)
	}
}

// TestRulesNameTheirTests: each chosen reading is pinned by a test that exists, and each test of a chosen reading is
// listed.
func TestRulesNameTheirTests(t *testing.T) {
	text := read(t, "rules/RULES.md")
	tests := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	exist := map[string]bool{}
	files, err := filepath.Glob(root + "/rules/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range tests.FindAllSubmatch(source, -1) {
			exist[string(m[1])] = true
		}
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
		if !exist[m[1]] {
			t.Errorf("RULES.md names %s, which does not exist", m[1])
		}
	}
	for name := range exist {
		if strings.HasPrefix(name, "TestChosen") && !named[name] {
			t.Errorf("RULES.md does not list %s", name)
		}
	}
	_, list, _ := strings.Cut(text, "## 9.")
	for _, m := range regexp.MustCompile(`(?s)\n#{2,3} ([0-9.]+)[^\n]*\n(.*?)(?:\n#|$)`).FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[2], "**[chosen]**") && !strings.Contains(list, "| "+strings.TrimSuffix(m[1], ".")+" |") {
			t.Errorf("RULES.md: section %s chooses a reading that the list at the end lacks", m[1])
		}
	}
}

// TestSectionsOfRulesExist: a section that the code cites stands in RULES.md.
func TestSectionsOfRulesExist(t *testing.T) {
	headings := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ ([0-9.]+)`).FindAllStringSubmatch(read(t, "rules/RULES.md"), -1) {
		headings[strings.TrimSuffix(m[1], ".")] = true
	}
	cited := regexp.MustCompile(`RULES ([0-9]+(?:\.[0-9]+)?)|//[^\n]*\((?:RULES )?([1-8]\.[0-9]+)\)`)
	files, err := filepath.Glob(root + "/rules/*.go")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range cited.FindAllStringSubmatch(string(source), -1) {
			count++
			if section := m[1] + m[2]; !headings[section] {
				t.Errorf("%s cites section %s, which RULES.md lacks", path.Base(file), section)
			}
		}
	}
	if count < 50 {
		t.Errorf("%d sections are cited: the search finds too few", count)
	}
}

// TestLightsAreExplained: the table of lights has a row for each meaning that a light can have, and the page's own
// legend has as many.
func TestLightsAreExplained(t *testing.T) {
	meanings := reflect.TypeFor[leds.View]().NumField()
	_, table, _ := strings.Cut(read(t, "docs/play.md"), "| light | means |")
	table, _, _ = strings.Cut(table, "\n\n")
	// One row tells both lights of a move to copy.
	if rows := strings.Count(table, "\n| "); rows != meanings-1 {
		t.Errorf("docs/play.md explains lights in %d rows, want %d: leds.View has %d meanings", rows, meanings-1, meanings)
	}
	_, legend, _ := strings.Cut(read(t, "sync/tongue/words/en.json"), "\"means\": {")
	legend, _, _ = strings.Cut(legend, "}")
	if got := strings.Count(legend, "\": \""); got != meanings {
		t.Errorf("the page's legend has %d lights, want %d", got, meanings)
	}
}

// TestWordsOfThePage: what a document sets in italics, where it speaks of the page, is what the page says.
func TestWordsOfThePage(t *testing.T) {
	words := strings.ToLower(read(t, "sync/tongue/words/en.json"))
	count := 0
	for _, name := range []string{"docs/play.md", "docs/people.md", "docs/trouble.md", "docs/own.md", "docs/backup.md"} {
		for _, m := range regexp.MustCompile(`[^*]\*([^*\n]+)\*[^*]`).FindAllStringSubmatch(code.ReplaceAllString(read(t,
			name), ""), -1) {
			if m[1] == "pedestal" {
				continue // the cube's name, not a button's
			}
			count++
			if !strings.Contains(words, strings.ToLower(m[1])) {
				t.Errorf("%s names %q, which the page does not say", name, m[1])
			}
		}
	}
	if count < 3 {
		t.Errorf("%d words of the page are named: the search finds too few", count)
	}
}

// TestPeopleNameTheirTests: the table of what two people do has both set-ups with all that they do, and each test that
// it names exists.
func TestPeopleNameTheirTests(t *testing.T) {
	text := read(t, "docs/people.md")
	exist := map[string]bool{}
	for _, folder := range []string{"/cmd/boardd", "/rules/game", "/rules/table"} {
		files, err := filepath.Glob(root + folder + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
				exist[string(m[1])] = true
			}
		}
	}
	sections := strings.Split(text, "\n## ")[1:]
	for _, section := range sections {
		for _, action := range []string{"begin", "agree on a clock", "pause, go on", "adjust the clocks", "take back",
			"offer a draw", "accept", "decline", "resign", "end without a result", "play again", "leave", "come back",
			"lose on time", "disagree"} {
			if !strings.Contains(section, "\n| "+action+" | ") {
				t.Errorf("%.20q lacks %q", section, action)
			}
		}
		for _, way := range []string{"\nPage: Test", "\nWood: Test", "\nMQTT: Test"} {
			if !strings.Contains(section, way) {
				t.Errorf("%.20q names no tests for %q", section, way)
			}
		}
	}
	if len(sections) != 2 {
		t.Errorf("%d sections, want two set-ups", len(sections))
	}
	for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(text, -1) {
		if !exist[name] {
			t.Errorf("docs/people.md names %s, which does not exist", name)
		}
	}
}

// TestGlossaryIsSorted: each word once, so that it is found.
func TestGlossaryIsSorted(t *testing.T) {
	var terms []string
	for _, m := range regexp.MustCompile(`(?m)^\| \*\*([^*]+)\*\* \|`).FindAllStringSubmatch(read(t, "docs/glossary.md"),
		-1) {
		terms = append(terms, strings.ToLower(m[1]))
	}
	if len(terms) < 30 || !slices.IsSorted(terms) || len(slices.Compact(slices.Clone(terms))) != len(terms) {
		t.Errorf("docs/glossary.md: %d words, want 30 or more, each once, in order: %v", len(terms), terms)
	}
}

// TestEveryCommandIsListed: docs/commands.md has a row for each command of the program, and no other.
func TestEveryCommandIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `boardd ([a-z]+)` \\|").FindAllStringSubmatch(read(t,
		"docs/commands.md"), -1) {
		listed[m[1]] = true
	}
	there := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\t\{"([a-z]+)", "`).FindAllStringSubmatch(read(t, "cmd/boardd/main.go"),
		-1) {
		there[m[1]] = true
		if !listed[m[1]] {
			t.Errorf("docs/commands.md does not list boardd %s", m[1])
		}
	}
	for name := range listed {
		if !there[name] {
			t.Errorf("docs/commands.md lists boardd %s, which does not exist", name)
		}
	}
	if len(there) < 15 {
		t.Errorf("%d commands: the search finds too few", len(there))
	}
}

// testsThere returns the names of all tests of the repository.
func testsThere(t *testing.T) map[string]bool {
	t.Helper()
	exist := map[string]bool{}
	for _, name := range files(t, "_test.go") {
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(\w+ \*testing\.T\)`).FindAllStringSubmatch(read(t, name),
			-1) {
			exist[m[1]] = true
		}
	}
	return exist
}

// TestSafetyNamesItsTests: each promise of docs/safety.md names tests.
func TestSafetyNamesItsTests(t *testing.T) {
	_, table, ok := strings.Cut(read(t, "docs/safety.md"), "\n| promise | against | test |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")[1:]
	if !ok || len(rows) < 25 {
		t.Fatalf("docs/safety.md has %d promises", len(rows))
	}
	for _, row := range rows {
		if !strings.Contains(row, "Test") {
			t.Errorf("no test is named: %s", row)
		}
	}
}

// TestNamedTestsExist: each test that a document names exists, except those that docs/make/tests lists as gone, in
// the first column of its last table.
func TestNamedTestsExist(t *testing.T) {
	exist, named := testsThere(t), 0
	for _, name := range documents(t) {
		gone := false
		for line := range strings.Lines(read(t, name)) {
			if strings.HasPrefix(line, "| test | why it is gone") {
				gone = true
			}
			if gone {
				cells := strings.SplitN(line, "|", 3)
				line = cells[len(cells)-1]
			}
			for _, test := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(line, -1) {
				if named++; !exist[test] {
					t.Errorf("%s names %s, which does not exist", name, test)
				}
			}
		}
	}
	if named < 100 {
		t.Errorf("the documents name %d tests, want some hundred", named)
	}
}
