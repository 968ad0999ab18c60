// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// Going reports whether a game of the account is played at the server. During one, no program may help anybody here.
func (s *Seat) Going() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.going) > 0
}

// note notes that a game goes on there, or that it has ended. The caller holds mu.
func (s *Seat) note(id string, on bool) {
	if !on {
		delete(s.going, id)
		return
	}
	if s.going == nil {
		s.going = map[string]time.Time{}
	}
	s.going[id] = time.Now()
}

// hear is note for whoever does not hold mu.
func (s *Seat) hear(id string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(id, on)
}

// forget forgets the games that the server has not named since a stream of events was opened: they have ended in
// between. If the game on the table is one of them, it ends.
func (s *Seat) forget(opened time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, heard := range s.going {
		if heard.Before(opened) && (s.ours == nil || there(s.ours.Game) != id || s.ours.Outcome != "") {
			delete(s.going, id)
		}
	}
}

// hearEvents keeps the stream of events open until ctx ends.
func (s *Seat) hearEvents(ctx context.Context) {
	pause := retryLeast
	send := func(e event) {
		select {
		case s.events <- e:
		case <-ctx.Done():
		}
	}
	for ctx.Err() == nil {
		var opened time.Time
		said := false
		err := s.c.stream(ctx, http.MethodGet, "/api/stream/event", nil, func(data []byte) error {
			pause = retryLeast
			if opened.IsZero() {
				opened = time.Now()
			}
			if e, ok := decode[event](data); ok {
				send(e)
			}
			if !said && time.Since(opened) >= tellsWithin {
				said = true
				send(event{Type: toldAll, opened: opened})
			}
			return nil
		})
		if err != nil && !errors.Is(err, io.EOF) && final(err) {
			send(event{Type: "refused " + err.Error()})
			pause = retryMost
		}
		if rest(ctx, pause) != nil {
			return
		}
		pause = min(2*pause, retryMost)
	}
}
