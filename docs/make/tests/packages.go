// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// pkg is a package of ours as far as it matters how it is tested.
type pkg struct {
	ImportPath                         string
	Dir                                string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	goes, testsStart, bubbles, tested  bool
}

func names(all map[string]*pkg) []string { return slices.Sorted(maps.Keys(all)) }

func arch() string {
	if a := os.Getenv("GOARCH"); a != "" {
		return a
	}
	return runtime.GOARCH
}

// list finds the packages of some patterns that have tests, and those and all of ours that they need.
func list(patterns []string) (tested, all map[string]*pkg, err error) {
	if all, err = load(append([]string{"-deps", "-test"}, patterns...)); err != nil {
		return nil, nil, err
	}
	for _, p := range all {
		if err := p.look(); err != nil {
			return nil, nil, err
		}
	}
	wanted, err := load(patterns)
	if err != nil {
		return nil, nil, err
	}
	tested = map[string]*pkg{}
	for name := range wanted {
		if p := all[name]; p != nil && p.tested {
			tested[name] = p
		}
	}
	if len(tested) == 0 {
		return nil, nil, fmt.Errorf("no package of %v has tests", patterns)
	}
	return tested, all, nil
}

func load(args []string) (map[string]*pkg, error) {
	c := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports"},
		args...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	all := map[string]*pkg{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pkg{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if ours(p.ImportPath) && !strings.ContainsAny(p.ImportPath, " .") {
			all[p.ImportPath] = p
		}
	}
}

func ours(path string) bool { return path == "boardd" || strings.HasPrefix(path, "boardd/") }

// look reads whether a package starts goroutines, and how its tests are written.
func (p *pkg) look() error {
	for _, f := range p.GoFiles {
		t, err := read(filepath.Join(p.Dir, f))
		if err != nil {
			return err
		}
		p.goes = p.goes || t.shares || t.starts
	}
	for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		t, err := read(filepath.Join(p.Dir, f))
		if err != nil {
			return err
		}
		p.tested, p.testsStart, p.bubbles = true, p.testsStart || t.starts, p.bubbles || t.bubbles
	}
	return nil
}

// traits are what a file says of how it is to be tested.
type traits struct {
	shares, starts bool // it has what goroutines share; it starts some
	bubbles        bool // it runs them in virtual time
}

// read finds the traits of a file.
func read(name string) (t traits, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return t, err
	}
	for _, spec := range file.Imports {
		switch spec.Path.Value {
		case `"sync"`, `"sync/atomic"`:
			t.shares = true
		case `"testing/synctest"`:
			t.bubbles = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.starts = true
		case *ast.SelectorExpr: // of a sync.WaitGroup
			t.starts = t.starts || n.Sel.Name == "Go"
		}
		return true
	})
	return t, nil
}

// starts reports whether a package, or one of ours that it needs, starts goroutines. What only its tests need has
// tests of its own.
func (p *pkg) starts(all map[string]*pkg, seen map[string]bool) bool {
	if seen[p.ImportPath] {
		return false
	}
	seen[p.ImportPath] = true
	if p.goes {
		return true
	}
	return slices.ContainsFunc(p.Imports, func(path string) bool {
		q := all[path]
		return q != nil && q.starts(all, seen)
	})
}
