// SPDX-License-Identifier: Apache-2.0

package tongue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// verb finds the places of arguments in a code.
var verb = regexp.MustCompile(`%[a-z+#.0-9]*[a-z]`)

// codes is every code of package say in the program, with the place where it stands. A code is the text, or the
// constant of the same package, that is given to a function that makes sentences.
func codes(t *testing.T) map[string]string {
	t.Helper()
	const root = "../../"
	// by function: the number of the argument that is the text
	makers := map[string]int{"That": 0, "Error": 0, "trouble": 0, "conflict": 0, "fault": 2, "blamed": 1,
		"impossible": 0}
	found := map[string]string{}
	for _, folder := range []string{"rules/game", "rules/table", "sensing/reconcile", "sync/trust", "sync/web",
		"sync/wire", "cmd/boardd", "cmd/boardd/screen", "cmd/boardd/setup", "config", "config/edit",
		"hardware/virtual", "cmd/boardd/page", "cmd/boardd/senses", "cmd/boardd/games", "cmd/boardd/analysis",
		"cmd/boardd/calibrate", "sensing/calibration"} {
		constants := map[string]string{}
		var forms []ast.Expr
		err := filepath.WalkDir(root+folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && name != filepath.Clean(root+folder) {
				if err == nil {
					return fs.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					for i, v := range n.Values {
						if text, ok := literal(v); ok {
							constants[n.Names[i].Name] = text
						}
					}
				case *ast.CallExpr:
					maker, _ := n.Fun.(*ast.Ident)
					if s, ok := n.Fun.(*ast.SelectorExpr); ok {
						if x, ok := s.X.(*ast.Ident); ok && (x.Name == "say") == (s.Sel.Name == "That" || s.Sel.Name == "Error") {
							maker = s.Sel
						}
					}
					if maker == nil {
						break
					}
					if at, ok := makers[maker.Name]; ok && len(n.Args) > at {
						forms = append(forms, n.Args[at])
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms {
			text, ok := literal(f)
			if id, is := f.(*ast.Ident); !ok && is {
				text, ok = constants[id.Name]
			}
			if ok {
				found[text] = folder
			}
		}
	}
	return found
}

// literal is the text of a string, even of one in several parts.
func literal(e ast.Expr) (string, bool) {
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		a, first := literal(sum.X)
		b, second := literal(sum.Y)
		return a + b, first && second
	}
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// TestEverySentence: each sentence that the daemon says to people is in the catalogue of every language except
// English, under its code. A translation has only places that an argument fills, and no catalogue has other sentences.
func TestEverySentence(t *testing.T) {
	all := codes(t)
	if len(all) < 100 {
		t.Errorf("%d sentences were found: the search finds too few", len(all))
	}
	for _, l := range Languages()[1:] {
		said := map[bool]map[string]any{false: part(t, Said, l), true: part(t, Calibration, l)}
		for code, folder := range all {
			got, _ := said[folder == "sensing/calibration"][code].(string)
			if strings.TrimSpace(got) == "" {
				t.Errorf("%s: %s says %q, which has no words", l, folder, code)
			}
			arguments := len(verb.FindAllString(code, -1))
			for _, p := range place.FindAllString(got, -1) {
				if n, err := strconv.Atoi(strings.Trim(p, "{}")); err != nil || n >= arguments {
					t.Errorf("%s: %q has %d arguments, its words ask for %s: %q", l, code, arguments, p, got)
				}
			}
		}
		for calibrates, mine := range said {
			for code := range mine {
				if folder := all[code]; folder == "" || (folder == "sensing/calibration") != calibrates {
					t.Errorf("%s: nobody says %q there", l, code)
				}
			}
		}
	}
}

// TestEverySetting: the catalogue of every language except English says what each setting does, and has nothing else.
// In English the table of settings says it.
func TestEverySetting(t *testing.T) {
	table, err := os.ReadFile("../../config/settings.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\t\{"([a-z0-9_.]+)", "`).FindAllSubmatch(table, -1) {
		names[string(m[1])] = true
	}
	if len(names) < 80 {
		t.Errorf("%d settings were found: the search finds too few", len(names))
	}
	for _, l := range Languages()[1:] {
		mine := part(t, Settings, l)
		for name := range names {
			if text, _ := mine[name].(string); strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s has no words", l, name)
			}
		}
		for name := range mine {
			if !names[name] {
				t.Errorf("%s: there is no setting %s", l, name)
			}
		}
	}
}
