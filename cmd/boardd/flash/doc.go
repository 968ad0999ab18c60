// SPDX-License-Identifier: Apache-2.0

// Package flash is the command of that name. It writes the hub's program, which comes with boardd, into an Arduino
// Mega or Nano, and checks whether the hub then sends readings.
package flash
