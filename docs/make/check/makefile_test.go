// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	variable = regexp.MustCompile(`(?m)^([A-Z]+) = (.*)$`)
	tested   = regexp.MustCompile("(?:\\$\\(GO\\)|go) test ([^`\n]*)")
	folder   = regexp.MustCompile(`(?:^| )(\./\S+)`)
	chosen   = regexp.MustCompile(`-run '?([^' ]+)`)
)

// TestRunPatterns: each part of a -run in the Makefile and in documents names a test that is there. Where that test is
// left out without -whole, the command has it. Otherwise a command passes that has tested nothing.
func TestRunPatterns(t *testing.T) {
	text := strings.ReplaceAll(read(t, "Makefile"), "\\\n", " ")
	for _, m := range variable.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, "$("+m[1]+")", m[2])
	}
	text = strings.ReplaceAll(text, "$$", "$")
	for _, name := range files(t, ".md") {
		text += "\n" + read(t, name)
	}
	count := 0
	for _, m := range tested.FindAllStringSubmatch(text, -1) {
		command := m[1]
		dir, names := folder.FindStringSubmatch(command), chosen.FindStringSubmatch(command)
		if dir == nil || names == nil || strings.Contains(command, "-bench") || strings.Contains(command, "-fuzz") {
			continue
		}
		tests := testsOf(t, dir[1])
		for name := range strings.SplitSeq(names[1], "|") {
			name, _, _ = strings.Cut(name, "/")
			count++
			matches, found := regexp.MustCompile(name), false
			for test, thorough := range tests {
				if !matches.MatchString(test) {
					continue
				}
				found = true
				if thorough && !strings.Contains(command, "-whole") {
					t.Errorf("%s is skipped without -whole in: %s", test, command)
				}
			}
			if !found {
				t.Errorf("%s has no test %q, in: %s", dir[1], name, command)
			}
		}
	}
	if count < 25 {
		t.Errorf("%d names of tests: the search finds too few", count)
	}
}

// testsOf returns the tests of a folder, and whether each is left out without -whole.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Test") || fn.Name.Name == "TestMain" {
				continue
			}
			tests[fn.Name.Name] = false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if called, ok := call.Fun.(*ast.Ident); ok && called.Name == "thorough" {
						tests[fn.Name.Name] = true
					}
				}
				return true
			})
		}
	}
	return tests
}
