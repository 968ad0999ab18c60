// SPDX-License-Identifier: Apache-2.0

// Package sexp reads and writes the bracketed expressions of KiCad's files.
package sexp

import (
	"crypto/sha1"
	"fmt"
	"strings"
)

// Node is a word, a quoted text or a list, as KiCad's files have them.
type Node struct {
	Word string // as it is written, quotes included
	List []*Node
}

// IsList reports whether the node is a list, even an empty one, rather than a word.
func (n *Node) IsList() bool { return n.Word == "" }

// Parse reads one expression.
func Parse(s string) (*Node, error) {
	stack := []*Node{{}}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '(':
			stack = append(stack, &Node{})
			i++
		case c == ')':
			if len(stack) < 2 {
				return nil, fmt.Errorf("offset %d: a bracket is closed that was never opened", i)
			}
			done := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			top := stack[len(stack)-1]
			top.List = append(top.List, done)
			i++
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
		default:
			n := wordLen(s[i:])
			top := stack[len(stack)-1]
			top.List = append(top.List, &Node{Word: s[i : i+n]})
			i += n
		}
	}
	if len(stack) != 1 || len(stack[0].List) != 1 {
		return nil, fmt.Errorf("want one whole expression, got %d with %d open brackets", len(stack[0].List), len(stack)-1)
	}
	return stack[0].List[0], nil
}

// wordLen is how long the word or quoted text is that begins here, at least 1.
func wordLen(s string) int {
	if s[0] != '"' {
		if n := strings.IndexAny(s[1:], " \n\t\r()\""); n >= 0 {
			return n + 1
		}
		return len(s)
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// Text is a word without its quotes.
func (n *Node) Text() string {
	if len(n.Word) >= 2 && n.Word[0] == '"' {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n").Replace(n.Word[1 : len(n.Word)-1])
	}
	return n.Word
}

// Head is the first word of a list.
func (n *Node) Head() string {
	if len(n.List) == 0 {
		return ""
	}
	return n.List[0].Word
}

// All returns the lists in this one that begin with a word.
func (n *Node) All(head string) []*Node {
	var found []*Node
	for _, c := range n.List {
		if c.IsList() && c.Head() == head {
			found = append(found, c)
		}
	}
	return found
}

// Get returns the first of them, or an empty list.
func (n *Node) Get(head string) *Node {
	if a := n.All(head); len(a) > 0 {
		return a[0]
	}
	return &Node{}
}

// Arg is the text of the i-th thing after the head, "" when there is none.
func (n *Node) Arg(i int) string {
	if i+1 >= len(n.List) {
		return ""
	}
	return n.List[i+1].Text()
}

// Write appends the expression, with a line for each list that contains lists.
func (n *Node) Write(b *strings.Builder, depth int) {
	if !n.IsList() {
		b.WriteString(n.Word)
		return
	}
	b.WriteByte('(')
	deep := false
	for i, c := range n.List {
		switch {
		case c.IsList() && len(c.List) > 0:
			b.WriteByte('\n')
			b.WriteString(strings.Repeat("\t", depth+1))
			deep = true
		case i > 0:
			b.WriteByte(' ')
		}
		c.Write(b, depth+1)
	}
	if deep {
		b.WriteByte('\n')
		b.WriteString(strings.Repeat("\t", depth))
	}
	b.WriteByte(')')
}

// Quote writes a text as KiCad does.
func Quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// New builds an expression. A string becomes a word, a Quoted is put in quotes, a number is written short, and a node
// is inserted.
func New(parts ...any) *Node {
	n := &Node{}
	for _, p := range parts {
		switch v := p.(type) {
		case *Node:
			n.List = append(n.List, v)
		case []*Node:
			n.List = append(n.List, v...)
		case Quoted:
			n.List = append(n.List, &Node{Word: Quote(string(v))})
		case float64:
			n.List = append(n.List, &Node{Word: Number(v)})
		default:
			n.List = append(n.List, &Node{Word: fmt.Sprint(v)})
		}
	}
	return n
}

// Quoted is text that stands in quotes.
type Quoted string

// Number writes millimetres to four places without the zeros at the end.
func Number(f float64) string {
	s := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", f), "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}

// Clone is a deep copy.
func (n *Node) Clone() *Node {
	c := &Node{Word: n.Word}
	for _, x := range n.List {
		c.List = append(c.List, x.Clone())
	}
	return c
}

// ID is a UUID computed from the parts, so that it is the same in every run and committed files do not change without
// need.
func ID(parts ...any) string {
	h := sha1.Sum([]byte("boardd schematics " + fmt.Sprintf("%q", parts)))
	h[6], h[8] = h[6]&0x0f|0x50, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
