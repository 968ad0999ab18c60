// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"errors"
	"syscall"
)

// Advice is what people can do who read why nobody could listen at an address.
func Advice(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "another program listens there: stop it or choose another port"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this computer does not have that address now: connect its network, or choose one that it has; 0.0.0.0 is " +
			"all it has"
	case errors.Is(err, syscall.EACCES):
		return "this user may not use that port: choose one from 1024 on"
	}
	return "choose another address"
}
