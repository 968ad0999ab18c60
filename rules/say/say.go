// SPDX-License-Identifier: Apache-2.0

// Package say is sentences for people: in English, and as codes with arguments by which a catalogue says them in other
// languages.
package say

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Part is one sentence. Its code is the English form of fmt that it is made with.
type Part struct {
	Code string
	Args []string
}

// Said is one sentence or several, and what they are together in English.
type Said struct {
	English string
	Parts   []Part
}

// Word is an argument that the catalogue has as well: words that stand in several sentences, such as "a list".
type Word string

// That makes a sentence. If an argument is itself Said, or an error made here, its text follows as a further part, and
// the catalogue leaves out its place.
func That(form string, args ...any) Said {
	s := Said{English: Counted(form, args...)}
	own, more := Part{Code: form}, []Part(nil)
	for _, a := range args {
		switch a := a.(type) {
		case Said:
			more = append(more, a.Parts...)
			continue
		case error:
			if of := Of(a); len(of.Parts) > 0 {
				more = append(more, of.Parts...)
				continue
			}
		}
		own.Args = append(own.Args, fmt.Sprint(a))
	}
	s.Parts = append([]Part{own}, more...)
	return s
}

// counted finds each verb of a form, with the things that its number counts.
var counted = regexp.MustCompile(`%(?:%|[-+# 0-9.]*[a-zA-Z](?: (bytes|characters|chips|errors|expanders|faults|` +
	`files|games|half-moves|heights|letters|lights|minutes|moves|parts|pieces|places|positions|records|seconds|sensors|` +
	`squares|takebacks|times|words)\b)?)`)

// Counted is fmt.Sprintf for people: of one thing it says "1 move", and "once" in place of "1 times". What the
// arguments say stays as it is. A form with * or [n] is only formatted.
func Counted(form string, args ...any) string {
	if strings.Contains(form, "%[") || strings.Contains(form, "*") {
		return fmt.Sprintf(form, args...)
	}
	var one []any // the arguments that are left
	next := 0
	singular := counted.ReplaceAllStringFunc(form, func(verb string) string {
		if verb == "%%" {
			return verb
		}
		if next++; next > len(args) {
			return verb
		}
		n := args[next-1]
		things := counted.FindStringSubmatch(verb)[1]
		if things == "times" && fmt.Sprint(n) == "1" {
			return "once"
		}
		one = append(one, n)
		if things != "" && fmt.Sprint(n) == "1" {
			return strings.TrimSuffix(verb, "s")
		}
		return verb
	})
	return fmt.Sprintf(singular, append(one, args[min(next, len(args)):]...)...)
}

// And adds to what is said, with what stands between the two in English.
func (s Said) And(between string, more Said) Said {
	return Said{s.English + between + more.English, append(s.Parts[:len(s.Parts):len(s.Parts)], more.Parts...)}
}

// List puts one thing said after the other.
func List(between string, all ...Said) (s Said) {
	for i, more := range all {
		if s = s.And(between, more); i == 0 {
			s = more
		}
	}
	return s
}

// String is the English of it.
func (s Said) String() string { return s.English }

// Error is a refusal that people read. It wraps the errors among its arguments.
func Error(form string, args ...any) error {
	r := &refusal{Said: That(form, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			r.wraps = append(r.wraps, err)
		}
	}
	return r
}

// Refusal is what is said, as an error that wraps others.
func (s Said) Refusal(wraps ...error) error { return &refusal{s, wraps} }

type refusal struct {
	Said
	wraps []error
}

// Error is the English of it.
func (r *refusal) Error() string { return r.English }

// Unwrap is what it wraps, as one error: it is one sentence, and not a list of faults.
func (r *refusal) Unwrap() error { return errors.Join(r.wraps...) }

// Of is what an error says to people: its whole text, and the parts of all that it wraps and that was made here. It
// has no parts where nothing was.
func Of(err error) Said {
	if err == nil {
		return Said{}
	}
	return Said{English: err.Error(), Parts: parts(err)}
}

func parts(err error) (all []Part) {
	switch err := err.(type) {
	case *refusal:
		return err.Parts
	case interface{ Unwrap() error }:
		return parts(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range err.Unwrap() {
			all = append(all, parts(one)...)
		}
	}
	return all
}
