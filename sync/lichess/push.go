// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// mostGames is how many games one push may hold.
const mostGames = 100

// Pusher pushes the games of a round to a broadcast.
type Pusher struct {
	c     *Client
	round string
	news  func() // told when Status has changed

	mu     sync.Mutex
	tables []int
	texts  [][]byte
	wake   chan struct{} // capacity 1
	status Status
}

// Status is how the broadcast stands.
type Status struct {
	Pushed  time.Time      `json:"pushed"`  // when all games were last accepted, or refused one by one
	Trouble string         `json:"trouble"` // why nothing is taken, "" when all goes well
	Faults  map[int]string `json:"faults"`  // by table: why the server refuses its game
}

// NewPusher returns a pusher to the round with an id. It calls news, from its own goroutine, when its status has
// changed.
func NewPusher(c *Client, round string, news func()) *Pusher {
	return &Pusher{c: c, round: round, news: news, wake: make(chan struct{}, 1)}
}

// Set takes the newest games, by table. It never waits.
func (p *Pusher) Set(tables []int, texts [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Equal(tables, p.tables) && slices.EqualFunc(texts, p.texts, bytes.Equal) {
		return
	}
	p.tables, p.texts = slices.Clone(tables), slices.Clone(texts)
	select {
	case p.wake <- struct{}{}:
	default: // it will be pushed
	}
}

// Status returns the state of the broadcast.
func (p *Pusher) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// Run pushes until ctx ends.
func (p *Pusher) Run(ctx context.Context) {
	pause := retryLeast
	for {
		again := time.NewTimer(pushAgain)
		select {
		case <-p.wake:
			again.Stop()
			if rest(ctx, gather) != nil {
				return
			}
			select {
			case <-p.wake: // it goes out with the others
			default:
			}
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return
		}
		for {
			err := p.push(ctx)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				pause = retryLeast
				break
			}
			if rest(ctx, pause) != nil { // after 429 the client waits as well
				return
			}
			pause = min(2*pause, retryMost)
		}
	}
}

// push sends all games, as many at once as the server takes.
func (p *Pusher) push(ctx context.Context) error {
	p.mu.Lock()
	tables, texts := p.tables, p.texts
	p.mu.Unlock()
	faults := map[int]string{}
	for len(tables) > 0 {
		n := min(mostGames, len(tables))
		var answer struct {
			Games []struct {
				Error string `json:"error"`
			} `json:"games"`
		}
		err := p.c.call(ctx, http.MethodPost, "/api/broadcast/round/"+url.PathEscape(p.round)+"/push", "text/plain",
			string(bytes.Join(texts[:n], nil)), &answer)
		if err != nil {
			p.tell(Status{Trouble: err.Error()}, false)
			return err
		}
		for i, g := range answer.Games {
			if g.Error != "" && i < n {
				faults[tables[i]] = g.Error
			}
		}
		tables, texts = tables[n:], texts[n:]
	}
	p.tell(Status{Pushed: time.Now(), Faults: faults}, true)
	return nil
}

// tell stores a new status. Fields that are not set keep their old values.
func (p *Pusher) tell(s Status, done bool) {
	p.mu.Lock()
	if !done {
		s.Pushed, s.Faults = p.status.Pushed, p.status.Faults
	}
	p.status = s
	p.mu.Unlock()
	p.news()
}
