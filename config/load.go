package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	Line, Column int // from 1; 0 when the fault is something that is missing
	Setting      string
	What         string
}

// Faults is everything that is wrong with a file.
type Faults struct {
	File   string
	List   []Fault
	source []string
}

// Error lists the faults, each with its line.
func (f *Faults) Error() string {
	var b strings.Builder
	for i, x := range f.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.File)
		if x.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", x.Line, x.Column)
		}
		b.WriteString(": ")
		if x.Setting != "" {
			fmt.Fprintf(&b, "%s: ", x.Setting)
		}
		b.WriteString(x.What)
		if x.Line > 0 && x.Line <= len(f.source) {
			fmt.Fprintf(&b, "\n  %4d | %s\n       | %s^", x.Line, f.source[x.Line-1], strings.Repeat(" ", max(0, x.Column-1)))
		}
	}
	return b.String()
}

// Load reads and checks a file. The error of a file with faults is a *Faults.
func Load(path string) (Config, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return Parse(path, src)
}

// Parse is Load for a text that is already there; file is its name in errors.
func Parse(file string, src []byte) (Config, error) {
	r := reader{c: Default(), table: settings(), at: map[string]*token.Position{}, faults: Faults{File: file, source: strings.Split(string(src), "\n")}}
	tree, err := parser.ParseBytes(src, 0)
	if err != nil {
		return r.c, fmt.Errorf("%s: this is not YAML:\n%w", file, err)
	}
	for _, doc := range tree.Docs {
		if doc.Body != nil {
			r.mapping("", doc.Body)
		}
	}
	r.credentials()
	r.check()
	if len(r.faults.List) > 0 {
		return r.c, &r.faults
	}
	return r.c, nil
}

type reader struct {
	c      Config
	table  []setting
	at     map[string]*token.Position // where a setting was given
	faults Faults
}

func (r *reader) fault(p *token.Position, name, format string, args ...any) {
	f := Fault{Setting: name, What: fmt.Sprintf(format, args...)}
	if p != nil {
		f.Line, f.Column = p.Line, p.Column
	}
	r.faults.List = append(r.faults.List, f)
}

// mapping reads one level of names.
func (r *reader) mapping(prefix string, n ast.Node) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode:
		return
	default:
		r.fault(n.GetToken().Position, prefix, "settings are written name: value")
		return
	}
	for _, v := range values {
		r.value(prefix, v)
	}
}

func (r *reader) value(prefix string, v *ast.MappingValueNode) {
	name := v.Key.GetToken().Value
	if prefix != "" {
		name = prefix + "." + name
	}
	at := v.Key.GetToken().Position
	for i := range r.table {
		s := &r.table[i]
		if s.name == name {
			r.at[name] = at
			r.set(s, v.Value)
			return
		}
	}
	for i := range r.table {
		if strings.HasPrefix(r.table[i].name, name+".") {
			r.mapping(name, v.Value)
			return
		}
	}
	r.fault(at, name, "there is no such setting; the nearest is %s", r.nearest(name))
}

// credential marks a file that systemd hands to the service alone (LoadCredential=).
const credential = "credential:"

// credentials finds the files that are named as credentials. They exist only for the service itself.
func (r *reader) credentials() {
	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	for i := range r.table {
		s := &r.table[i]
		path, ok := s.field(&r.c).(*string)
		if !ok || !strings.HasSuffix(s.name, "_file") {
			continue
		}
		name, ok := strings.CutPrefix(*path, credential)
		switch {
		case !ok:
		case dir == "":
			r.fault(r.at[s.name], s.name, "%s%s is handed over by systemd, and only to the service: there is none here. In the unit: LoadCredential=%s:/path/of/the/file", credential, name, name)
			*path = ""
		case name == "" || strings.ContainsAny(name, "/\\"):
			r.fault(r.at[s.name], s.name, "%q is no name of a credential", name)
			*path = ""
		default:
			*path = filepath.Join(dir, name)
		}
	}
}

// check runs the checks of all settings, also of those left at their defaults.
func (r *reader) check() {
	for i := range r.table {
		s := &r.table[i]
		if s.check == nil {
			continue
		}
		if err := s.check(&r.c); err != nil {
			r.fault(r.at[s.name], s.name, "%v", err)
		}
	}
}

// nearest finds the setting whose name needs the fewest changes.
func (r *reader) nearest(name string) string {
	best, dist := "", 1<<30
	for i := range r.table {
		if d := distance(r.table[i].name, name); d < dist {
			best, dist = r.table[i].name, d
		}
	}
	return best
}

// distance is Levenshtein's: how many letters to change, add or drop.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
