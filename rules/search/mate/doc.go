// SPDX-License-Identifier: Apache-2.0

// Package mate proves mates: it looks at every answer of the defender and every try of the attacker, and guesses
// nothing. A mate is any win for the side to move by which RULES.md ends a game on the board. In Locking Chess these
// are checkmate, lockmate, refugee-mate, royal-mate and royal-lockmate. It is pure.
package mate
