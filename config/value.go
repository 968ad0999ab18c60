// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"boardd/rules/say"
)

// set reads one value into its field.
func (r *reader) set(s *setting, n ast.Node) {
	ok := false
	switch field := s.field(&r.c).(type) {
	case *string:
		ok = r.text(s.name, n, field)
	case *int:
		ok = r.whole(s.name, n, field)
	case *float64:
		ok = r.number(s.name, n, field)
	case *bool:
		ok = r.choice(s.name, n, field)
	case *[]string:
		ok = r.texts(s, n, field)
	case *map[string]float64:
		ok = r.numbers(s, n, *field)
	case *map[string]string:
		ok = r.named(s, n, *field)
	}
	if !ok {
		r.wrong[s.name] = true
	}
}

// describe says in words what is at a place where something else was expected.
func describe(n ast.Node) string {
	switch n := n.(type) {
	case *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a section"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return "a YAML anchor, alias or tag"
	default:
		return fmt.Sprintf("%q", n.GetToken().Value)
	}
}

// place is the place of a value, or that of its name if there is no value.
func (r *reader) place(name string, n ast.Node) *token.Position {
	if p := r.at[name]; p != nil && n.Type() == ast.NullType {
		return p
	}
	return n.GetToken().Position
}

func (r *reader) text(name string, n ast.Node, field *string) bool {
	switch n := n.(type) {
	case *ast.StringNode:
		*field = n.Value
		return true
	case *ast.LiteralNode:
		*field = n.Value.Value
		return true
	case *ast.NullNode:
		*field = ""
		return true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		word := n.GetToken().Value
		if err := CheckAddress(word); strings.HasSuffix(name, ".listen") && err != nil {
			r.refuse(r.place(name, n), name, say.Of(err))
			return false
		}
		r.fault(r.place(name, n), name, "%s is no text: if it is meant as one, write \"%s\"", word, word)
	default:
		r.fault(r.place(name, n), name, "%s is no text: write it behind the name, in one line", describe(n))
	}
	return false
}

func (r *reader) whole(name string, n ast.Node, field *int) bool {
	if i, ok := n.(*ast.IntegerNode); ok {
		switch v := i.Value.(type) {
		case int64:
			*field = int(v)
			return v == int64(*field) || r.tooLarge(name, n)
		case uint64:
			*field = int(min(v, math.MaxInt32))
			return v <= math.MaxInt32 || r.tooLarge(name, n)
		}
	}
	r.fault(r.place(name, n), name, "%s is no whole number%s", describe(n), bounds(name))
	return false
}

func (r *reader) tooLarge(name string, n ast.Node) bool {
	r.fault(r.place(name, n), name, "%s is out of range%s", n.GetToken().Value, bounds(name))
	return false
}

// bounds says in words what a number may be.
func bounds(name string) say.Said {
	l, ok := span(name)
	if !ok {
		return say.Said{}
	}
	return say.That(": use %v to %v", plain(l.lo), plain(l.hi))
}

func (r *reader) number(name string, n ast.Node, field *float64) bool {
	switch n := n.(type) {
	case *ast.IntegerNode:
		switch v := n.Value.(type) {
		case int64:
			*field = float64(v)
			return true
		case uint64:
			*field = float64(v)
			return true
		}
	case *ast.FloatNode:
		*field = n.Value
		return true
	}
	r.fault(r.place(name, n), name, "%s is no number%s", describe(n), bounds(name))
	return false
}

func (r *reader) choice(name string, n ast.Node, field *bool) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		r.fault(r.place(name, n), name, "%s is neither true nor false", describe(n))
		return false
	}
	*field = b.Value
	return true
}

// texts reads a list of texts, empty if there is nothing. Like its siblings it reports whether the value is sound.
func (r *reader) texts(s *setting, n ast.Node, field *[]string) bool {
	*field = nil
	if n.Type() == ast.NullType {
		return true
	}
	list, ok := n.(*ast.SequenceNode)
	if word := n.GetToken().Value; !ok && s.name == "mqtt.commands" && (word == "on" || word == "off") {
		*field = []string{word}
		return true
	}
	if !ok {
		r.fault(r.place(s.name, n), s.name, "%s is no list: write each entry in a line of its own, after \"- \"",
			describe(n))
		return false
	}
	good := true
	for i, v := range list.Values {
		var text string
		r.at[entry(s.name, i)] = v.GetToken().Position
		good = r.text(s.name, v, &text) && good
		*field = append(*field, text)
	}
	return good
}

