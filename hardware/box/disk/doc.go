// SPDX-License-Identifier: Apache-2.0

// Package disk is the disk of an emulated computer, that loses what was not flushed when its power is cut. It is
// served to the emulator over NBD.
package disk
