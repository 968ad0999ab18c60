// SPDX-License-Identifier: Apache-2.0

package seat

import (
	"log/slog"

	"boardd/cmd/boardd/link"
	"boardd/config"
	"boardd/sync/lichess"
)

// Online is the seat of a board at lichess.org, nil when it has no account there.
func Online(c *config.Config, log *slog.Logger) *lichess.Seat {
	if c.LichessTokenFile == "" {
		return nil
	}
	token, err := link.FirstLine(c.LichessTokenFile)
	if err != nil {
		log.Error("nobody can be played at Lichess", "lichess.token_file", c.LichessTokenFile, "error", err)
		return nil
	}
	return lichess.NewSeat(lichess.New(c.LichessURL, token, nil), c.Board,
		lichess.GameOptions{Opponent: c.LichessOpponent, Level: c.LichessLevel, Minutes: c.LichessMinutes,
			Increment: c.LichessIncrement, Rated: c.LichessRated})
}
