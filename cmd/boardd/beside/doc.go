// SPDX-License-Identifier: Apache-2.0

// Package beside runs the parts beside the game: page, lights, display, the link to a broker. A part that fails is
// named and started again, and the game goes on.
package beside
