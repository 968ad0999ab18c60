// SPDX-License-Identifier: Apache-2.0

// Package broadcast makes of games what others read: game files with names, times and clocks.
package broadcast
