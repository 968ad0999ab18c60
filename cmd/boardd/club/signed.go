// SPDX-License-Identifier: Apache-2.0

package club

import (
	"context"
	"log/slog"

	"boardd/sync/mirror"
	"boardd/sync/trust"
)

// signed is a spectator that leaves out what boards have not signed whose keys are in a file (mqtt.keys_file).
type signed struct {
	spectator
	file string // "" for none
	log  *slog.Logger
}

// Run tells what the spectator hears. The file is read again every few seconds. If it cannot be read any more, the
// keys known before still count.
func (s signed) Run(ctx context.Context, tell func(mirror.BoardMessage)) error {
	keys, err := trust.Read(s.file)
	if err != nil {
		return err
	}
	trouble := ""
	watch := trust.NewWatch("", func() *trust.Keys {
		switch k, err := trust.Read(s.file); {
		case err == nil:
			keys, trouble = k, ""
		case err.Error() != trouble:
			trouble = err.Error()
			s.log.Warn("the keys of boards are not read again: those known before count", "error", err)
		}
		return keys
	}, s.log)
	return s.spectator.Run(ctx, func(m mirror.BoardMessage) {
		if m.Game != nil && watch.Shown(m.Board, m.Game) == nil {
			return // the message of a game has nothing else
		}
		tell(m)
	})
}
