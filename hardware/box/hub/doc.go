// SPDX-License-Identifier: Apache-2.0

// Package hub runs the firmware of the hub of load cells in a simulator, behind the USB of an emulated computer.
package hub
