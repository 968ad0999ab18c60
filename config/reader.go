// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"boardd/rules/say"
)

// reader goes through the tree of a file and collects its faults.
type reader struct {
	c      Config
	table  []setting
	at     map[string]*token.Position // where a setting, or an entry of one, was given
	wrong  map[string]bool            // settings whose value could not be read, and is not checked further
	needed bool                       // files that systemd hands over must be here
	faults Faults
}

func newReader(file string, src []byte) *reader {
	return &reader{c: Default(), table: settings(), at: map[string]*token.Position{}, wrong: map[string]bool{},
		faults: Faults{File: file, source: strings.Split(string(src), "\n")}}
}

func (r *reader) fault(p *token.Position, name, format string, args ...any) {
	r.refuse(p, name, say.That(format, args...))
}

func (r *reader) refuse(p *token.Position, name string, why say.Said) {
	f := Fault{Setting: name, What: why.English, Said: why.Parts}
	if p != nil {
		f.Line, f.Column = p.Line, p.Column
	}
	r.faults.List = append(r.faults.List, f)
}

// pairs returns the entries of a mapping; ok is false for anything else.
func pairs(n ast.Node) (values []*ast.MappingValueNode, ok bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	case *ast.NullNode:
		return nil, true
	}
	return nil, false
}

// mapping reads one level of names.
func (r *reader) mapping(prefix string, n ast.Node) {
	values, ok := pairs(n)
	if !ok {
		r.fault(n.GetToken().Position, prefix, "%s stands here: settings are written name: value", describe(n))
		return
	}
	seen := map[string]*token.Position{}
	for _, v := range values {
		if r.unusable(seen, prefix, v.Key) {
			continue
		}
		r.value(prefix, v)
	}
}

// unusable reports whether something is no plain name, or is in its mapping already. It adds a fault if so.
func (r *reader) unusable(seen map[string]*token.Position, prefix string, n ast.MapKeyNode) bool {
	key := n.GetToken()
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		r.fault(key.Position, prefix, "%s stands here: settings are written name: value", describe(n))
		return true
	}
	if first := seen[key.Value]; first != nil {
		r.fault(key.Position, strings.TrimPrefix(prefix+"."+key.Value, "."), "stands here a second time, the first is in "+
			"line %d: keep one of them", first.Line)
		return true
	}
	seen[key.Value] = key.Position
	return false
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
			r.at[name] = placeOf(v)
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
	r.fault(at, name, "there is no such setting; %s", r.nearest(name))
}

// placeOf is the place of a value: of a single value itself, and otherwise of its name.
func placeOf(v *ast.MappingValueNode) *token.Position {
	switch v.Value.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return v.Value.GetToken().Position
	}
	return v.Key.GetToken().Position
}

// credentials finds the files that are named as credentials. They exist only for the service. For other programs they
// are faults if they are needed; otherwise their names stay as they are.
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
		case name == "" || strings.ContainsAny(name, "/\\") || name == "..":
			r.fault(r.at[s.name], s.name, "%q is no name of a credential: write credential:NAME, as in "+
				"LoadCredential=NAME:/path/of/the/file", name)
			r.wrong[s.name] = true
		case dir == "" && !r.needed:
		case dir == "":
			r.fault(r.at[s.name], s.name, "%s%s is handed over by systemd, and only to the service: there is none here. In "+
				"the unit: LoadCredential=%s:/path/of/the/file", credential, name, name)
			r.wrong[s.name] = true
		default:
			*path = filepath.Join(dir, name)
		}
	}
}

// check runs the checks of all settings, even of those left at their defaults.
func (r *reader) check() {
	for i := range r.table {
		s := &r.table[i]
		if r.wrong[s.name] {
			continue
		}
		if err := s.allowed(&r.c); err != nil {
			r.refuse(r.at[s.name], s.name, say.Of(err))
			continue
		}
		if s.check != nil {
			r.blame(s.name, s.check(&r.c))
		}
	}
}

// blame makes a fault of every joined error, at the setting where it has to be put right.
func (r *reader) blame(name string, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			r.blame(name, e)
		}
		return
	}
	at := r.at[name]
	var b blame
	if errors.As(err, &b) {
		if r.wrong[b.name] {
			return // it could not be read, which is a fault already
		}
		if p, ok := r.at[b.name]; ok {
			at = p
		}
		name = b.name
		for i := range r.table { // for an entry: its setting
			if strings.HasPrefix(b.name, r.table[i].name+".") {
				name = r.table[i].name
			}
		}
	}
	r.refuse(at, name, say.Of(err))
	var part beside
	r.faults.List[len(r.faults.List)-1].Beside = errors.As(err, &part)
}
