package main

import (
	"fmt"
	"strings"
)

// node is a word, a quoted text or a list, as KiCad's files have them.
type node struct {
	word string // as it is written, quotes included
	list []*node
}

// isList tells a list, even an empty one, from a word.
func (n *node) isList() bool { return n.word == "" }

// parse reads one expression.
func parse(s string) (*node, error) {
	stack := []*node{{}}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '(':
			stack = append(stack, &node{})
			i++
		case c == ')':
			if len(stack) < 2 {
				return nil, fmt.Errorf("offset %d: a bracket is closed that was never opened", i)
			}
			done := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			top := stack[len(stack)-1]
			top.list = append(top.list, done)
			i++
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
		default:
			n := wordLen(s[i:])
			top := stack[len(stack)-1]
			top.list = append(top.list, &node{word: s[i : i+n]})
			i += n
		}
	}
	if len(stack) != 1 || len(stack[0].list) != 1 {
		return nil, fmt.Errorf("want one whole expression, got %d with %d open brackets", len(stack[0].list), len(stack)-1)
	}
	return stack[0].list[0], nil
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

// text is a word without its quotes.
func (n *node) text() string {
	if len(n.word) >= 2 && n.word[0] == '"' {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n").Replace(n.word[1 : len(n.word)-1])
	}
	return n.word
}

// head is the first word of a list.
func (n *node) head() string {
	if len(n.list) == 0 {
		return ""
	}
	return n.list[0].word
}

// all are the lists in this one that begin with a word.
func (n *node) all(head string) []*node {
	var found []*node
	for _, c := range n.list {
		if c.isList() && c.head() == head {
			found = append(found, c)
		}
	}
	return found
}

// get is the first of them, or an empty list.
func (n *node) get(head string) *node {
	if a := n.all(head); len(a) > 0 {
		return a[0]
	}
	return &node{}
}

// arg is the text of the i-th thing after the head, "" when there is none.
func (n *node) arg(i int) string {
	if i+1 >= len(n.list) {
		return ""
	}
	return n.list[i+1].text()
}

// write appends the expression, a line for each list that holds lists.
func (n *node) write(b *strings.Builder, depth int) {
	if !n.isList() {
		b.WriteString(n.word)
		return
	}
	b.WriteByte('(')
	deep := false
	for i, c := range n.list {
		switch {
		case c.isList() && len(c.list) > 0:
			b.WriteByte('\n')
			b.WriteString(strings.Repeat("\t", depth+1))
			deep = true
		case i > 0:
			b.WriteByte(' ')
		}
		c.write(b, depth+1)
	}
	if deep {
		b.WriteByte('\n')
		b.WriteString(strings.Repeat("\t", depth))
	}
	b.WriteByte(')')
}

// quote writes a text as KiCad does.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// sx builds an expression: strings are words as they stand, texts are quoted, numbers are written short, nodes are taken in.
func sx(parts ...any) *node {
	n := &node{}
	for _, p := range parts {
		switch v := p.(type) {
		case *node:
			n.list = append(n.list, v)
		case []*node:
			n.list = append(n.list, v...)
		case quoted:
			n.list = append(n.list, &node{word: quote(string(v))})
		case float64:
			n.list = append(n.list, &node{word: number(v)})
		default:
			n.list = append(n.list, &node{word: fmt.Sprint(v)})
		}
	}
	return n
}

// quoted is text that stands in quotes.
type quoted string

// number writes millimetres to four places without the zeros at the end.
func number(f float64) string {
	s := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", f), "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}
