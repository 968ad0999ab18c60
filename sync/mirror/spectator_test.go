// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"context"
	"testing"

	"boardd/sync/broker"
	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// TestHall: a spectator receives the game and the status of a board that it did not know, and ends when it is told to.
func TestHall(t *testing.T) {
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	const array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	live(t, mirror.Options{Board: "north", URL: br.URL()}).Publish(wire.Game{Schema: wire.Schema, Game: "0000000001-a",
		Variant: "chess",
		Seats:   wire.Seats{White: "local", Black: "local"}, Start: array, FEN: array, Turn: "white",
		Wood: wire.Wood{State: wire.Synced}})
	ctx, leave := context.WithCancel(t.Context())
	seen := make(chan mirror.BoardMessage, 64)
	left := make(chan error, 1)
	go func() {
		left <- mirror.NewSpectator(mirror.Options{URL: br.URL()}).Run(ctx, func(s mirror.BoardMessage) { seen <- s })
	}()
	for game, online := false, false; !game || !online; {
		s := <-seen
		if s.Board != "north" {
			t.Errorf("heard of %q", s.Board)
		}
		game = game || s.Game != nil && s.Game.Game == "0000000001-a"
		online = online || s.Online != nil && *s.Online
	}
	leave()
	if err := <-left; err != nil {
		t.Error(err)
	}
}

func TestHallWithoutBroker(t *testing.T) {
	spectator := mirror.NewSpectator(mirror.Options{URL: "ftp://nowhere"})
	if err := spectator.Run(t.Context(), func(mirror.BoardMessage) {}); err == nil {
		t.Error("a wrong address is taken")
	}
}
