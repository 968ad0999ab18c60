// SPDX-License-Identifier: Apache-2.0

package apa102_test

import (
	"testing"

	"boardd/leds/apa102"
	"boardd/leds/ledstest"
)

func TestConformance(t *testing.T) { ledstest.CheckDriver(t, apa102.New) }
