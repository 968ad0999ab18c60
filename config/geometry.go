// SPDX-License-Identifier: Apache-2.0

package config

import (
	"strings"

	"boardd/sensing/wood"
)

// Geometry is what the configured board can sense, and the figures of its pieces, before any calibration.
func (c *Config) Geometry() wood.Geometry {
	g := wood.Reference()
	g.TwoDecks, g.Weights, g.Heights, g.Scale = c.Kind == "twin", c.Kind == "stack", c.Kind == "twin", c.Kind == "scale"
	g.CubeHeight = int32(c.CubeHeightMM * 1000)
	for _, letter := range letters { // small letters first: a capital one overrides for White
		grams, ok := c.WeightsG[letter]
		if !ok {
			continue
		}
		g.Mass[letter[0]] = int32(grams * 1000)
		if small := strings.ToLower(letter); small == letter {
			g.Mass[strings.ToUpper(letter)[0]] = int32(grams * 1000)
		}
	}
	return g
}
