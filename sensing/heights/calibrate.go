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

// SetCrosstalk sets the crosstalk compensation of the sensor over a square, in 1/128 Mcps. Call it while Run does not
// run.
func (b *Bank) SetCrosstalk(sq rules.Square, crosstalk uint16) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &b.eyes[sq]
	e.dev = vl6180x.At(b.mux.Channel(e.mux, e.channel), vl6180x.Opts{Crosstalk: crosstalk})
	e.lost = true // to be set up
}

// CalibrateCrosstalk measures the light that a cover reflects into the sensor over a square, on which nothing or a
// thing of known height stands. It returns a value for SetCrosstalk, which is in use already. An effect below that of
// two millimetres of mounting counts as none. Call it while Run does not run.
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

// mounting is how much lower than intended a sensor may hang.
const mounting = 2 * physic.MilliMetre
