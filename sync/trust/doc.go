// SPDX-License-Identifier: Apache-2.0

// Package trust keeps whose key is whose: it signs the games of a board, and reports whether what another board says
// of a game is to be believed. How a signature is made is in package seal.
package trust
