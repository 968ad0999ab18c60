// SPDX-License-Identifier: Apache-2.0

// Package lichess speaks with lichess.org, or a server of the same public interface: it pushes rounds to a broadcast,
// and takes the seat of an opponent there at a board of ours.
package lichess
