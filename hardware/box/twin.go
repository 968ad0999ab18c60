// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"boardd/hardware/virtual"
)

// twin restarts the computer with a twin board: expanders at 0x20 to 0x27, and 64 height sensors behind eight
// multiplexers. Every part is well, and a stack that is made by hand is recognised by its height.
func (b *box) twin(ctx context.Context) (string, error) {
	err := b.rewire(ctx, "twin.yaml", func() (*parts, error) { return openParts(b.dir, virtual.Twin, b.seed) })
	if err != nil {
		return "", err
	}
	if err := b.awaitHealthy(ctx); err != nil {
		return "", err
	}
	examined, err := b.doctor(ctx)
	if err != nil {
		return "", err
	}
	if err := b.begin(ctx, nil); err != nil {
		return "", err
	}
	n := b.stacked()
	if _, err := b.playTo(ctx, n); err != nil {
		return "", err
	}
	if _, err := b.out.awaitMoves(ctx, b.coords[:n]); err != nil {
		return "", err
	}
	seen, err := b.lights(false)
	return fmt.Sprintf("%s; a stack made with move %d, %s, recognised by its height%s", examined, n, b.coords[n-1], seen),
		err
}

// stacked is how many moves there are up to the first that puts one piece on another, all moves if none does.
func (b *box) stacked() int {
	for i, p := range b.line {
		for _, pile := range b.table.geometry.Lay(&p) {
			if len(pile) > 1 {
				return i
			}
		}
	}
	return len(b.coords)
}
