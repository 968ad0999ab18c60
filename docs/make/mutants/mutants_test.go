// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestConstants: each constant is doubled and halved, and nothing else is changed.
func TestConstants(t *testing.T) {
	got, err := ofConstants("c.go", []byte("package p\n\nconst a, b = 1 + 2, -0.5\n\nvar c = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"const a, b = (1 + 2)*2, -0.5", "const a, b = (1 + 2)/2, -0.5",
		"const a, b = 1 + 2, (-0.5)*2", "const a, b = 1 + 2, (-0.5)/2",
	}
	hold(t, got, want)
}

// TestBranches: each condition and each part of it is turned round.
func TestBranches(t *testing.T) {
	got, err := ofBranches("b.go", []byte(`package p

func f(a, b, c bool) {
	if a && b {
		return
	}
	switch {
	case c:
	}
	switch a {
	case b:
	}
}
`))
	if err != nil {
		t.Fatal(err)
	}
	hold(t, got, []string{"\tif !(a && b) {", "\tif !(a) && b {", "\tif a && !(b) {", "\tcase !(c):"})
}

// hold compares the one line that is changed in each mutant.
func hold(t *testing.T, got []mutant, want []string) {
	t.Helper()
	var lines []string
	for _, m := range got {
		for line := range strings.Lines(string(m.text)) {
			if line = strings.TrimSuffix(line, "\n"); slices.Contains(want, line) {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	slices.Sort(want)
	if !slices.Equal(lines, want) || len(got) != len(want) {
		t.Errorf("%d mutants, with %q; want %q", len(got), lines, want)
	}
}

// TestTry: a mutant that a test fails for is found, and one that no test tells survives. One that does not compile is
// neither, and one that loops is late.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n",
		"m.go":   "package m\n\nconst told, untold = 1, 2\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestTold(t *testing.T) {\n\tif told == 2 {\n\t\tt.Fail()\n" +
			"\t}\n\tif told == 4 {\n\t\tpanic(told)\n\t}\n\tfor told == 3 {\n\t}\n}\n\nfunc TestNothing(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	s, err := newSuite([]string{"."})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		by   string
		want outcome
	}{
		{"package m\n\nconst told, untold = 2, 2\n", ": TestTold", found},
		{"package m\n\nconst told, untold = 4, 2\n", ": TestTold", found},
		{"package m\n\nconst told, untold = 1, 4\n", "", survived},
		{"package m\n\nconst told, untold = 1\n", "", invalid},
		{"package m\n\nconst told, untold = 3, 2\n", ": TestTold", late},
	} {
		if c.want == late {
			s.limit = time.Second
		}
		if by, got, err := s.try(mutant{file: "m.go", text: []byte(c.text)}); err != nil || got != c.want || by != c.by {
			t.Errorf("%q: %s%s, %v; want %s%s", c.text, got, by, err, c.want, c.by)
		}
	}
	if first := s.order(dir)[0].name; first != "TestTold" {
		t.Errorf("%s comes first, which has found nothing", first)
	}
	if others := s.order(t.TempDir()); len(others) > 0 {
		t.Errorf("%d tests are run for a package that they do not use", len(others))
	}
}

// TestSuiteMustPass: tests that fail by themselves tell nothing of a mutant.
func TestSuiteMustPass(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestBroken(t *testing.T) {\n\tt.Fail()\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	if _, err := newSuite([]string{"."}); err == nil || !strings.Contains(err.Error(), "TestBroken") {
		t.Errorf("%v; want TestBroken named", err)
	}
}
