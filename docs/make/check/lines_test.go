// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is how long a line of code or of a comment may be; a tab is one column, as the forges count.
const mostColumns = 119

// TestLinesOfCode: Go code and its comments end before column 120, so that two files fit beside each other. What
// stands between backquotes is data, and as long as it has to be, and so is what an example prints.
func TestLinesOfCode(t *testing.T) {
	for _, name := range goFiles(t) {
		for _, line := range tooLong(read(t, name)) {
			t.Errorf("%s:%d is longer than %d columns", name, line, mostColumns)
		}
	}
}

// goFiles returns every Go file of the repository.
func goFiles(t *testing.T) (names []string) {
	t.Helper()
	names = files(t, ".go")
	if len(names) < 500 {
		t.Errorf("%d Go files: the search finds too few", len(names))
	}
	return names
}

// tooLong returns the numbers of the lines that are too long.
func tooLong(text string) (long []int) {
	if generated(text) {
		return nil
	}
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	data := map[int]bool{} // lines with something between backquotes
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind == token.STRING && literal[0] == '`' {
			for i := range strings.Count(literal, "\n") + 1 {
				data[file.Line(pos)+i] = true
			}
		}
	}
	output := false // what an example prints
	for i, line := range strings.Split(text, "\n") {
		comment := strings.TrimLeft(line, "\t")
		if output = strings.HasPrefix(comment, "//") && (output || comment == "// Output:"); output {
			continue
		}
		if utf8.RuneCountInString(line) > mostColumns && !data[i+1] {
			long = append(long, i+1)
		}
	}
	return long
}

// generated reports whether a program wrote a file.
func generated(text string) bool {
	return strings.Contains(text[:min(len(text), 300)], "Code generated ")
}

// TestLinesOfPage: the page's scripts and styles end before column 120 as well. A template and the path of a drawing
// may be longer.
func TestLinesOfPage(t *testing.T) {
	const page = "sync/web/page"
	files, err := fs.ReadDir(os.DirFS(root), page)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".js") && !strings.HasSuffix(f.Name(), ".css") {
			continue
		}
		for i, line := range strings.Split(read(t, page+"/"+f.Name()), "\n") {
			lines++
			data := strings.ContainsRune(line, '`') || strings.HasPrefix(strings.TrimSpace(line), `"M`)
			if utf8.RuneCountInString(line) > mostColumns && !data {
				t.Errorf("%s/%s:%d is longer than %d columns", page, f.Name(), i+1, mostColumns)
			}
		}
	}
	if lines < 4000 {
		t.Errorf("%d lines: the search finds too few", lines)
	}
}

// commentMarks begin the lines of comments in scripts, units, samples and C.
var commentMarks = []string{"# ", "//", "*", "/*"}

// TestLinesOfScripts: the comments of scripts, units, samples and the firmware end before column 120 as well. Their
// commands may be longer.
func TestLinesOfScripts(t *testing.T) {
	comments := 0
	for _, ending := range []string{".c", ".h", ".scad", ".sh", ".yaml", ".yml", ".service", ".rules", ".polkit", ".conf",
		".dts", "Makefile", "/build", "/check", "/first", "install", "inst", "rm", "-tools", "-axe", "-readers"} {
		for _, name := range files(t, ending) {
			if strings.Contains(name, "/testdata/") {
				continue
			}
			for i, line := range strings.Split(read(t, name), "\n") {
				begins := func(mark string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), mark) }
				if !slices.ContainsFunc(commentMarks, begins) {
					continue
				}
				comments++
				if utf8.RuneCountInString(line) > mostColumns {
					t.Errorf("%s:%d is longer than %d columns", name, i+1, mostColumns)
				}
			}
		}
	}
	if comments < 200 {
		t.Errorf("%d comments: the search finds too few", comments)
	}
}

// TestTooLong: what is counted, and what is not.
func TestTooLong(t *testing.T) {
	wide := strings.Repeat("x", mostColumns-3)
	for source, want := range map[string]int{
		"package p\n\n// " + wide + "\n":                       0,
		"package p\n\n// Output:\n// " + wide + "x\n":          0,
		"package p\n\n// " + wide + "x\n":                      1,
		"package p\n\nvar a" + wide + " int\n":                 1,
		"package p\n\nvar a = `" + wide + "\n" + wide + "x`\n": 0,
	} {
		if got := len(tooLong(source)); got != want {
			t.Errorf("%q: got %d long lines, want %d", source, got, want)
		}
	}
}

// TestReportsWhether: the comment of a function that returns a bool says what it reports in Go's own words.
func TestReportsWhether(t *testing.T) {
	for _, name := range goFiles(t) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, read(t, name), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Type.Results == nil || len(f.Type.Results.List) != 1 || len(f.Type.Results.List[0].Names) > 1 {
				continue
			}
			says := strings.Join(strings.Fields(f.Doc.Text()), " ")
			if r, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && r.Name == "bool" && unlikeGo(says) {
				t.Errorf("%v: %q: say \"reports whether\" of what returns a bool", set.Position(f.Pos()), says)
			}
		}
	}
	if !unlikeGo("a tells whether b") || !unlikeGo("a is whether b") || unlikeGo("a reports whether b") ||
		unlikeGo("a does b") {
		t.Error("the check takes a comment for another")
	}
}

// unlikeGo reports whether a comment has a "whether" that nothing reports.
func unlikeGo(comment string) bool {
	return strings.Contains(comment, "whether") && !strings.Contains(comment, "report whether") &&
		!strings.Contains(comment, "reports whether")
}
