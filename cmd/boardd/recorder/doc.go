// SPDX-License-Identifier: Apache-2.0

// Package recorder writes what is sensed while a game is played into a trace of its own, and keeps the newest of them.
package recorder
