// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostHops is how many steps a reading may take to its light.
const mostHops = 20

// TestWalks: every step in doc.go is a function of the package that it names, and follows from a step before it.
// Either an earlier function calls it, or an earlier one hands on a value to it.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	pkgs := packages(t)
	step := regexp.MustCompile(`^\t *(\d+) ([a-z/]+): (\w+) `)
	var walks [][]string
	for _, line := range strings.Split(string(text), "\n") {
		m := step.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] == "1" {
			walks = append(walks, nil)
		}
		walk := &walks[len(walks)-1]
		*walk = append(*walk, m[2]+": "+m[3])
	}
	if len(walks) != 2 {
		t.Fatalf("%d walks, want that of a reading and that of a move of another board", len(walks))
	}
	for _, walk := range walks {
		if len(walk) > mostHops || len(walk) < 10 {
			t.Errorf("%d hops, want at most %d", len(walk), mostHops)
		}
		for i, s := range walk {
			dir, name, _ := strings.Cut(s, ": ")
			if !declares(pkgs[dir], name) {
				t.Errorf("step %d: there is no function %s in %s", i+1, name, dir)
			}
			if i == 0 {
				continue
			}
			before, from, _ := strings.Cut(walk[i-1], ": ")
			if before == dir && !calls(pkgs[dir], walk[:i], dir, name) {
				t.Errorf("step %d: nothing on the way to it in %s calls %s (last %s)", i+1, dir, name, from)
			}
			if before != dir && !calls(pkgs[before], walk[:i], before, name) && !returns(pkgs[before], from) &&
				!anyone(pkgs, name, walk[:i]) {
				t.Errorf("step %d: neither does %s call %s, nor anything before it", i+1, before, name)
			}
		}
	}
}

// declares reports whether a package has a function or method of a name.
func declares(files []source, name string) bool {
	return slices.ContainsFunc(files, func(f source) bool {
		return slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Name.Name == name
		})
	})
}

// calls reports whether a function of the package that was on the way calls one of a name.
func calls(files []source, way []string, dir, name string) bool {
	for _, s := range way {
		if at, from, _ := strings.Cut(s, ": "); at == dir && callsIn(files, from, name) {
			return true
		}
	}
	return false
}

// anyone reports whether any step of the way calls a function.
func anyone(pkgs map[string][]source, name string, way []string) bool {
	for _, s := range way {
		at, from, _ := strings.Cut(s, ": ")
		if callsIn(pkgs[at], from, name) {
			return true
		}
	}
	return false
}

func callsIn(files []source, from, name string) (found bool) {
	for _, f := range files {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != from {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					switch f := call.Fun.(type) {
					case *ast.Ident:
						found = found || f.Name == name
					case *ast.SelectorExpr:
						found = found || f.Sel.Name == name
					}
				}
				return true
			})
		}
	}
	return found
}

// returns reports whether a function hands on a value by a channel or as its result, so that it does not call the next
// step.
func returns(files []source, name string) (found bool) {
	for _, f := range files {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != name {
				continue
			}
			found = found || fn.Type.Results != nil || path.Base(f.name) == "bank.go"
			ast.Inspect(fn, func(n ast.Node) bool {
				_, sends := n.(*ast.SendStmt)
				found = found || sends
				return true
			})
		}
	}
	return found
}
