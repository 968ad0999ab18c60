// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"slices"

	"boardd/hardware/virtual"
	"boardd/sensing"
)

// Figure is one figure of the board beside the model's.
type Figure struct {
	What     string  `json:"what"`
	Unit     string  `json:"unit"`
	Measured float64 `json:"measured"` // the median of all squares, or of all changes
	Of       int     `json:"of"`       // how many it is the median of
	Model    float64 `json:"model"`
}

// Part is how a chip, a bus or the hub did.
type Part struct {
	Name   string  `json:"name"`
	OK     bool    `json:"ok"`
	Errors uint64  `json:"errors"`
	Detail string  `json:"detail,omitempty"`
	Sweep  float64 `json:"sweep_ms,omitempty"`
	Worst  float64 `json:"worst_ms,omitempty"`
}

// Report is the file.
type Report struct {
	Format  int      `json:"boardd_bench"` // 1
	Version string   `json:"version"`
	Board   string   `json:"kind"`
	Virtual bool     `json:"virtual"`
	Seconds float64  `json:"seconds"`
	Figures []Figure `json:"figures"`
	Parts   []Part   `json:"parts"`
	Sensors []Kind   `json:"sensors"`
}

// The figures of the models. The noise is that of a board on a desk. A load cell's settling and a reed's bounce are
// from hardware/README.md and the physics of the virtual board, the hub's frames from its protocol.
const (
	modelSettle = 50.0  // ms, a load cell
	modelBounce = 1.0   // ms, the longest
	modelFrame  = 12.5  // ms
	modelSweep  = 100.0 // ms, the longest between two measurements of a square's height at rest
)

// figures returns the medians of what was found, beside the models.
func figures(found []Kind) (list []Figure) {
	bench := virtual.Bench()
	add := func(what, unit string, model float64, values []float64) {
		if len(values) > 0 {
			slices.Sort(values)
			list = append(list, Figure{what, unit, tenth(values[len(values)/2]), len(values), model})
		}
	}
	for _, k := range found {
		var noise, settle, bounce []float64
		for _, s := range k.Squares {
			if s.Noise > 0 {
				noise = append(noise, s.Noise)
			}
			settle, bounce = append(settle, s.Settle...), append(bounce, s.Bounce...)
		}
		switch k.Kind {
		case sensing.Weights.String():
			add("noise of a load cell", "mg", bench.CellNoise, noise)
			add("settling of a load cell", "ms", modelSettle, settle)
			add("time between frames of the hub", "ms", modelFrame, []float64{k.Interval})
		case sensing.Heights.String():
			add("noise of a height", "um", 1000*bench.RangeNoise, noise)
			add("settling of a height", "ms", modelSweep, settle)
		case sensing.Reeds.String():
			add("bounce of a reed, "+k.Deck+" deck", "ms", modelBounce, bounce)
		}
	}
	return list
}
