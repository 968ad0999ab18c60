// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The most files of a package, and the most lines of a file, tests aside.
const (
	mostFiles = 15
	mostLines = 350
)

// The packages and files above the limits, and their sizes. An entry larger than the real size fails as well, so that
// the lists only shrink. The package rules may have as many files as there are ideas in the games.
var (
	crowded = map[string]int{"rules": 30}
	long    = map[string]int{"rules/locking.go": 594}
)

// written is package variables of pure packages that are filled in once, before main begins, and never written again.
var written = map[string][]string{"rules": {"slides"}}

// plain holds the packages of the standard library that a pure package may import.
var plain = []string{"bytes", "cmp", "encoding/base64", "encoding/binary", "encoding/json", "errors", "fmt", "iter",
	"maps", "math", "math/bits", "math/rand/v2", "reflect", "regexp", "slices",
	"strconv", "strings", "time", "unicode", "unicode/utf8", "unsafe"}

// also is further imports of single pure packages, and why they are no I/O.
var also = map[string][]string{
	"sensing":       {"context"},                      // a Source is run with one; this package only names it
	"sensing/trace": {"bufio", "compress/gzip", "io"}, // readers and writers that it is given

	"rules/search/problems": {"embed"}, // the files are part of the program
	"rules/search/nets":     {"embed"},
}

// reaches is functions of plain packages by which a program reads a clock, waits, or writes.
var reaches = map[string][]string{
	"time": {"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTicker", "NewTimer"},
	"fmt":  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"math/rand/v2": {"Int", "IntN", "Int64", "Uint32", "Uint64", "Float64", "Perm", "Shuffle", "N", "NormFloat64",
		"ExpFloat64", "Int32", "Int32N", "Int64N", "Uint32N", "Uint64N", "UintN", "Float32"},
}

// TestPure: the packages that are marked as pure start no goroutine, read no clock, do no I/O and keep no state. The
// test reads the syntax tree.
func TestPure(t *testing.T) {
	for dir, files := range packages(t) {
		if rule, ok := allowed[dir]; !ok || !rule.pure {
			continue
		}
		for _, fault := range impurities(dir, files) {
			t.Error(fault)
		}
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				own, ok := strings.CutPrefix(unquote(spec), "boardd/")
				if row, _ := rowOf(own); ok && !allowed[row].pure {
					t.Errorf("%s imports %s, which is not pure, but %s is", f.name, own, dir)
				}
			}
		}
	}
}

// TestPureFinds: TestPure finds each of these impurities, and finds nothing in pure code.
func TestPureFinds(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"func f() { go work() }\nfunc work() {}", "go statement"},
		{"func f() { go func() {}() }", "go statement"},
		{"import \"time\"\nfunc f() time.Time { return time.Now() }", "time.Now"},
		{"import clock \"time\"\nvar now = clock.Now", "time.Now"},
		{"import . \"time\"\nfunc f() Time { return Now() }", "dot"},
		{"import \"time\"\nfunc f(t time.Time) time.Duration { return time.Since(t) }", "time.Since"},
		{"import \"os\"\nfunc f() { os.Exit(1) }", "imports os"},
		{"import \"sync/atomic\"\nvar n atomic.Int32", "imports sync/atomic"},
		{"import \"fmt\"\nfunc f() { fmt.Println() }", "fmt.Println"},
		{"func f() { println() }", "println"},
		{"var n int\nfunc f() { n++ }", "writes n"},
		{"var n [2]int\nfunc f() { n[1] = 2 }", "writes n"},
		{"var n struct{ a int }\nfunc f() { n.a += 2 }", "writes n"},
		{"var n int\nfunc f() *int { return &n }", "address of n"},
		{"var n = map[int]int{}\nfunc f() { delete(n, 1) }", "writes n"},
		{"var n = []int{1}\nfunc f() { clear(n) }", "writes n"},
		{"func init() {}", "init"},
		{"var n int\nfunc f() { n := 1; n++; _ = n }", ""},
		{"var n [2]int\nfunc f() int { m := n; m[0] = 1; return m[0] }", ""},
		{"import \"time\"\nconst d = 3 * time.Second\nfunc f(t time.Time) time.Time { return t.Add(d) }", ""},
	} {
		name := "snippet.go"
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, "package p\n"+c.source, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(impurities("p", []source{{name: name, ast: file, set: set}}), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\nfound %q, want %q", c.source, got, c.want)
		}
	}
}

// TestSizes: no package has too many files, and no file too many lines, to keep in mind.
func TestSizes(t *testing.T) {
	tall := map[string]int{}
	for dir, files := range packages(t) {
		most := mostFiles
		if n, ok := crowded[dir]; ok {
			most = n
			if len(files) < n && dir != "rules" || n <= mostFiles {
				t.Errorf("%s has %d files: lower its entry in crowded, or take it out", dir, len(files))
			}
		}
		if dir != "rules" && len(files) > most {
			t.Errorf("%s has %d files that are not tests, want %d at most: give what belongs together a package of its own",
				dir, len(files), most)
		}
		for _, f := range files {
			tall[f.name] = f.lines
			if n, ok := long[f.name]; f.lines > mostLines && (!ok || f.lines > n) {
				t.Errorf("%s has %d lines, want %d at most", f.name, f.lines, max(mostLines, n))
			}
		}
	}
	for name, n := range long {
		if tall[name] < n {
			t.Errorf("%s has %d lines: lower its entry in long, or take it out", name, tall[name])
		}
	}
}

