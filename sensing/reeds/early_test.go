// SPDX-License-Identifier: Apache-2.0

package reeds

import (
	"errors"
	"testing"
)

type silent struct{}

func (silent) Setup() error            { return errors.New("no answer") }
func (silent) Verify() error           { return errors.New("no answer") }
func (silent) Inputs() (uint16, error) { return 0, errors.New("no answer") }
func (silent) String() string          { return "silent" }

// TestHealthBeforeTheFirstSweep: health may be asked for at any time.
func TestHealthBeforeTheFirstSweep(t *testing.T) {
	b, err := New([]Chip{{Expander: silent{}, Squares: Wiring(0)}}, Opts{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range b.Health() {
		if p.Name == "lower deck silent" && (p.OK || p.Detail != "not asked yet") {
			t.Errorf("got %+v", p)
		}
	}
}
