// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"boardd/rules/table"
	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// receive takes what came from the broker.
func (b *board) receive(in *mirror.Incoming) {
	now := time.Now()
	switch {
	case in.Command != nil:
		b.mirror.Reply(b.answer(in.Command))
	case in.Game != nil:
		b.carry(b.table.Rival(now, heard(in.Board, in.Game, in.Old)))
	case in.Link != nil:
		b.carry(b.table.Linked(now, table.Connection{Up: in.Link.Up, Trouble: in.Link.Trouble, Refused: in.Link.Refused}))
	case in.Online != nil:
		b.carry(b.table.Presence(now, in.Board, *in.Online))
	}
}

// answer carries a command out and makes its reply. What was done and could not be stored is said.
func (b *board) answer(c *wire.Command) wire.Reply {
	effects, err := b.table.Command(time.Now(), asked(c))
	b.carry(effects)
	if err != nil {
		return refusal(c.ID, err)
	}
	reply := wire.Reply{ID: c.ID, OK: true}
	if b.table.Unsaved() != nil {
		reply.Stored = new(bool)
	}
	return reply
}
