// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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

// TestTry: a mutant that a test fails for is found, one that no test tells survives, one that does not compile is
// neither.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n",
		"m.go":   "package m\n\nconst told, untold = 1, 2\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestTold(t *testing.T) {\n\tif told != 1 {\n\t\tt.Fail()\n" +
			"\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct {
		text string
		want outcome
	}{
		{"package m\n\nconst told, untold = 2, 2\n", found},
		{"package m\n\nconst told, untold = 1, 4\n", survived},
		{"package m\n\nconst told, untold = 1\n", invalid},
	} {
		if out, got := try(t.TempDir(), mutant{file: "m.go", text: []byte(c.text)}, []string{"."}); got != c.want {
			t.Errorf("%q: %s, want %s\n%s", c.text, got, c.want, out)
		}
	}
}

// TestOutcomes: a mutant that only made a busy machine run out of time was not found.
func TestOutcomes(t *testing.T) {
	for out, want := range map[string]outcome{
		"--- FAIL: TestScale (0.10s)\nFAIL\n":                                              found,
		"FAIL boardd/sensing/reconcile [build failed]\n":                                   invalid,
		"panic: test timed out after 2m0s\n\trunning tests:\n\t\tTestGames (1m50s)\n":      late,
		"--- FAIL: TestScale (0.10s)\npanic: test timed out after 2m0s\nFAIL\n":            found,
		"panic: runtime error: index out of range\n\nFAIL boardd/sensing/reconcile 1.1s\n": found,
	} {
		if got := outcomeOf(out); got != want {
			t.Errorf("%q: %s, want %s", out, got, want)
		}
	}
}
