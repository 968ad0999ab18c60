// SPDX-License-Identifier: Apache-2.0

// Package leds turns a view of the game into a frame of colors. It is pure. Chips that show a frame are in the
// packages below it, and the caller decides what is in the [View].
package leds
