package heights

import (
	"context"
	"fmt"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/physic"
)

// CalibrateOffset makes the sensor over a square read right for something of known height that stands there; ST asks for a
// white target 50 mm under the sensor, which two cubes and a half of 35 mm come near to. The result is in use at
// once, and is what to put into Opts.Sensor next time. Call it while Run does not run.
func (b *Bank) CalibrateOffset(ctx context.Context, sq rules.Square, height physic.Distance) (vl6180x.Opts, error) {
	return b.calibrate(ctx, sq, height, (*vl6180x.Dev).CalibrateOffset)
}

// CalibrateCrosstalk measures the light that a cover, here the upper deck, throws back into the sensor over a square, with
// something dark of known height standing there; ST asks for 17 % grey 100 mm under the sensor. Calibrate the offset first.
func (b *Bank) CalibrateCrosstalk(ctx context.Context, sq rules.Square, height physic.Distance) (vl6180x.Opts, error) {
	return b.calibrate(ctx, sq, height, (*vl6180x.Dev).CalibrateCrosstalk)
}

func (b *Bank) calibrate(ctx context.Context, sq rules.Square, height physic.Distance, f func(*vl6180x.Dev, physic.Distance, func()) (vl6180x.Opts, error)) (vl6180x.Opts, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &b.eyes[sq]
	if !e.revive(time.Now()) {
		return vl6180x.Opts{}, fmt.Errorf("calibrate height of %v: %w", sq, e.last)
	}
	o, err := f(e.dev, b.o.Above-height, func() { _ = sensing.Until(ctx, time.Now().Add(b.o.Usual/4)) })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return o, fmt.Errorf("calibrate height of %v: %w", sq, err)
	}
	return o, nil
}
