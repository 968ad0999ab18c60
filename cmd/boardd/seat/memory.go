// SPDX-License-Identifier: Apache-2.0

//go:build !race

package seat

// memoryMB is how much memory an engine gets; 0 is what package uci gives.
const memoryMB = 0
