// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Colors, of what they are used for.
const (
	ink      = "#111"
	edge     = "#222"
	faint    = "#888"
	grey     = "#555"
	dim      = "#06c" // measures
	wood     = "#f3e3c3"
	board    = "#d8c39a"
	magnet   = "#b33"
	copper   = "#2a7" // printed boards
	reed     = "#334"
	light    = "#fd5"
	metal    = "#ccc"
	cellTint = "#bcd"
	none     = "none"
)

// A sheet is a drawing under way. Places are in its own units, pixels where nothing scales it.
type sheet struct{ b bytes.Buffer }

func newSheet(width, height int, title string) *sheet {
	s := &sheet{}
	fmt.Fprintf(&s.b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n",
		width, height)
	s.b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	s.text(20, 26, title, style{size: 14, bold: true})
	return s
}

// n writes a number with up to two places.
func n(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0"), ".")
}

func (s *sheet) rect(x, y, w, h float64, fill, stroke string) {
	fmt.Fprintf(&s.b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s" stroke="%s"/>`+"\n", n(x), n(y), n(w), n(h),
		fill, stroke)
}

func (s *sheet) circle(x, y, r float64, fill, stroke string) {
	fmt.Fprintf(&s.b, `<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s"/>`+"\n", n(x), n(y), n(r), fill, stroke)
}

// line goes through points, x and y of each.
func (s *sheet) line(width float64, stroke string, points ...float64) {
	var d strings.Builder
	for i := 0; i+1 < len(points); i += 2 {
		command := "L"
		if i == 0 {
			command = "M"
		}
		d.WriteString(command + n(points[i]) + " " + n(points[i+1]))
	}
	fmt.Fprintf(&s.b, `<path d="%s" stroke="%s" stroke-width="%s" fill="none"/>`+"\n", &d, stroke, n(width))
}

// style is what a text looks like; the zero value is that of a note.
type style struct {
	size   int
	bold   bool
	color  string
	middle bool // x is its middle
}

func (s *sheet) text(x, y float64, text string, like style) {
	if like.color == "" {
		like.color = ink
	}
	more := ""
	if like.middle {
		more += ` text-anchor="middle"`
	}
	if like.size != 0 {
		more += fmt.Sprintf(` font-size="%d"`, like.size)
	}
	if like.bold {
		more += ` font-weight="bold"`
	}
	fmt.Fprintf(&s.b, `<text x="%s" y="%s" fill="%s"%s>%s</text>`+"\n", n(x), n(y), like.color, more,
		html.EscapeString(text))
}

// note says what stands at a place, beside the drawing, with a line to it.
func (s *sheet) note(x, y, toX, toY float64, text string) {
	s.line(1, faint, x, y, toX, toY)
	s.circle(x, y, 1.8, faint, faint)
	s.text(toX+4, toY+4, text, style{})
}

// across and down are measures: a line with bars at its ends.
func (s *sheet) across(x1, x2, y float64, text string) {
	s.line(1, dim, x1, y, x2, y)
	s.line(1, dim, x1, y-4, x1, y+4)
	s.line(1, dim, x2, y-4, x2, y+4)
	s.text((x1+x2)/2, y-5, text, style{color: dim, middle: true})
}

func (s *sheet) down(x, y1, y2 float64, text string) {
	s.line(1, dim, x, y1, x, y2)
	s.line(1, dim, x-4, y1, x+4, y1)
	s.line(1, dim, x-4, y2, x+4, y2)
	s.text(x+6, (y1+y2)/2+4, text, style{color: dim})
}

func (s *sheet) end(caption string, y float64) []byte {
	s.text(20, y, caption, style{color: grey})
	s.b.WriteString("</svg>\n")
	return s.b.Bytes()
}
