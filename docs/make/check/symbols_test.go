// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// TestSymbolsOfComments: what a comment names in brackets, as in [goFiles], exists in its package.
func TestSymbolsOfComments(t *testing.T) {
	folders, count := map[string][]*ast.File{}, 0
	set := token.NewFileSet()
	for _, name := range goFiles(t) {
		file, err := parser.ParseFile(set, name, read(t, name), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		folders[path.Dir(name)] = append(folders[path.Dir(name)], file)
	}
	for _, files := range folders {
		there := symbols(files)
		look := comment.Parser{
			LookupPackage: func(string) (string, bool) { return "", false },
			LookupSym:     func(_, _ string) bool { return true },
		}
		for _, file := range files {
			for _, group := range file.Comments {
				for _, link := range linksOf(look.Parse(group.Text())) {
					count++
					name := link.Name
					if link.Recv != "" {
						name = link.Recv + "." + name
					}
					if link.ImportPath == "" && strings.ToUpper(name) != name && !there[name] {
						t.Errorf("%s names [%s], which does not exist", set.Position(group.Pos()), name)
					}
				}
			}
		}
	}
	if count < 50 {
		t.Errorf("%d names: the search finds too few", count)
	}
}

// symbols returns the names of a package: its declarations, and the methods and fields of its types, as Type.Name.
func symbols(files []*ast.File) map[string]bool {
	there := map[string]bool{}
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				there[receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, name := range s.Names {
							there[name.Name] = true
						}
					case *ast.TypeSpec:
						there[s.Name.Name] = true
						ast.Inspect(s.Type, func(n ast.Node) bool {
							if f, ok := n.(*ast.Field); ok {
								for _, name := range f.Names {
									there[s.Name.Name+"."+name.Name] = true
								}
							}
							return true
						})
					}
				}
			}
		}
	}
	return there
}

// receiver is "Type." of a method, "" of a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	kind := d.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

// linksOf returns the names in brackets of a comment.
func linksOf(d *comment.Doc) (found []*comment.DocLink) {
	take := func(texts []comment.Text) {
		for _, text := range texts {
			if link, ok := text.(*comment.DocLink); ok {
				found = append(found, link)
			}
		}
	}
	var blocks func(list []comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				take(b.Text)
			case *comment.Heading:
				take(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(d.Content)
	return found
}