// numbers reads a mapping of letters to numbers over the defaults. Entries that can be read are checked, so the
// mapping is never wrong as a whole.
func (r *reader) numbers(s *setting, n ast.Node, m map[string]float64) bool {
	values, ok := pairs(n)
	if !ok {
		r.fault(r.place(s.name, n), s.name, "%s stands here: write one line a piece, for example p: 20", describe(n))
		return false
	}
	seen := map[string]*token.Position{}
	for _, v := range values {
		key := v.Key.GetToken()
		if r.unusable(seen, s.name, v.Key) {
			continue
		}
		name := s.name + "." + key.Value
		r.at[name] = placeOf(v)
		var x float64
		if !r.number(name, v.Value, &x) {
			r.wrong[name] = true
			continue
		}
		m[key.Value] = x
	}
	return true
}

// named reads a mapping of names to single values, which are kept as they are written.
func (r *reader) named(s *setting, n ast.Node, m map[string]string) bool {
	values, ok := pairs(n)
	if !ok {
		r.fault(r.place(s.name, n), s.name, "%s stands here: write one line an option, name: value", describe(n))
		return false
	}
	seen := map[string]*token.Position{}
	good := true
	for _, v := range values {
		key := v.Key.GetToken()
		if r.unusable(seen, s.name, v.Key) {
			good = false
			continue
		}
		r.at[s.name+"."+key.Value] = placeOf(v)
		switch v.Value.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			m[key.Value] = v.Value.GetToken().Value
		case *ast.NullNode:
			m[key.Value] = ""
		default:
			r.fault(placeOf(v), s.name+"."+key.Value, "%s is no value of an option: write it behind the name, in one line",
				describe(v.Value))
			good = false
		}
	}
	return good
}

// nearest is the setting or the section that was most likely meant. It is called so in another section, differs by a
// letter in four, or is the only one with the same words. Others would mislead.
func (r *reader) nearest(name string) string {
	section, last, nested := strings.Cut(name, ".")
	if !nested {
		last = name
	}
	best, dist := "", 1<<30
	for i := range r.table {
		full := r.table[i].name
		d := distance(full, name)
		if head, its, ok := strings.Cut(full, "."); ok && !nested { // in no section, or a section itself
			d = min(d, distance(its, name))
			h := distance(head, name)
			if strings.HasPrefix(head, name) || strings.HasPrefix(name, head) {
				h = 0 // name is rather names than game
			}
			if h < min(d, dist) {
				best, dist = head, h
			}
		} else if ok && last == its {
			d = min(d, 2) // in the wrong section: a slip in the right one is nearer
		}
		if d < dist {
			best, dist = full, d
		}
	}
	if _, same, _ := strings.Cut(best, "."); same != last && dist > max(1, len(last)/4) {
		best = r.sharing(section, last, nested)
	}
	if best == "" {
		return "`boardd config` prints them all"
	}
	return fmt.Sprintf("the nearest is %s", best)
}

// sharing is the setting that has all words of a name, or whose words the name all has. So int_gpio is hardware.int.
// It is of the section of the name, if the name has one. It is "" if there is none, or more than one.
func (r *reader) sharing(section, name string, nested bool) (only string) {
	all := func(of, in []string) bool {
		return !slices.ContainsFunc(of, func(word string) bool { return !slices.Contains(in, word) })
	}
	mine := strings.Split(name, "_")
	for i := range r.table {
		full := r.table[i].name
		head, last, ok := strings.Cut(full, ".")
		its := strings.Split(last, "_")
		if !ok || nested && head != section || !all(mine, its) && (!all(its, mine) || !r.alone(its)) {
			continue
		}
		if only != "" {
			return ""
		}
		only = full
	}
	return only
}

// alone reports whether only one setting, of any section, has all these words. Those of dir and white are in many
// names, and say little.
func (r *reader) alone(words []string) bool {
	n := 0
	for i := range r.table {
		its := strings.FieldsFunc(r.table[i].name, func(c rune) bool { return c == '.' || c == '_' })
		if !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(its, word) }) {
			n++
		}
	}
	return n == 1
}

// distance is the Levenshtein distance: how many letters to change, add or drop.
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
