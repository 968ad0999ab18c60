// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A shape is how the page draws one kind of piece, in a box of 45 by 45.
type shape struct {
	body, lines string
	balls       [][]string // centres
}

var (
	kind   = regexp.MustCompile(`(?s)<symbol id="kind-([pnbrqk])".*?</symbol>`)
	path   = regexp.MustCompile(`<path d="([^"]+)"`)
	circle = regexp.MustCompile(`<circle cx="([0-9.]+)" cy="([0-9.]+)"`)
)

// shapesOf reads the drawings of the pieces from the page's own file, so that documents and page look alike.
func shapesOf(page string) (map[string]shape, error) {
	shapes := map[string]shape{}
	for _, m := range kind.FindAllStringSubmatch(page, -1) {
		paths := path.FindAllStringSubmatch(m[0], -1)
		if len(paths) != 2 {
			continue
		}
		s := shape{body: paths[0][1], lines: paths[1][1]}
		for _, p := range circle.FindAllStringSubmatch(m[0], -1) {
			s.balls = append(s.balls, p[1:])
		}
		shapes[m[1]] = s
	}
	if len(shapes) != 6 {
		return nil, errors.New("sync/web/page/pieces.svg: the drawings of the six kinds are not where they were")
	}
	return shapes, nil
}

// symbol is the shape of a piece in its side's colors.
func (s shape) symbol(piece string) string {
	fill, line := "#fffdf5", "#222"
	if piece >= "a" {
		fill, line = "#3b3f4a", "#fff"
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		`<symbol id="%s" viewBox="4.5 3 36 36"><path d="%s" fill="%s" stroke="#111" stroke-width="1.6" stroke-linejoin="round"/>`, piece, s.body, fill)
	for _, p := range s.balls {
		fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="2.6" fill="%s" stroke="#111" stroke-width="1.4"/>`, p[0], p[1], fill)
	}
	fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.7" stroke-linecap="round"/></symbol>`+"\n",
		s.lines, line)
	return b.String()
}
