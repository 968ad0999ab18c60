// SPDX-License-Identifier: Apache-2.0

// Package lichess talks to lichess.org, or a server with the same public interface. It pushes rounds to a broadcast,
// and seats an opponent from there at a board.
package lichess
