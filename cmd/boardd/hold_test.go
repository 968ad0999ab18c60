// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestRookFirst: against another board castling may begin with the rook, and a rook move that nothing follows is made
// all the same.
func TestRookFirst(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	_, reply := d.oslo.post("oslo", "command",
		`{"id":"1","do":"new","start":"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1","seats":{"white":"oslo","black":"rome"}}`)
	if reply["ok"] != true {
		t.Fatal(reply)
	}
	// a rook as in castling while the wood is still that of the array would be no move: put the position up first
	for _, r := range []struct {
		on    *running
		board string
	}{{d.oslo, "oslo"}, {d.rome, "rome"}} {
		r.on.await(r.board, "the position is to be set up",
			func(g *wire.Game) bool { return strings.HasPrefix(g.Start, "r3k2r") })
		r.on.clear(r.board, "b1 c1 d1 f1 g1 b8 c8 d8 f8 g8 a2 b2 c2 d2 e2 f2 g2 h2 a7 b7 c7 d7 e7 f7 g7 h7")
		r.on.await(r.board, "the position stands", synced)
	}
	d.oslo.move("oslo", "h1", "f1", 1)
	d.oslo.move("oslo", "e1", "g1", 1)
	d.rome.await("rome", "castling has come", moved("e1g1"))
	d.rome.move("rome", "h1", "f1", 1)
	d.rome.move("rome", "e1", "g1", 1)
	d.rome.await("rome", "the copy stands", synced)
	d.rome.move("rome", "a8", "d8", 1)
	d.oslo.await("oslo", "the rook move has come", moved("e1g1", "a8d8"))
}

// clear takes pieces off the board.
func (r *running) clear(board, squares string) {
	r.t.Helper()
	for _, s := range strings.Fields(squares) {
		r.hand(board, `{"do":"lift","square":"`+s+`"}`)
		r.hand(board, `{"do":"discard"}`)
	}
}
