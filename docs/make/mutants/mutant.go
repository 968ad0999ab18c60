// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// mutant is a file with one thing changed.
type mutant struct {
	name string // file, line and what was changed
	file string
	text []byte
}

// factors are what constants are multiplied by. What is no longer within its range must be found; these are wider than
// most.
var factors = []string{"*2", "/2"}

// ofConstants makes two mutants of each constant of a file that has a value of its own: twice and half of it.
func ofConstants(file string, text []byte) (list []mutant, err error) {
	err = inspect(file, text, func(f *token.FileSet, n ast.Node) {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return
		}
		for _, s := range d.Specs {
			v := s.(*ast.ValueSpec)
			for i, value := range v.Values {
				for _, by := range factors {
					list = append(list, replace(file, text, f, value, "("+part(text, f, value)+")"+by, v.Names[i].Name+" "+by))
				}
			}
		}
	})
	return list, err
}

// ofBranches makes a mutant of each condition of a file. Conditions are those of if, the cases of a switch without a
// value, and each operand of && and ||.
func ofBranches(file string, text []byte) (list []mutant, err error) {
	turn := func(f *token.FileSet, cond ast.Expr) {
		was := part(text, f, cond)
		list = append(list, replace(file, text, f, cond, "!("+was+")", "not "+was))
	}
	err = inspect(file, text, func(f *token.FileSet, n ast.Node) {
		switch n := n.(type) {
		case *ast.IfStmt:
			turn(f, n.Cond)
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				turn(f, n.X)
				turn(f, n.Y)
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, cond := range c.(*ast.CaseClause).List {
					if n.Tag == nil {
						turn(f, cond)
					}
				}
			}
		}
	})
	slices.SortStableFunc(list, func(a, b mutant) int { return slices.Compare([]byte(a.name), []byte(b.name)) })
	return slices.CompactFunc(list, func(a, b mutant) bool { return a.name == b.name }), err
}

func inspect(file string, text []byte, see func(*token.FileSet, ast.Node)) error {
	f := token.NewFileSet()
	tree, err := parser.ParseFile(f, file, text, 0)
	if err != nil {
		return err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		see(f, n)
		return true
	})
	return nil
}

// part is the text of an expression.
func part(text []byte, f *token.FileSet, e ast.Expr) string {
	return string(text[f.Position(e.Pos()).Offset:f.Position(e.End()).Offset])
}

// replace is the file with another text in place of an expression.
func replace(file string, text []byte, f *token.FileSet, e ast.Expr, by, name string) mutant {
	at := f.Position(e.Pos())
	changed := slices.Concat(text[:at.Offset], []byte(by), text[f.Position(e.End()).Offset:])
	return mutant{name: fmt.Sprintf("%s:%04d:%03d %s", file, at.Line, at.Column, name), file: file, text: changed}
}
