// SPDX-License-Identifier: Apache-2.0

// Package flash is the command of that name: it writes the hub's program, which comes with this one, into an Arduino
// Mega or Nano, and looks whether the hub then speaks.
package flash
