// SPDX-License-Identifier: Apache-2.0

// Package trust knows which key is whose. It signs the games of a board, and decides whether messages of other boards
// are believed. How a signature is made is in package seal.
package trust
