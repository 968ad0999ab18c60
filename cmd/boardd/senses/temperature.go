// SPDX-License-Identifier: Apache-2.0

package senses

import (
	"strconv"
	"strings"

	"boardd/config/size"
)

// Temperature is the controller's, in degrees Celsius, nil where it cannot be read.
func Temperature() *float64 {
	data, err := size.Read("/sys/class/thermal/thermal_zone0/temp", size.Named)
	if err != nil {
		return nil
	}
	milli, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return nil
	}
	c := float64(milli) / 1000
	return &c
}
