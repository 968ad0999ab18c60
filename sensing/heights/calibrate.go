// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"context"
	"fmt"
	"time"

	"boardd/rules"
	"boardd/sensing/sweep"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/physic"
)

// Cover is the crosstalk compensation of the sensor over a square, in 1/128 Mcps. Call it while Run does not run.
func (b *Bank) Cover(sq rules.Square, crosstalk uint16) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &b.eyes[sq]
	e.dev = vl6180x.At(b.mux.Channel(e.mux, e.channel), vl6180x.Opts{Crosstalk: crosstalk})
	e.lost = true // to be set up
}

// CalibrateCrosstalk measures the light that a cover throws back into the sensor over a square, with nothing or
// something of known height standing there: the result is for Cover, and in use already. Less than what two
// millimetres of mounting do counts as none. Call it while Run does not run.
func (b *Bank) CalibrateCrosstalk(ctx context.Context, sq rules.Square, height physic.Distance) (uint16, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &b.eyes[sq]
	if !e.revive(time.Now()) {
		return 0, fmt.Errorf("calibrate height of %v: %w", sq, e.last)
	}
	o, err := e.dev.CalibrateCrosstalk(b.o.Above-height, mounting,
		func() { _ = sweep.Until(ctx, time.Now().Add(b.o.Usual/4)) })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return 0, fmt.Errorf("calibrate height of %v: %w", sq, err)
	}
	return o.Crosstalk, nil
}

// mounting is by how much a sensor may hang lower than it should.
const mounting = 2 * physic.MilliMetre
