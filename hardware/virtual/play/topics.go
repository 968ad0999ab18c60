// SPDX-License-Identifier: Apache-2.0

package play

import (
	"boardd/rules/pgn"
	"boardd/sync/wire"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// topics hears what the boards say to the broker, as any spectator can.
type topics struct {
	client mqtt.Client
	mu     sync.Mutex
	said   map[string]wire.Game // guarded by mu
	news   chan struct{}        // capacity 1: something was said
}

func watchTopics(url string) (*topics, error) {
	w := &topics{said: map[string]wire.Game{}, news: make(chan struct{}, 1)}
	o := mqtt.NewClientOptions().AddBroker(url).SetClientID("boardd-demo-spectator").SetConnectTimeout(patience)
	w.client = mqtt.NewClient(o)
	if t := w.client.Connect(); !t.WaitTimeout(patience) || t.Error() != nil {
		return nil, fmt.Errorf("the spectator cannot connect to %s: %v", url, t.Error())
	}
	t := w.client.Subscribe(wire.Topic("+", wire.LeafGame), 1, w.hear)
	if !t.WaitTimeout(patience) || t.Error() != nil {
		w.stop()
		return nil, fmt.Errorf("the spectator cannot subscribe at %s: %v", url, t.Error())
	}
	return w, nil
}

func (w *topics) stop() { w.client.Disconnect(100) }

// hear keeps the newest game of each board. It runs on the client's goroutine and never blocks.
func (w *topics) hear(_ mqtt.Client, m mqtt.Message) {
	board, _, err := wire.ParseTopic(m.Topic())
	if err != nil {
		return
	}
	g, err := wire.DecodeGame(m.Payload())
	if err != nil {
		return // a topic that cannot be read does not agree: that is found at the end
	}
	w.mu.Lock()
	w.said[board] = g
	w.mu.Unlock()
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// agree checks that file, boards and topics hold the same moves and the same result.
func agree(ctx context.Context, file *pgn.Game, players []*player, w *topics) error {
	var want []string
	pos := file.Start
	for _, ply := range file.Plies {
		want = append(want, pos.Coord(ply.Move))
		pos.Play(ply.Move)
	}
	result := string(pos.Result())
	check := func(who string, g *wire.Game) error {
		if !slices.Equal(g.Moves, want) {
			return fmt.Errorf("%s holds the moves %v, the file %v", who, g.Moves, want)
		}
		if g.Reason != result {
			return fmt.Errorf("%s says the result is %q, the rules say %q", who, g.Reason, result)
		}
		if result != "" && file.Result != "*" && g.Outcome != file.Result {
			return fmt.Errorf("%s says %s, the file %s", who, g.Outcome, file.Result)
		}
		return nil
	}
	for _, p := range players {
		g, err := p.game()
		if err == nil {
			err = check("board "+p.b.ID, &g)
		}
		if err != nil {
			return err
		}
	}
	return w.agree(ctx, players, check)
}

// agree waits until each board's topic says the same as the file.
func (w *topics) agree(ctx context.Context, players []*player, check func(string, *wire.Game) error) error {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		var wrong error
		for _, p := range players {
			w.mu.Lock()
			g := w.said[p.b.ID]
			w.mu.Unlock()
			if err := check("topic "+wire.Topic(p.b.ID, wire.LeafGame), &g); err != nil {
				wrong = err
			}
		}
		if wrong == nil {
			return nil
		}
		select {
		case <-w.news:
		case <-limit.C:
			return wrong
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
