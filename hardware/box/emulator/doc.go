// SPDX-License-Identifier: Apache-2.0

// Package emulator runs a computer in QEMU: its console, its monitor, its saved states.
package emulator
