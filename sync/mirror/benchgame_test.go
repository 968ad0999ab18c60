// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"context"
	"encoding/json"
	"testing"

	"boardd/sync/wire"
)

func withCancel() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

// timedSample is a game of 40 moves that carries a number in its clock.
func timedSample(i int) wire.Game {
	g := sample("bench", 80)
	g.Clock = &wire.Clock{White: int64(i)}
	return g
}

// payload is the same game in JSON, for a plain client.
func payload(b *testing.B, i int) []byte {
	p, err := json.Marshal(timedSample(i))
	if err != nil {
		b.Error(err)
	}
	return p
}
