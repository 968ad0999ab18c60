// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"time"

	"boardd/cmd/boardd/link"
	"boardd/config"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/lichess"
	"boardd/sync/mirror"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// receive takes in what came from the broker.
func (b *board) receive(in *mirror.Incoming) {
	now := time.Now()
	switch {
	case in.Command != nil:
		b.mirror.Reply(b.brokerCommand(in.Command))
	case in.Game != nil:
		b.carry(b.table.Receive(now, tableMessage(in.Board, in.Game, in.Old)))
	case in.Link != nil:
		b.carry(b.table.Linked(now, table.Connection{Up: in.Link.Up, Trouble: in.Link.Trouble, Refused: in.Link.Refused}))
	case in.Online != nil:
		b.carry(b.table.Presence(now, in.Board, *in.Online))
	}
}

// brokerCommand carries out a command that came from the broker, if the owner of the board allows it.
func (b *board) brokerCommand(c *wire.Command) wire.Reply {
	by, err := b.signer(c)
	via := game.OverMQTT(by.Name)
	if err == nil {
		err = link.Allows(b.conf.MQTTCommands, c, by.Name, by.Number, b.table.Game())
	}
	if err == nil && len(b.conf.MQTTCommands) == 0 {
		err = b.strangers.Begins(c)
	}
	if err != nil {
		b.log.Warn("a command was refused", "do", c.Do, "id", c.ID, "given", game.Given(via), "error", err)
		return refusal(c.ID, err)
	}
	b.log.Info("a command came", "do", c.Do, "id", c.ID, "given", game.Given(via))
	return b.answer(c, via)
}

// signer is whoever signed a command, if anybody did. Where signatures count, a wrong one is an error.
func (b *board) signer(c *wire.Command) (trust.Giver, error) {
	if c.Signed == "" || !slices.Contains(b.conf.MQTTCommands, config.Signed) {
		return trust.Giver{}, nil
	}
	return b.orders.Accept(b.id, c.Text(), c.Signed)
}

// answer carries out a command and makes its reply. The reply says so if the result could not be stored.
func (b *board) answer(c *wire.Command, via string) wire.Reply {
	effects, err := b.table.Command(time.Now(), tableCommand(c, via))
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

// lichessUpdate takes in what the seat at Lichess says. The opponent there is treated like another board.
func (b *board) lichessUpdate(s *lichess.Update) {
	now := time.Now()
	switch {
	case s.Game != nil:
		b.carry(b.table.Receive(now, tableMessage(game.Lichess, s.Game, s.Old)))
	case s.Names != nil && b.table.Game().Setup().Judged():
		b.answer(&wire.Command{Do: wire.DoName, Names: s.Names}, "")
	case s.Hurry > 0:
		b.carry(b.table.UrgentNotice(now, "Lichess ends the game in "+s.Hurry.Round(time.Second).String()+
			" unless a move is made"))
	case s.Text != "":
		b.carry(b.table.Notice(now, s.Text))
	}
}
