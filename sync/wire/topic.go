// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strconv"
	"strings"

	"boardd/rules/say"
)

// Root is the first part of every topic of version 1.
const Root = "boardd/v1/"

// The leaves below a board's own name.
const (
	LeafStatus  = "status"  // retained, QoS 1: Online or Offline
	LeafGame    = "game"    // retained, QoS 1: Game
	LeafEvent   = "event"   // QoS 1: Event
	LeafHealth  = "health"  // retained, QoS 0: Health
	LeafCommand = "command" // never retained: Command, to the board
	LeafReply   = "reply"   // QoS 1: Reply
)

// The two texts of the status topic.
const (
	Online  = "online"
	Offline = "offline"
)

// Leaves lists the leaves in the order of the contract.
func Leaves() []string {
	return []string{LeafStatus, LeafGame, LeafEvent, LeafHealth, LeafCommand, LeafReply}
}

// Topic joins a board and a leaf: Topic("north", LeafGame) is "boardd/v1/north/game". It does not check its arguments.
func Topic(board, leaf string) string { return Root + board + "/" + leaf }

// ParseTopic splits a topic into board and leaf. The error says what a topic of version 1 looks like.
func ParseTopic(topic string) (board, leaf string, err error) {
	rest, ok := strings.CutPrefix(topic, Root)
	if !ok {
		return "", "", fmt.Errorf("topic %.80q: not below %s", topic, Root)
	}
	board, leaf, _ = strings.Cut(rest, "/")
	if err := CheckBoard(board); err != nil {
		return "", "", fmt.Errorf("topic %.80q: %w", topic, err)
	}
	for _, known := range Leaves() {
		if leaf == known {
			return board, leaf, nil
		}
	}
	return "", "", fmt.Errorf("topic %.80q: leaf %.40q is unknown, known are %s", topic, leaf,
		strings.Join(Leaves(), ", "))
}

// CheckBoard returns an error unless a name may be a board's id: 1 to 32 of a-z, 0-9 and "-".
func CheckBoard(board string) error {
	if len(board) == 0 || len(board) > 32 {
		return say.Error("board id %.40q has %d characters, 1 to 32 are allowed", board, len(board))
	}
	for i := range len(board) {
		c := board[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return say.Error("board id %.40q: %s is not allowed, only a-z, 0-9 and \"-\"", board, strconv.QuoteRune(rune(c)))
		}
	}
	return nil
}
