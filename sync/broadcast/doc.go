// SPDX-License-Identifier: Apache-2.0

// Package broadcast turns games into game files for other programs, with names, times and clocks.
package broadcast
