// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"errors"
	"strings"
	"syscall"
)

// Fault is the kind of error of a transfer.
type Fault uint8

// The kinds.
const (
	Fine    Fault = iota // none
	Refused              // nobody acknowledged
	Hung                 // the bus is held, by SDA or by SCL
	Other                // anything else: no such bus, no permission
)

// Classify finds the kind of an error. periph passes on the kernel's errors only as text ("sysfs-i2c: remote I/O
// error"), so errors.Is finds nothing in them. The words are those of Linux.
func Classify(err error) Fault {
	if err == nil {
		return Fine
	}
	for _, k := range []struct {
		no   syscall.Errno
		kind Fault
	}{
		{syscall.EREMOTEIO, Refused}, // bcm2835
		{syscall.ENXIO, Refused},     // most others
		{syscall.ETIMEDOUT, Hung},
		{syscall.EAGAIN, Hung}, // arbitration lost
		{syscall.EIO, Hung},    // bus error
		{syscall.EBUSY, Hung},
	} {
		if errors.Is(err, k.no) || strings.Contains(err.Error(), k.no.Error()) {
			return k.kind
		}
	}
	return Other
}
