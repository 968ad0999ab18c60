// SPDX-License-Identifier: Apache-2.0

package games

import (
	"encoding/json"
	"fmt"

	"boardd/rules/game"
	"boardd/sync/journal"
)

// Replay makes all games that the records hold, oldest first. On an error the games up to there are returned.
func Replay(records []journal.Record) ([]*game.Game, error) {
	var games []*game.Game
	for _, r := range records {
		var e game.Event
		if err := json.Unmarshal(r.Payload, &e); err != nil {
			return games, fmt.Errorf("segment %d, offset %d: %w", r.Segment, r.Offset, err)
		}
		if e.Kind == "" {
			continue // a game that was imported, not played here
		}
		if e.Kind == game.Started {
			g, err := game.New(e)
			if err != nil {
				return games, fmt.Errorf("segment %d, offset %d: %w", r.Segment, r.Offset, err)
			}
			games = append(games, g)
			continue
		}
		if len(games) == 0 {
			continue // the game's beginning was in a segment that the disk budget removed
		}
		if err := games[len(games)-1].Apply(e); err != nil {
			return games, fmt.Errorf("segment %d, offset %d: %w", r.Segment, r.Offset, err)
		}
	}
	return games, nil
}
