// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"errors"
	"strings"
)

type kind uint8

const (
	end     kind = iota
	tag          // text = name, value = value
	symbol       // a move, a move number or a result
	comment      // text = its content
)

type token struct {
	kind        kind
	line        int
	text, value string
}

// lexer cuts a file into tokens. Variations, glyphs and escaped lines are skipped here.
type lexer struct {
	src  string
	pos  int
	line int
	peek *token
}

func (l *lexer) next() (token, error) {
	if t := l.peek; t != nil {
		l.peek = nil
		return *t, nil
	}
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '%' && (l.pos == 0 || l.src[l.pos-1] == '\n'):
			l.until("\n")
		case c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == 0xEF || c == 0xBB || c == 0xBF:
			l.skip(1)
		case c == ';':
			return token{kind: comment, line: l.line, text: strings.TrimSpace(l.until("\n")[1:])}, nil
		case c == '{':
			return l.comment()
		case c == '(':
			if err := l.variation(); err != nil {
				return token{}, err
			}
		case c == '[':
			return l.tag()
		case c == '$' || c == '!' || c == '?':
			l.word()
		default:
			line := l.line
			return token{kind: symbol, line: line, text: l.word()}, nil
		}
	}
	return token{kind: end, line: l.line}, nil
}

func (l *lexer) skip(n int) {
	l.line += strings.Count(l.src[l.pos:l.pos+n], "\n")
	l.pos += n
}

// until consumes up to and without the stop, or to the end of the file.
func (l *lexer) until(stop string) string {
	n := strings.Index(l.src[l.pos:], stop)
	if n < 0 {
		n = len(l.src) - l.pos
	}
	s := l.src[l.pos : l.pos+n]
	l.skip(n)
	return s
}

func (l *lexer) word() string {
	n := strings.IndexAny(l.src[l.pos+1:], " \t\r\n{}();") + 1
	if n == 0 {
		n = len(l.src) - l.pos
	}
	s := l.src[l.pos : l.pos+n]
	l.skip(n)
	return s
}

func (l *lexer) comment() (token, error) {
	line := l.line
	text := l.until("}")
	if l.pos == len(l.src) {
		return token{}, &Error{Line: line, Err: errors.New("the comment opened here with { is never closed with }")}
	}
	l.skip(1)
	return token{kind: comment, line: line, text: strings.Join(strings.Fields(text[1:]), " ")}, nil
}

// variation skips a variation with all that is in it; comments inside may hold brackets.
func (l *lexer) variation() error {
	line, depth := l.line, 0
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.skip(1)
				return nil
			}
		case ';':
			l.until("\n")
			continue
		case '{':
			l.until("}")
			continue
		}
		l.skip(1)
	}
	return &Error{Line: line, Err: errors.New("the variation opened here with ( is never closed with )")}
}

func (l *lexer) tag() (token, error) {
	line := l.line
	text := l.until("\n")
	name, rest, ok := strings.Cut(strings.TrimSpace(text)[1:], " ")
	rest = strings.TrimSpace(rest)
	if !ok || len(rest) < 3 || rest[0] != '"' || !strings.HasSuffix(rest, `"]`) {
		return token{}, &Error{Line: line, What: cut(strings.TrimSpace(text)),
			Err: errors.New(`a tag is written [Name "value"]`)}
	}
	value := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(rest[1 : len(rest)-2])
	return token{kind: tag, line: line, text: name, value: value}, nil
}
