// SPDX-License-Identifier: Apache-2.0

// Package senses keeps the last minute of what a board has sensed, for its workshop page, and reads what the computer
// senses of itself.
package senses
