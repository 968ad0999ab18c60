// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"context"

	"boardd/sensing"
)

// Source is a bank of sensors with a calibration.
type Source struct {
	sensing.Source
	c *Calibration
}

// Through returns the bank with the calibration, which must not change any more.
func Through(c *Calibration, s sensing.Source) *Source { return &Source{s, c} }

// Run sends the bank's readings, calibrated.
func (s *Source) Run(ctx context.Context, out chan<- sensing.Reading) error {
	raw := make(chan sensing.Reading) // capacity 0: the bank waits for whoever is late
	done := make(chan error, 1)       // capacity 1: the bank can end even if nobody receives its error
	go func() { done <- s.Source.Run(ctx, raw) }()
	for {
		select {
		case r := <-raw:
			select {
			case out <- s.c.Reading(r):
			case err := <-done:
				return err
			}
		case err := <-done:
			return err
		}
	}
}
