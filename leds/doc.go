// SPDX-License-Identifier: Apache-2.0

// Package leds turns a view of the game into a frame of colors. It is pure: chips that show a frame are in the
// packages below it, and what is to be seen is decided by whoever fills in the [View].
package leds
