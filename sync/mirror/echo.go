// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"boardd/sync/wire"
)

// echo compares what this board published with what comes back on its own topics.
type echo struct {
	mu      sync.Mutex
	stale   bool              // an "offline" was seen that does not hold any more
	awaited int               // how many "online" were published and not seen yet
	games   [16][32]byte      // digests of the last games that were published
	next    int               // place of the next one in games
	unseen  time.Time         // when the last game was published; zero once it came back
	back    bool              // the last game that was published has come back
	old     bool              // another game came after it, which is now what others find
	foreign int               // messages that somebody else wrote
	heard   map[string]latest // by followed board
}

// latest is what a followed board has published last.
type latest struct {
	game [32]byte // its digest
	live bool     // it has come since the retained one was asked for, which is therefore older or the same
}

// reset begins a new connection. Messages of the last one come back as retained, if at all.
func (e *echo) reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stale, e.awaited, e.foreign, e.heard, e.unseen, e.back, e.old = false, 0, 0, nil, time.Time{}, false, false
}

func (e *echo) saidOnline() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.awaited++
}

func (e *echo) saidGame(payload []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.games[e.next%len(e.games)] = sha256.Sum256(payload)
	e.next++
	e.back, e.old = false, false
	if e.unseen.IsZero() {
		e.unseen = time.Now()
	}
}

// silence is how long published games have not come back; 0 when the last one did.
func (e *echo) silence() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unseen.IsZero() {
		return 0
	}
	return time.Since(e.unseen)
}

// takeOld reports whether another game has replaced the last one, once for each. The cause may be a message that was
// delivered twice, a broker that restored an old copy, or another client.
func (e *echo) takeOld() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	old := e.old
	e.old = false
	return old
}

func (e *echo) takeStale() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	stale := e.stale
	e.stale = false
	return stale
}

func (e *echo) foreignSeen() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.foreign > 0
}

// status takes in a message on the own status topic, and reports whether another client published "online".
func (e *echo) status(text string, retained bool) (foreign bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case text != wire.Online:
		e.stale = true
	case retained:
	case e.awaited > 0:
		e.awaited--
	default:
		e.foreign++
		return true
	}
	return false
}

// game takes in a message on the own game topic. It reports whether another client published it: then it is none of
// the last games of this board. A retained one may be from an earlier run.
func (e *echo) game(payload []byte, retained bool) (foreign bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	sum := sha256.Sum256(payload)
	own := slices.Contains(e.games[:], sum)
	if own {
		e.unseen = time.Time{}
	}
	latest := e.next > 0 && sum == e.games[(e.next-1)%len(e.games)]
	e.back, e.old = e.back || latest, e.back && !latest
	if retained || own {
		return false
	}
	e.foreign++
	return true
}

// known reports whether a followed board's game brings nothing new: it is the same as the last one, or a newer one has
// overtaken it. A broker may look up what it retains before a message is published, and send it after that.
func (e *echo) known(board string, payload []byte, retained bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	was, now := e.heard[board], latest{sha256.Sum256(payload), !retained}
	if retained && was.live {
		return true
	}
	if e.heard == nil {
		e.heard = map[string]latest{}
	}
	e.heard[board] = now
	return now.game == was.game
}

// asked notes that a broker is asked for what it retains of a board.
func (e *echo) asked(board string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if was, ok := e.heard[board]; ok {
		was.live = false
		e.heard[board] = was
	}
}

// forget makes a board's game count as new again.
func (e *echo) forget(board string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.heard, board)
}
