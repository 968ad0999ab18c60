// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestPublicNamesAreDocumented: each public type, function and method of a package has a comment that begins with its
// name. So a renamed one does not keep the comment of its former name.
func TestPublicNamesAreDocumented(t *testing.T) {
	set, count := token.NewFileSet(), 0
	for _, name := range goFiles(t) {
		file, err := parser.ParseFile(set, name, read(t, name), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || file.Name.Name == "main" || ast.IsGenerated(file) {
			continue
		}
		for _, d := range file.Decls {
			for id, doc := range public(d) {
				if count++; !beginsWith(doc.Text(), id.Name) {
					t.Errorf("%s: the comment of %s does not begin with its name", set.Position(id.Pos()), id.Name)
				}
			}
		}
	}
	if count < 1000 {
		t.Errorf("%d names: the search finds too few", count)
	}
}

// beginsWith reports whether the first word of a comment is a name.
func beginsWith(comment, name string) bool {
	rest, ok := strings.CutPrefix(comment, name)
	return ok && rest != "" && strings.ContainsRune(" ,.:\n", rune(rest[0]))
}

// public returns the public names of a declaration, with their comments. Methods of types that are not public have
// none.
func public(d ast.Decl) map[*ast.Ident]*ast.CommentGroup {
	names := map[*ast.Ident]*ast.CommentGroup{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			names[d.Name] = d.Doc
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			t, ok := s.(*ast.TypeSpec)
			switch {
			case !ok || !t.Name.IsExported():
			case t.Doc != nil || len(d.Specs) > 1:
				names[t.Name] = t.Doc
			default:
				names[t.Name] = d.Doc
			}
		}
	}
	return names
}

// TestPublic: what the test above looks at, and what it takes for a comment of a name.
func TestPublic(t *testing.T) {
	const source = "package p\n\n// A Thing.\ntype Thing int\n\nfunc New() {}\n\n" +
		"// Do does.\nfunc (t *Thing) Do() {}\n\n" +
		"type inner int\n\nfunc (inner) Do() {}\n\n// Renamed does not.\nfunc Called() {}\n\n// It reports.\nfunc It() {}\n"
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, d := range file.Decls {
		for id, doc := range public(d) {
			got[id.Name] = beginsWith(doc.Text(), id.Name)
		}
	}
	want := map[string]bool{"Thing": false, "New": false, "Do": true, "Called": false, "It": true}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for name, ok := range want {
		if got[name] != ok {
			t.Errorf("%s: got %v, want %v", name, got[name], ok)
		}
	}
}
