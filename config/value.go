package config

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// set reads one value into its field.
func (r *reader) set(s *setting, n ast.Node) {
	at := n.GetToken().Position
	text := n.GetToken().Value
	switch field := s.field(&r.c).(type) {
	case *string:
		switch n.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.LiteralNode:
			*field = text
		case *ast.NullNode:
			*field = ""
		default:
			r.fault(at, s.name, "%q is no text", text)
		}
	case *int:
		v, err := strconv.Atoi(text)
		if _, ok := n.(*ast.IntegerNode); !ok || err != nil {
			r.fault(at, s.name, "%q is no whole number", text)
			return
		}
		*field = v
	case *float64:
		r.number(s.name, n, field)
	case *bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			r.fault(at, s.name, "%q is neither true nor false", text)
			return
		}
		*field = b.Value
	case *map[string]float64:
		r.numbers(s, n, *field)
	}
}

func (r *reader) number(name string, n ast.Node, field *float64) {
	text := n.GetToken().Value
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			*field = v
			return
		}
	}
	r.fault(n.GetToken().Position, name, "%q is no number", text)
}

// numbers reads a mapping of letters to numbers over the defaults.
func (r *reader) numbers(s *setting, n ast.Node, m map[string]float64) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		r.fault(n.GetToken().Position, s.name, "write one line a piece, for example p: 20")
		return
	}
	for _, v := range values {
		var x float64
		before := len(r.faults.List)
		if r.number(s.name, v.Value, &x); len(r.faults.List) == before {
			m[v.Key.GetToken().Value] = x
		}
	}
}
