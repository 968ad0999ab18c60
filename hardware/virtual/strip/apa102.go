// SPDX-License-Identifier: Apache-2.0

package strip

import "boardd/leds"

// isAPA102 reports whether bytes are for a chain of APA102, by what comes first. An APA102 frame begins with 32 zero
// bits and the word of a light with three ones (datasheet of Shiji Lighting). WS2812 pulses hold no more than three
// ones in a row, and the first of them never three ones after 32 zeros.
func isAPA102(w []byte) bool {
	return len(w) >= 8 && w[0]|w[1]|w[2]|w[3] == 0 && w[4]&0xe0 == 0xe0
}

// decodeAPA102 reads the words of all lights: brightness in 31 steps, blue, green, red. Words that do not begin with
// three ones end it.
func decodeAPA102(w []byte) []leds.Color {
	var list []leds.Color
	for w = w[4:]; len(w) >= 4 && w[0]&0xe0 == 0xe0; w = w[4:] {
		dim := func(v byte) uint8 { return uint8((int(v)*int(w[0]&0x1f) + 15) / 31) }
		list = append(list, leds.Color{B: dim(w[1]), G: dim(w[2]), R: dim(w[3])})
	}
	return list
}
