// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"boardd/rules"
)

const (
	side   = 48 // of a square, in pixels
	margin = 18 // for the names of files and ranks
)

// draw returns the picture. A single piece is seen from above; a stack is seen from the side, its lowest piece at the
// bottom.
func (s scene) draw(shapes map[string]shape) string {
	placed := strings.Fields(s.position.FEN())[0]
	width := 8*side + 2*margin
	var b strings.Builder
	left, top, wide, tall := 0, 0, width, width
	if s.low != 0 || s.high != rules.NoSquare-1 {
		left, top = corner(rules.SquareAt(s.low.File(), s.high.Rank()))
		wide, tall = (s.high.File()-s.low.File()+1)*side, (s.high.Rank()-s.low.Rank()+1)*side
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" width="%d" height="%d" role="img">`+
		"\n", left, top, wide, tall, wide, tall)
	fmt.Fprintf(&b, "<title>%s: %s</title>\n<defs>\n", s.title, placed)
	for _, piece := range "PNBRQKpnbrqk" {
		if strings.ContainsRune(placed, piece) {
			b.WriteString(shapes[strings.ToLower(string(piece))].symbol(string(piece)))
		}
	}
	fmt.Fprintf(&b, "</defs>\n<rect width=\"%d\" height=\"%d\" fill=\"#7d6544\"/>\n", width, width)
	for square := range rules.NoSquare {
		s.drawGround(&b, square)
	}
	for i := range 8 {
		at := margin + i*side + side/2
		fmt.Fprintf(&b,
			`<g font-family="sans-serif" font-size="12" fill="#fff" text-anchor="middle"><text x="%d" y="%d">%c</text><text x="%d" y="%d">%d</text></g>`+"\n",
			at, width-5, 'a'+i, margin/2, at+4, 8-i)
	}
	for square, stack := range stacksOf(placed) {
		if stack != "" {
			drawStack(&b, rules.Square(square), stack)
		}
	}
	for _, m := range s.marked {
		drawMark(&b, m)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// corner is the upper left corner of a square.
func corner(s rules.Square) (x, y int) {
	return margin + s.File()*side, margin + (7-s.Rank())*side
}

func (s scene) drawGround(b *strings.Builder, square rules.Square) {
	x, y := corner(square)
	fill := "#b59a70"
	if (square.File()+square.Rank())%2 == 1 {
		fill = "#ecdfc6"
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x, y, side, side, fill)
	if s.last != rules.NoMove && (square == s.last.From() || square == s.last.To()) {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#d8b93a" fill-opacity="0.55"/>`+"\n", x, y, side,
			side)
	}
	if s.from[square] {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#1d5fbf" stroke-width="4"/>`+"\n",
			x+2, y+2, side-4, side-4)
	}
}

// drawStack draws what stands on a square: letters from bottom to top, - for an empty ground under a flyer.
func drawStack(b *strings.Builder, square rules.Square, stack string) {
	x, y := corner(square)
	if len(stack) == 1 {
		fmt.Fprintf(b, `<use href="#%s" x="%d" y="%d" width="%d" height="%d"/>`+"\n", stack, x+3, y+3, side-6, side-6)
		return
	}
	height := (side - 2) / len(stack)
	for i, piece := range stack {
		top := y + side - 1 - (i+1)*height
		fill, dash := "#fff7e6", ""
		switch {
		case piece == '-':
			fill, dash = "none", ` stroke-dasharray="3 3"`
		case piece >= 'a':
			fill = "#8c93a4"
		}
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="2" fill="%s" stroke="#333"%s/>`, x+4, top, side-8,
			height, fill, dash)
		if piece != '-' {
			size := min(height, 30)
			fmt.Fprintf(b, `<use href="#%c" x="%d" y="%d" width="%d" height="%d"/>`, piece, x+(side-size)/2,
				top+(height-size)/2, size, size)
		}
		b.WriteString("\n")
	}
}

// drawMark marks where a move goes. A quiet move has a green dot, a capture a red ring, and a move whose coordinates
// end in * or _ a violet corner. A move into the air has a blue arrow instead of the dot.
func drawMark(b *strings.Builder, m rules.Move) {
	x, y := corner(m.To())
	if m.IsCapture() && !m.IsEnPassant() {
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="21" fill="none" stroke="#d11f1f" stroke-width="3.5"/>`+"\n", x+side/2,
			y+side/2)
	}
	switch {
	case m.ToAir():
		fmt.Fprintf(b, `<path d="M%d %dl8 11h-16z" fill="#1673d6" stroke="#fff" stroke-width="1.5"/>`+"\n", x+side/2, y+7)
	case m.IsMarked():
		fmt.Fprintf(b, `<path d="M%d %dh17l-17 17z" fill="#8a2be2" stroke="#fff"/>`+"\n", x+1, y+1)
	case !m.IsCapture():
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="7" fill="#1f9d3c" stroke="#fff" stroke-width="1.5"/>`+"\n", x+side/2,
			y+side-14)
	}
}

// stacksOf takes the first field of a stack FEN apart: what stands on each square, from bottom to top.
func stacksOf(placed string) (stacks [64]string) {
	file, rank := 0, 7
	for i := 0; i < len(placed); i++ {
		switch c := placed[i]; {
		case c == '/':
			file, rank = 0, rank-1
		case c >= '1' && c <= '8':
			file += int(c - '0')
		case c == '[':
			end := i + strings.IndexByte(placed[i:], ']')
			stacks[rank*8+file] = placed[i+1 : end]
			file, i = file+1, end
		default:
			stacks[rank*8+file] = string(c)
			file++
		}
	}
	return stacks
}
