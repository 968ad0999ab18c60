// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/hardware/box/emulator"
	"boardd/sync/wire"
)

// spectator looks on at the broker outside.
type spectator struct {
	client  mqtt.Client
	games   chan wire.Game   // capacity 1: the newest
	healths chan wire.Health // capacity 1: the newest
	status  chan word        // capacity 16: what the board's status said; later words are dropped
}

// word is what a board's status said, and when.
type word struct {
	said string
	at   time.Time
}

func look(url string) (*spectator, error) {
	s := &spectator{games: make(chan wire.Game, 1), healths: make(chan wire.Health, 1), status: make(chan word, 16)}
	s.client = mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID("outside").SetOrderMatters(true))
	if t := s.client.Connect(); !t.WaitTimeout(connectsIn) || t.Error() != nil {
		return nil, fmt.Errorf("the spectator at %s: %w", url, errors.Join(t.Error(), errors.New("it cannot connect")))
	}
	t := s.client.Subscribe("boardd/v1/"+boardID+"/#", 1, func(_ mqtt.Client, m mqtt.Message) {
		switch m.Topic() {
		case "boardd/v1/" + boardID + "/game":
			var g wire.Game
			if json.Unmarshal(m.Payload(), &g) == nil {
				select {
				case <-s.games:
				default:
				}
				s.games <- g
			}
		case "boardd/v1/" + boardID + "/health":
			if h, err := wire.DecodeHealth(m.Payload()); err == nil {
				select {
				case <-s.healths:
				default:
				}
				s.healths <- h
			}
		case "boardd/v1/" + boardID + "/status":
			select {
			case s.status <- word{string(m.Payload()), time.Now()}:
			default:
			}
		}
	})
	if !t.WaitTimeout(connectsIn) || t.Error() != nil {
		return nil, fmt.Errorf("the spectator cannot subscribe: %w", t.Error())
	}
	return s, nil
}

// forget drops what status and health said so far.
func (s *spectator) forget() {
	for {
		select {
		case <-s.status:
		case <-s.healths:
		default:
			return
		}
	}
}

// awaitStatus waits until the board's status is a word, and tells when it came.
func (s *spectator) awaitStatus(ctx context.Context, said string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, emulator.Patience)
	defer cancel()
	for {
		select {
		case got := <-s.status:
			if got.said == said {
				return got.at, nil
			}
		case <-ctx.Done():
			return time.Time{}, fmt.Errorf("the broker never heard %q", said)
		}
	}
}

// awaitHealth waits until the board's health satisfies the condition; it is told every ten seconds.
func (s *spectator) awaitHealth(ctx context.Context, what string, ok func(*wire.Health) bool) error {
	ctx, cancel := context.WithTimeout(ctx, emulator.Patience)
	defer cancel()
	var last wire.Health
	for {
		select {
		case last = <-s.healths:
			if ok(&last) {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("the board never told of this: %s; it says %+v", what, last.Parts)
		}
	}
}

// awaitMoves waits until the broker has a game with these moves.
func (s *spectator) awaitMoves(ctx context.Context, moves []string) (wire.Game, error) {
	ctx, cancel := context.WithTimeout(ctx, emulator.Patience)
	defer cancel()
	for {
		select {
		case g := <-s.games:
			if slices.Equal(g.Moves, moves) {
				return g, nil
			}
		case <-ctx.Done():
			return wire.Game{}, fmt.Errorf("the broker never heard of all %d moves", len(moves))
		}
	}
}
