// SPDX-License-Identifier: Apache-2.0

package chain_test

import (
	"testing"

	"boardd/leds"
	"boardd/leds/chain"
)

// BenchmarkEncode is one picture of two decks.
func BenchmarkEncode(b *testing.B) {
	c, err := chain.New(chain.Opts{Decks: 2})
	if err != nil {
		b.Fatal(err)
	}
	f := fill(leds.Color{R: 200, G: 100, B: 50})
	for b.Loop() {
		c.Encode(f)
	}
}
