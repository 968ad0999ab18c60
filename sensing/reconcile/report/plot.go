// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The size of a plot.
const (
	plotWidth, plotHeight  = 720, 320
	marginLeft, marginFoot = 60, 40
)

// marginPlot plots how many moves had which margin.
func marginPlot(moves []int, from string) string {
	most := max(1, slices.Max(moves))
	top := math.Ceil(math.Log10(float64(most)))
	var b strings.Builder
	beginPlot(&b, from, "margin over the runner-up, nats", "moves")
	dx := float64(plotWidth-marginLeft-10) / float64(len(moves))
	for i, n := range moves {
		if n > 0 {
			h := (math.Log10(float64(n)) + 0.15) / (top + 0.15) * (plotHeight - marginFoot - 10)
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#3b6ea5"/>`+"\n",
				marginLeft+float64(i)*dx, plotHeight-marginFoot-h, dx-0.5, h)
		}
		if i%20 == 0 {
			label(&b, marginLeft+float64(i)*dx, plotHeight-marginFoot+14, fmt.Sprint(i))
		}
	}
	for k := 0.0; k <= top; k++ {
		y := plotHeight - marginFoot - (k+0.15)/(top+0.15)*(plotHeight-marginFoot-10) + 4
		label(&b, marginLeft-22, y, fmt.Sprintf("%.0f", math.Pow(10, k)))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// latencyPlot plots the share of moves that were recognised within a time, by class.
func latencyPlot(shares [classes][]float64, from string) string {
	colors := [classes]string{"#3b6ea5", "#3f8f4f", "#b5651d", "#8a3ba5", "#777777"}
	var b strings.Builder
	beginPlot(&b, from, "ms from last contact to commit", "share")
	most := mostLatency.Seconds() * 1000
	for c, list := range shares {
		if len(list) == 0 {
			continue
		}
		var path strings.Builder
		for i, share := range list {
			fmt.Fprintf(&path, "%.1f,%.1f ", marginLeft+float64(i+1)/float64(len(list))*(plotWidth-marginLeft-10),
				plotHeight-marginFoot-share*(plotHeight-marginFoot-10))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n",
			strings.TrimSpace(path.String()), colors[c])
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", plotWidth-120, 60+18*c, colors[c], classNames[c])
	}
	for x := 0.0; x <= most; x += 50 {
		label(&b, marginLeft+x/most*(plotWidth-marginLeft-10), plotHeight-marginFoot+14, fmt.Sprint(x))
	}
	for y := 0.0; y <= 1; y += 0.25 {
		label(&b, marginLeft-22, plotHeight-marginFoot-y*(plotHeight-marginFoot-10)+4, fmt.Sprintf("%.0f %%", 100*y))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func beginPlot(b *strings.Builder, from, x, y string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" `+
		`font-size="11">`+"\n", plotWidth, plotHeight)
	b.WriteString(from)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/><path d="M%d,10 V%d H%d" fill="none" stroke="#444"/>`+"\n",
		plotWidth, plotHeight, marginLeft, plotHeight-marginFoot, plotWidth-10)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text><text x="4" y="12">%s</text>`+"\n",
		(plotWidth+marginLeft)/2, plotHeight-6, x, y)
}

func label(b *strings.Builder, x, y float64, text string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", x, y, text)
}
