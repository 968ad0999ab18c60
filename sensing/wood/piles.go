// SPDX-License-Identifier: Apache-2.0

package wood

import "boardd/rules"

// Common is how many pieces two piles have in common, from the bottom.
func Common(a, b Pile) int {
	k := 0
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	return k
}

// ColorOf is the color of a piece by its letter.
func ColorOf(letter byte) rules.Color {
	if letter >= 'a' {
		return rules.Black
	}
	return rules.White
}
