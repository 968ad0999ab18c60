// SPDX-License-Identifier: Apache-2.0

//go:build race

package seat

// memoryMB is how much memory an engine gets that is this program, built with the race detector, which takes ten times
// as much.
const memoryMB = 4096
