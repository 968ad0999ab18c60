// SPDX-License-Identifier: Apache-2.0

package sexp

import (
	"strings"
	"testing"
)

func written(n *Node) string {
	var b strings.Builder
	n.Write(&b, 0)
	return b.String()
}

func TestParse(t *testing.T) {
	n, err := Parse("(pad \"1\" smd rect\n\t(at -2.45 1.5 90)\n\t(layers \"F.Cu\" \"*.Mask\")\n" +
		"\t(note \"a \\\"b\\\" \\\\ c\"))")
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		n.Head(): "pad", n.Arg(0): "1", n.Get("at").Arg(2): "90", n.Get("layers").Arg(1): "*.Mask", n.Get("note").Arg(0): `a "b" \ c`, n.Get("none").Arg(0): "", n.Arg(9): "",
	} {
		if got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
	if got, want := written(New("at", 1.5, -0.00001, 90, Quoted(`x"y`))), `(at 1.5 0 90 "x\"y")`; got != want {
		t.Errorf("wrote %s, want %s", got, want)
	}
	for _, wrong := range []string{"", "(", ")", "(a))", "(a)(b)", `("a)`} {
		if n, err := Parse(wrong); err == nil {
			t.Errorf("%q is read as %s, want an error", wrong, written(n))
		}
	}
}

func TestClone(t *testing.T) {
	n, err := Parse("(a (b 1) (c 2))")
	if err != nil {
		t.Fatal(err)
	}
	c := n.Clone()
	c.Get("b").List[1].Word = "3"
	if n.Get("b").Arg(0) != "1" || c.Get("b").Arg(0) != "3" {
		t.Errorf("the copy %s shares with %s", written(c), written(n))
	}
}

func TestID(t *testing.T) {
	if a, b := ID("part", 1), ID("part", 1); a != b || len(a) != 36 || a[14] != '5' {
		t.Errorf("%s and %s, want one UUID of version 5", a, b)
	}
	if ID("part", 1) == ID("part", 2) {
		t.Error("two parts have one UUID")
	}
}

// FuzzParse: an expression that was read, written and read again is the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"(a b)", `(a "b c" (d -1.5))`, "()", `("\\" "\"")`, "word", `(a"b")`, "(((", `"open`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(written(n))
		if err != nil {
			t.Fatalf("%q, written as %q: %v", s, written(n), err)
		}
		if written(again) != written(n) {
			t.Errorf("%q is written as %q, then as %q", s, written(n), written(again))
		}
	})
}
