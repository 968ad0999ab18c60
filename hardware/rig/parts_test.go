// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"errors"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
)

// TestNoBus: why a bus cannot be opened, also one that is named by an alias or by its number.
func TestNoBus(t *testing.T) {
	err := i2creg.Register("/dev/i2c-77", []string{"I2C77"}, 77,
		func() (i2c.BusCloser, error) { return nil, errors.New("unused") })
	if err != nil {
		t.Fatal(err)
	}
	defer i2creg.Unregister("/dev/i2c-77") //nolint:errcheck // it was registered
	for _, c := range []struct{ name, err, want string }{
		{"I2C77", "open /dev/i2c-77: permission denied", "may not open the I2C bus \"I2C77\""},
		{"77", "open /dev/i2c-77: permission denied", "group i2c"},
		{"/dev/i2c-77", "it burns", "cannot open the I2C bus \"/dev/i2c-77\" of the sensors (hardware.i2c): it burns"},
		{"I2C78", "no bus found", "name one of /dev/i2c-77"},
	} {
		if got := noBus("the sensors", "hardware.i2c", c.name, errors.New(c.err)).Error(); !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: got %q, want one with %q", c.name, c.err, got, c.want)
		}
	}
}