// mostProgram is the largest number of lines of the program's own package, which only wires the others together.
const mostProgram = 2500

// TestProgramIsSmall counts the lines of the program's own package.
func TestProgramIsSmall(t *testing.T) {
	lines := 0
	for _, f := range packages(t)["cmd/boardd"] {
		lines += f.lines
	}
	if lines > mostProgram {
		t.Errorf("cmd/boardd has %d lines, want %d at most: give what belongs together a folder of its own", lines,
			mostProgram)
	}
	t.Logf("%d lines", lines)
}

// TestFilesAreBounded: the program opens and reads files by config/size. So a file that damage has made larger than
// the memory does not end it, and a named pipe does not stop it.
func TestFilesAreBounded(t *testing.T) {
	unbounded := []string{"os.ReadFile", "os.Open", "tls.LoadX509KeyPair"}
	all, seen, next := packages(t), map[string]bool{}, []string{"cmd/boardd"}
	for len(next) > 0 {
		dir := next[0]
		next = next[1:]
		if seen[dir] {
			continue
		}
		seen[dir] = true
		for _, f := range all[dir] {
			for _, spec := range f.ast.Imports {
				if own, ok := strings.CutPrefix(unquote(spec), "boardd/"); ok {
					next = append(next, own)
				}
			}
			ast.Inspect(f.ast, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					x, _ := sel.X.(*ast.Ident)
					if x != nil && slices.Contains(unbounded, x.Name+"."+sel.Sel.Name) {
						t.Errorf("%v: %s.%s: a file may be larger than the memory, or a pipe that nobody writes to: use "+
							"config/size", f.set.Position(n.Pos()), x.Name, sel.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if !seen["config/size"] || !seen["sync/seal"] {
		t.Errorf("%d packages were looked at, and those that read files are not among them", len(seen))
	}
}

// TestEveryPackageSaysWhatItIs: the comment of a package begins with its name, and stands in one file.
func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for dir, files := range packages(t) {
		var docs []string
		for _, f := range files {
			if f.ast.Doc != nil {
				docs = append(docs, f.ast.Doc.Text())
			}
		}
		name := files[0].ast.Name.Name
		want := "Package " + name + " "
		if name == "main" {
			want = "" // a command has the name of its folder, or is described by its purpose
		}
		if len(docs) != 1 || !strings.HasPrefix(docs[0], want) {
			t.Errorf("%s: %d comments of the package, want one that begins with %q", dir, len(docs), want)
		}
	}
}

// source is a file of this repository that is not a test.
type source struct {
	name  string
	lines int
	ast   *ast.File
	set   *token.FileSet
}

// packages reads all files of this repository that are not tests, by folder. Reports that are modules of their own are
// left out.
func packages(t *testing.T) map[string][]source {
	t.Helper()
	root, found := os.DirFS("../.."), map[string][]source{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata" || d.Name() == "build" ||
			name == "rules/report") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		found[path.Dir(name)] = append(found[path.Dir(name)], source{name, strings.Count(string(text), "\n"), file, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// impurities lists in words what keeps a package from being pure.
func impurities(dir string, files []source) (faults []string) {
	state := packageState(files)
	for _, name := range written[dir] {
		delete(state, name)
	}
	for _, f := range files {
		say := func(n ast.Node, format string, args ...any) {
			faults = append(faults, fmt.Sprintf("%v: ", f.set.Position(n.Pos()))+fmt.Sprintf(format, args...)+", but "+dir+
				" is pure")
		}
		names := map[string]string{} // of imports in this file
		for _, spec := range f.ast.Imports {
			p := unquote(spec)
			names[path.Base(strings.TrimSuffix(p, "/v2"))] = p
			if spec.Name != nil {
				names[spec.Name.Name] = p
				if spec.Name.Name == "." {
					say(spec, "a dot import of %s hides whose names are used", p)
				}
			}
			if !strings.HasPrefix(p, "boardd/") && !slices.Contains(plain, p) && !slices.Contains(also[dir], p) {
				say(spec, "imports %s", p)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				say(n, "go statement")
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					say(n, "func init")
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && slices.Contains(reaches[names[x.Name]], n.Sel.Name) {
					say(n, "uses %s.%s", names[x.Name], n.Sel.Name)
				}
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					if name := rootOf(e, f.ast, state); name != "" && n.Tok != token.DEFINE {
						say(n, "writes %s, a variable of the package", name)
					}
				}
			case *ast.IncDecStmt:
				if name := rootOf(n.X, f.ast, state); name != "" {
					say(n, "writes %s, a variable of the package", name)
				}
			case *ast.CallExpr:
				fun, ok := n.Fun.(*ast.Ident)
				if ok && fun.Obj == nil && (fun.Name == "print" || fun.Name == "println") {
					say(n, "uses %s", fun.Name)
				}
				if ok && fun.Obj == nil && (fun.Name == "delete" || fun.Name == "clear") && rootOf(n.Args[0], f.ast, state) != "" {
					say(n, "writes %s, a variable of the package", rootOf(n.Args[0], f.ast, state))
				}
			case *ast.UnaryExpr:
				if _, whole := n.X.(*ast.Ident); n.Op == token.AND && whole && rootOf(n.X, f.ast, state) != "" &&
					!constant(n.X, state) {
					say(n, "takes the address of %s, a variable of the package", rootOf(n.X, f.ast, state))
				}
			}
			return true
		})
	}
	return faults
}

// packageState returns the variables of a package, and whether each is a table, whose values all stand in its
// declaration.
func packageState(files []source) map[string]bool {
	state := map[string]bool{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for _, name := range v.Names {
					state[name.Name] = len(v.Values) > 0
				}
			}
		}
	}
	delete(state, "_")
	return state
}

// constant reports whether an expression is a table, so that its address may be taken to read it.
func constant(e ast.Expr, state map[string]bool) bool {
	id, ok := e.(*ast.Ident)
	return ok && state[id.Name]
}

// rootOf is the variable of the package that an expression is part of, "" for none.
func rootOf(e ast.Expr, file *ast.File, state map[string]bool) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			_, ours := state[x.Name]
			// declared in another file of the package, or in this one
			if ours && (x.Obj == nil || x.Obj == file.Scope.Lookup(x.Name)) {
				return x.Name
			}
			return ""
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return ""
		}
	}
}

