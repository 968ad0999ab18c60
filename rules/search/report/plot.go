// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"

	"boardd/rules"
)

// generation is a line of rules/search/nets/history.tsv.
type generation struct {
	game     string
	number   int
	accepted bool
	byHand   float64 // loss of the estimate by hand, 0 if it was not kept
	loss     float64
	elo      int // over what stood before
}

// readHistory reads history.tsv.
func readHistory(text string) (list []generation, err error) {
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("history.tsv, line %d: %d fields, want 7", n+1, len(f))
		}
		g := generation{game: f[0], accepted: f[2] == "accepted"}
		if g.number, err = strconv.Atoi(f[1]); err != nil {
			return nil, fmt.Errorf("history.tsv, line %d: generation: %w", n+1, err)
		}
		if g.elo, err = strconv.Atoi(f[5]); err != nil {
			return nil, fmt.Errorf("history.tsv, line %d: Elo: %w", n+1, err)
		}
		for i, at := range []*float64{&g.byHand, &g.loss} {
			if f[3+i] == "-" {
				continue
			}
			if *at, err = strconv.ParseFloat(f[3+i], 64); err != nil {
				return nil, fmt.Errorf("history.tsv, line %d: loss: %w", n+1, err)
			}
		}
		list = append(list, g)
	}
	return list, nil
}

// Sizes of the plot, in its own units.
const (
	cell, tall  = 150, 170 // of a game's column, and of each of the two rows
	left, right = 60, 20
	mostElo     = 800
)

// plot draws strength and loss by generation, a column a game. Strength is the sum of what the accepted networks
// gained over those before them, 0 for the hand-made evaluation. A loss is drawn as a part of that of the hand-made
// evaluation on the same positions, because every generation has its own positions.
func plot(list []generation) string {
	var b strings.Builder
	width, height := left+6*cell+right, 2*tall+126
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n", width,
		height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	fmt.Fprintln(&b, `<text x="8" y="24">Elo over the estimate by hand, summed up by matches (hollow: refused)</text>`)
	fmt.Fprintf(&b, `<text x="8" y="%d">loss, as a part of that of the estimate by hand</text>`+"\n", tall+74)
	column := 0
	for _, v := range rules.Variants() {
		var own []generation
		for _, g := range list {
			if g.game == v.ID() {
				own = append(own, g)
			}
		}
		if own == nil {
			continue // it has the network of another game
		}
		x0 := left + column*cell
		column++
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", x0, height-8, v.Name())
		x := func(n int) int { return x0 + n*(cell-30)/5 }
		strength := 0
		line := fmt.Sprintf("M%d %d", x(0), 40+tall)
		for _, g := range own {
			at := strength + g.elo
			y := 40 + tall - tall*at/mostElo
			fill := "#fff"
			if g.accepted {
				strength, fill = at, "#205090"
				line += fmt.Sprintf("L%d %d", x(g.number), y)
			}
			fmt.Fprintf(&b,
				`<circle cx="%d" cy="%d" r="4" fill="%s" stroke="#205090"/><text x="%d" y="%d" font-size="11">%d</text>`+"\n",
				x(g.number), y, fill, x(g.number)-8, y-8, at)
			if g.loss > 0 {
				y := 80 + 2*tall - int(float64(tall)*g.loss/g.byHand)
				fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="4" fill="#a04010"/><text x="%d" y="%d" font-size="11">%.2f</text>`+
					"\n", x(g.number), y, x(g.number)-8, y-8, g.loss/g.byHand)
			}
			fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="11">%d</text>`+"\n", x(g.number)-3, 80+2*tall+14, g.number)
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="#205090"/><path d="M%d %dh%dM%d %dh%d" stroke="#999"/>`+"\n", line,
			x0, 40+tall, cell-20, x0, 80+2*tall, cell-20)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
