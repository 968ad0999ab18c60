// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// touch lights a square, and lets through the browser of whoever puts a piece there or lifts the one that stands
// there. Only somebody at the board can do that.
func (f *First) touch(w http.ResponseWriter, r *http.Request) {
	if !f.look.TryLock() {
		refuse(w, http.StatusConflict, say.Error("somebody else looks at the board or asks for a touch just now: if a "+
			"square is lit that you did not ask for, leave it alone"))
		return
	}
	defer f.look.Unlock()
	f.mu.Lock()
	found := f.found
	f.mu.Unlock()
	if found.Kind == "" || len(found.SPI) == 0 {
		refuse(w, http.StatusConflict, say.Error("no board with lights is connected: enter the word"))
		return
	}
	c := config.Default()
	found.Configure(&c)
	if err := touched(r.Context(), c); err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	f.grant(w)
}

// touched waits until the reed of a lit square, and of no other, changes.
func touched(ctx context.Context, c config.Config) error {
	quiet := slog.New(slog.DiscardHandler)
	board, err := rig.Open(&c, quiet)
	if err != nil {
		return err
	}
	defer board.Dark()
	sq, err := anySquare()
	if err != nil {
		return err
	}
	var picture leds.Frame
	picture[sensing.Lower][sq] = leds.Color{R: 255, G: 255, B: 255}
	if err := board.Lights.Show(picture); err != nil {
		return fmt.Errorf("the lights do not take what is sent: %w", err)
	}
	ctx, stop := context.WithTimeout(ctx, touchTime)
	readings := make(chan sensing.Reading) // capacity 0: the sources wait
	done := board.RunSources(ctx, readings, quiet)
	defer done()
	defer stop()
	return changes(ctx, sq, readings)
}

// anySquare is a square that nobody can know before it is lit.
func anySquare() (rules.Square, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(64))
	if err != nil {
		return 0, err
	}
	return rules.Square(n.Int64()), nil
}

// changes waits until the reed of a square changes. If many reeds change at once, that is no answer.
func changes(ctx context.Context, sq rules.Square, readings <-chan sensing.Reading) error {
	var before, known rules.Bitboard // as they were, of which it is known
	for {
		select {
		case m := <-readings:
			if m.Kind != sensing.Reeds || m.Deck != sensing.Lower || !m.Known.Has(sq) {
				continue
			}
			before |= m.Closed &^ known
			known |= m.Known
			switch diff := (m.Closed ^ before) & m.Known; {
			case diff == sq.Bit():
				return nil
			case diff != 0:
				return say.Error("another square was touched: look for the lit one, and touch it alone")
			}
		case <-ctx.Done():
			return say.Error("the lit square was not touched in time: put a piece on it, or lift the one that stands there")
		}
	}
}