func unquote(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// TestOneTableOfTimes: all constants of time of a package stand in one file, so that they can be compared.
func TestOneTableOfTimes(t *testing.T) {
	for dir, files := range packages(t) {
		in := map[string]bool{}
		for _, f := range files {
			ast.Inspect(f.ast, func(n ast.Node) bool {
				b, ok := n.(*ast.BinaryExpr)
				if ok && b.Op == token.MUL && isUnit(b.Y) && isNumber(b.X) {
					in[path.Base(f.name)] = true
				}
				return true
			})
		}
		if len(in) > 1 {
			t.Errorf("%s has constants of time in %v: put them into one file", dir, slices.Sorted(maps.Keys(in)))
		}
	}
}

func isUnit(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "time" && slices.Contains([]string{"Microsecond", "Millisecond", "Second", "Minute", "Hour"},
		s.Sel.Name)
}

func isNumber(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind != token.STRING
}

// stripped is where a time is stripped of its monotonic part, and why that is right. Two such times must not be
// compared. A Raspberry Pi has no clock of its own, and its wall clock jumps by years when a time server is found.
var stripped = map[string]string{
	"cmd/boardd/analysis":       "a file is dated behind all others",
	"cmd/boardd/club":           "a name for a command",
	"cmd/boardd/link":           "the number of a signed command is read as a time",
	"cmd/boardd/pairing":        "the number of a signed command",
	"rules/game":                "the id of a game, which is greater than all known ones whatever the time is",
	"rules/search/report":       "the seed of openings",
	"rules/table":               "to find that the clock was set",
	"rules/table/solo":          "any time will do",
	"rules/table/trial":         "likewise",
	"sensing/reconcile/report":  "likewise",
	"sensing/reconcile/rerun":   "likewise",
	"sensing/sweep":             "to find that time is virtual",
	"sync/club":                 "a message for programs outside",
	"sync/livechess":            "likewise",
	"sync/mirror":               "a name for a client",
	"sync/trust":                "the number from which signed commands count",
	"sync/web":                  "the browser's clock, and to find that the own one was set",
	"systemd/release":           "the date of a package",
	"systemd/steady/steadytest": "to set the clock in tests",
}

// TestWallTime: no other package strips times.
func TestWallTime(t *testing.T) {
	strips := []string{"Round", "Unix", "UnixMilli", "UnixMicro", "UnixNano"}
	found := map[string]bool{}
	for dir, files := range packages(t) {
		for _, f := range files {
			ast.Inspect(f.ast, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				s, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains(strips, s.Sel.Name) {
					return true
				}
				if x, ok := s.X.(*ast.Ident); ok && (x.Name == "math" || x.Name == "net") {
					return true
				}
				l, literal := append(call.Args, ast.Expr(nil))[0].(*ast.BasicLit)
				if s.Sel.Name == "Round" && !(literal && l.Value == "0") {
					return true // of a duration
				}
				if found[dir] = true; stripped[dir] == "" {
					t.Errorf("%s: %s strips a time of its monotonic part: say in stripped why it may", f.name, s.Sel.Name)
				}
				return true
			})
		}
	}
	for dir := range stripped {
		if !found[dir] {
			t.Errorf("stripped has %s, which strips no time", dir)
		}
	}
}
