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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// verb finds the places of arguments in a code.
var verb = regexp.MustCompile(`%[a-z+#.0-9]*[a-z]`)

// speakers holds the folders and files whose sentences people read, by the part of the catalogue that has them. What
// every page may have to say is in one of two parts.
var speakers = map[string][]string{
	Said: {"rules", "rules/game", "rules/table", "sensing", "sensing/bus", "sensing/heights", "sensing/hub",
		"sensing/mcp23017", "sensing/pca9548", "sensing/reconcile", "sensing/reeds", "sensing/tca9535", "sensing/vl6180x",
		"sync/seal", "sync/trust", "sync/web", "sync/wire",
		"cmd/boardd", "cmd/boardd/screen", "cmd/boardd/setup", "config", "config/edit", "hardware/virtual",
		"cmd/boardd/page", "cmd/boardd/seat", "cmd/boardd/senses", "cmd/boardd/games", "cmd/boardd/analysis",
		"cmd/boardd/pairing", "cmd/boardd/calibrate/page.go",
		"sync/mirror", "sync/uci", "systemd/network", "hardware/rig"},
	Calibration: {"sensing/calibration", "sensing/scale", "cmd/boardd/calibrate/abilities.go",
		"cmd/boardd/calibrate/calibrate.go"},
}

// codes is every code of package say that these folders have, with the place where it stands. A code is the text, or
// the constant of the same package, that is given to a function that makes sentences.
func codes(t *testing.T, folders []string) map[string]string {
	t.Helper()
	const root = "../../"
	// by function: the number of the argument that is the text
	makers := map[string]int{"That": 0, "Error": 0, "Word": 0, "trouble": 0, "conflict": 0, "fault": 2, "blamed": 1,
		"impossible": 0, "flaw": 0}
	// by function: the number of the argument that is the name of a part
	parts := map[string]int{"called": 0, "part": 1, "Run": 1, "Go": 1, "AppendBroken": 1}
	found := map[string]string{}
	for _, folder := range folders {
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
						its := slices.Contains([]string{"That", "Error", "Word"}, s.Sel.Name)
						if x, ok := s.X.(*ast.Ident); (ok && x.Name == "say") == its {
							maker = s.Sel
						}
					}
					if maker == nil {
						break
					}
					if at, ok := makers[maker.Name]; ok && len(n.Args) > at {
						forms = append(forms, n.Args[at])
					}
					if at, ok := parts[maker.Name]; ok && len(n.Args) > at {
						if name, ok := literal(n.Args[at]); ok {
							found["part: "+name] = folder
						}
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

// system is what computers and networks say most often at the end of a text. The page looks for it there.
func system() []string {
	all := []string{"i/o timeout", "no such host", "EOF", "not Authorized", "bad user name or password"}
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EROFS, syscall.EIO, syscall.EREMOTEIO, syscall.ENXIO,
		syscall.ENODEV, syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.EBUSY, syscall.ECONNREFUSED,
		syscall.ECONNRESET, syscall.ETIMEDOUT, syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.EPIPE} {
		all = append(all, e.Error())
	}
	return all
}

// TestEverySentence: each sentence that the daemon says to people is in the catalogue of every language except
// English, under its code. A translation has only places that an argument fills, and no catalogue has other sentences.
func TestEverySentence(t *testing.T) {
	for of, folders := range speakers {
		all := codes(t, folders)
		if of == Said {
			for _, text := range system() {
				all[text] = "the system"
			}
		}
		if len(all) < 80 {
			t.Errorf("%s: %d sentences were found: the search finds too few", of, len(all))
		}
		for _, l := range Languages()[1:] {
			mine := part(t, of, l)
			if of == Said {
				for code, words := range part(t, Faults, l) {
					if mine[code] != nil {
						t.Errorf("%s: %q is in two parts", l, code)
					}
					mine[code] = words
				}
			}
			for code, folder := range all {
				got, _ := mine[code].(string)
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
			for code := range mine {
				if all[code] == "" {
					t.Errorf("%s: nobody says %q there", l, code)
				}
			}
		}
	}
}

// silent holds the functions whose errors never reach the page, although their packages speak to people. What they
// read comes from files, from other boards or from the program itself. What they refuse is for the log or the
// terminal.
var silent = map[string]string{
	"sync/web/access.go": "ParseRight ReadTokens", // the token file, when the daemon starts
	"sync/wire/topic.go": "ParseTopic",            // MQTT
	// their own addresses, which the configuration has checked
	"sensing/tca9535/tca9535.go":   "New",
	"sensing/mcp23017/mcp23017.go": "New",
}

// TestEveryRefusal: what these files refuse to people is said by its code, for the page in other languages. An error
// may still wrap another one in words that only English has.
func TestEveryRefusal(t *testing.T) {
	for _, name := range []string{"sync/web", "sync/wire", "sensing/scale", "rules/fen.go", "rules/setup.go",
		"rules/square.go", "rules/piece.go", "rules/game/setup.go", "rules/game/timing.go", "rules/game/side.go",
		"rules/table/command.go", "rules/table/teach.go", "sync/seal/words.go", "cmd/boardd/pairing/page.go",
		"cmd/boardd/setup/first.go", "cmd/boardd/setup/compose.go", "cmd/boardd/senses/workshop.go",
		"cmd/boardd/page/hands.go", "hardware/virtual/wood.go", "sensing/tca9535/tca9535.go",
		"sensing/mcp23017/mcp23017.go", "sensing/bus/clocks.go", "sensing/hub/port.go", "hardware/rig/calibrated.go"} {
		files := []string{name}
		if !strings.HasSuffix(name, ".go") {
			var err error
			if files, err = filepath.Glob("../../" + name + "/*.go"); err != nil || len(files) < 3 {
				t.Fatalf("%s: %d files, %v", name, len(files), err)
			}
		}
		for _, file := range files {
			file = strings.TrimPrefix(file, "../../")
			if !strings.HasSuffix(file, "_test.go") {
				refusals(t, file, strings.Fields(silent[file]))
			}
		}
	}
}

// refusals reports errors that are made without a code, except in some functions.
func refusals(t *testing.T, file string, silent []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "../../"+file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		do, ok := d.(*ast.FuncDecl)
		if ok && slices.Contains(silent, do.Name.Name) {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			x, _ := s.X.(*ast.Ident)
			text, _ := literal(call.Args[0])
			if x != nil && (x.Name == "errors" && s.Sel.Name == "New" ||
				x.Name == "fmt" && s.Sel.Name == "Errorf" && !strings.Contains(text, "%w")) {
				t.Errorf("%v: people read %q, and no other language has it: say it by package say",
					fset.Position(n.Pos()), text)
			}
			return true
		})
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
