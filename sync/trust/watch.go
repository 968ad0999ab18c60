// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"boardd/rules/game"
	"boardd/sync/seal"
	"boardd/sync/wire"
)

// Watch is for those who look on at all boards of a broker, as on a wall. It leaves out what boards whose keys are
// known here have not signed. It is not safe for use by several goroutines at once.
type Watch struct {
	board string       // where they look on
	ask   func() *Keys // a copy of what is known now; nil: nobody answers any more
	log   *slog.Logger
	keys  *Keys     // as they were told last
	old   time.Time // when they are asked for again
	sound map[string]string
}

// NewWatch returns a watch at a board.
func NewWatch(board string, ask func() *Keys, log *slog.Logger) *Watch {
	return &Watch{board: board, ask: ask, log: log, sound: map[string]string{}}
}

// Copy is what is known now. It does not change later.
func (k *Keys) Copy() *Keys {
	c := *k // its maps are replaced, and never written to
	return &c
}

// known asks for the keys, unless that was done a short while ago.
func (w *Watch) known() *Keys {
	if now := time.Now(); w.keys == nil || now.After(w.old) {
		if k := w.ask(); k != nil {
			w.keys, w.old = k, now.Add(keysFor)
			clear(w.sound) // another key may count
		}
	}
	return w.keys
}

// Known lists the boards whose keys are known.
func (w *Watch) Known() []Known {
	if k := w.known(); k != nil {
		return k.List()
	}
	return nil
}

// Shown is the game that a board publishes, nil if that is not its own. What a board publishes whose key is not known
// is taken as it is.
func (w *Watch) Shown(board string, g *wire.Game) *wire.Game {
	k := w.known()
	if g == nil || k == nil {
		return nil
	}
	words := k.words(board)
	if board == w.board {
		words = k.Words()
	}
	if words == "" {
		return g
	}
	last := fmt.Sprint(SealTexts(g.Seals), g.Moves, g.Outcome, g.Reason, g.Takebacks, g.Seats, g.Game, g.Start, g.Variant,
		g.FEN, g.SAN, g.Turn, g.Check)
	if w.sound[board] == last {
		return g
	}
	if err := signs(board, words, g); err != nil {
		w.log.Warn("those who look on are not shown what a board has not signed", "of", board, "error", err)
		return nil
	}
	w.sound[board] = last
	return g
}

// signs checks that a board has signed the game that it publishes, by the key with these words.
func signs(board, words string, g *wire.Game) error {
	set := game.Setup{ID: g.Game, Variant: g.Variant, Board: board, White: g.Seats.White, Black: g.Seats.Black,
		Start: g.Start}
	sg := seal.Game{ID: g.Game, Variant: g.Variant, White: set.White, Black: set.Black, Start: g.Start, Moves: g.Moves,
		Takebacks: g.Takebacks, Outcome: g.Outcome, Reason: g.Reason}
	texts, mine := SealTexts(g.Seals), false
	for _, side := range []game.Side{game.White, game.Black} {
		if !set.Here(side) {
			continue
		}
		mine = true
		s, err := seal.Parse(texts[side])
		if err == nil {
			err = s.Covers(string(side), firstOf(g.Start), &sg)
		}
		if err != nil {
			return err
		}
		if is := seal.Fingerprint(s.Key); is != words {
			return fmt.Errorf("it is signed by the key (%s), want (%s)", is, words)
		}
	}
	if !mine {
		return errors.New("the board plays neither side")
	}
	return stands(set, g)
}

// stands checks that the position of a game is that after its moves. Only the moves are signed.
func stands(set game.Setup, g *wire.Game) error {
	started, err := game.Start(set, time.Time{})
	if err != nil {
		return err
	}
	played, err := game.New(started)
	for _, m := range g.Moves {
		if err == nil {
			err = played.Apply(game.Event{Kind: game.Moved, Move: m, Remote: true})
		}
	}
	if err != nil {
		return err
	}
	p := played.Position()
	last := func(san []string) string { return fmt.Sprint(san[max(0, len(san)-1):]) }
	if p.FEN() != g.FEN || p.Turn().String() != g.Turn || p.InCheck() != g.Check || last(played.SAN()) != last(g.SAN) {
		return fmt.Errorf("its moves lead to %s, and it shows %s", p.FEN(), g.FEN)
	}
	return nil
}
