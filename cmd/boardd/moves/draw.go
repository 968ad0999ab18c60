// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/rules"
)

// drawFlag adds --draw to the flags; the function reports after parsing whether the board is to be drawn on w.
func drawFlag(f *flag.FlagSet) func(w io.Writer) (bool, error) {
	when := f.String("draw", "auto", "draw the board: auto (on a terminal), always or never")
	return func(w io.Writer) (bool, error) {
		switch *when {
		case "auto":
			return cli.Terminal(w), nil
		case "always", "never":
			return *when == "always", nil
		}
		return false, cli.Misuse("--draw %q: it is auto, always or never", *when)
	}
}

// The colors of a terminal that has 256: grounds of the squares and ink of the pieces.
const (
	lightGround = "\033[48;5;180m"
	darkGround  = "\033[48;5;137m"
	whiteInk    = "\033[1;38;5;231m"
	blackInk    = "\033[1;38;5;16m"
	plainInk    = "\033[0m"
)

// draw writes the board as White sees it. A stack stands in brackets, the lowest piece first, as in stack FEN.
func draw(w io.Writer, p *rules.Position, r rules.Result, colors bool) error {
	var cells [64]string
	wide := 1
	for s := range rules.NoSquare {
		cells[s] = cell(p, s)
		wide = max(wide, len(cells[s]))
	}
	wide += 2
	out := bufio.NewWriter(w)
	for rank := 7; rank >= 0; rank-- {
		line := fmt.Sprintf("%d ", rank+1)
		for file := range 8 {
			text := cells[rules.SquareAt(file, rank)]
			if text == "" && !colors {
				text = "."
			}
			left := strings.Repeat(" ", (wide-len(text))/2)
			right := strings.Repeat(" ", wide-len(text)-len(left))
			if colors {
				left, text, right = ground(file, rank)+left, inked(text), right+plainInk
			}
			line += left + text + right
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	files := "  "
	for file := range 8 {
		files += fmt.Sprintf("%*c%*s", (wide-1)/2+1, 'a'+file, wide-(wide-1)/2-1, "")
	}
	last := p.Turn().String() + " to move"
	if r != rules.Playing {
		last = fmt.Sprintf("%s: %s", outcome(p, r), r)
	}
	fmt.Fprintf(out, "%s\n%s\n", strings.TrimRight(files, " "), last)
	return out.Flush()
}

// outcome is who has won at the end of a game.
func outcome(p *rules.Position, r rules.Result) string {
	switch {
	case !r.IsMate():
		return "1/2-1/2"
	case p.Turn() == rules.White:
		return "0-1"
	}
	return "1-0"
}

// cell is what stands on a square, "" for nothing.
func cell(p *rules.Position, s rules.Square) string {
	var letters strings.Builder
	for _, pc := range p.AppendStack(nil, s) {
		if pc == rules.NoPiece {
			letters.WriteByte('-')
			continue
		}
		letters.WriteByte(pc.Letter())
	}
	if letters.Len() > 1 {
		return "[" + letters.String() + "]"
	}
	return letters.String()
}

// ground is the color of a square: a1 is dark.
func ground(file, rank int) string {
	if (file+rank)%2 == 1 {
		return lightGround
	}
	return darkGround
}

// inked colors the letters of pieces by their side.
func inked(text string) string {
	var out strings.Builder
	for _, r := range text {
		ink := blackInk
		if r >= 'A' && r <= 'Z' {
			ink = whiteInk
		}
		out.WriteString(ink)
		out.WriteRune(r)
	}
	return out.String()
}
