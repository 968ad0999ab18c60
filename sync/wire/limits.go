// SPDX-License-Identifier: Apache-2.0

package wire

// The limits of messages from outside. No legal message comes near them. The longest possible game of chess under the
// seventy-five move rule has fewer than 9,000 moves of one side. A stack FEN of 64 pieces has under 300 bytes.
const (
	MaxGame    = 512 << 10 // bytes of a game message
	MaxCommand = 16 << 10  // bytes of a command
	MaxReply   = 4 << 10   // bytes of a reply
	MaxEvent   = 16 << 10  // bytes of an event
	MaxHealth  = 256 << 10 // bytes of a health message

	MaxDepth   = 8     // nested objects and lists
	MaxPlies   = 12000 // moves of one game
	MaxLegal   = 4096  // legal moves of one position
	MaxSquares = 128   // squares to touch: two decks
	MaxStack   = 64    // pieces wanted on one square
	MaxOptions = 32    // options of one game
	MaxPeriods = 16    // periods of one clock

	MaxName = 64 // bytes of a player's name, and of other names

	maxSAN   = 24      // bytes of a move for people
	maxFEN   = 1024    // bytes of a position
	maxWord  = 64      // bytes of an id, a name, an option
	maxText  = 1024    // bytes of a sentence for people
	maxSeal  = 256     // bytes of a key or a signature in base64
	maxClock = 1 << 40 // milliseconds, and microseconds of a sweep
	maxCount = 1 << 30 // of whatever is counted
	maxStep  = 1 << 50 // milliseconds since 1970, counted on
	maxReal  = 1 << 40 // of a figure, either way
	maxParts = 1024    // chips, buses and links
	maxSaid  = 32      // sentences, and arguments of one
)
