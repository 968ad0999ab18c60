// SPDX-License-Identifier: Apache-2.0

package leds

import "fmt"

// Color is the color of one RGB light, 0 to 255 a channel, before gamma, brightness and the current cap.
type Color struct{ R, G, B uint8 }

// String writes the color as the web interface does: "#rrggbb".
func (c Color) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Frame is one picture of all lights: [deck][square], deck 0 the lower one, squares a1, b1 ... h8. The zero frame is
// dark.
type Frame [2][64]Color
