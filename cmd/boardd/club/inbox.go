// SPDX-License-Identifier: Apache-2.0

package club

import (
	"sync"

	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// inbox is what came and has not been handled yet. Of each board it keeps only the latest game and whether the board
// is online, so nobody has to wait.
type inbox struct {
	mu      sync.Mutex
	news    map[string]*news
	order   []string              // of the boards
	replies []mirror.BoardMessage // at most mostReplies
	wake    chan struct{}         // capacity 1
}

// news is what is new of one board.
type news struct {
	game   *wire.Game
	online *bool
}

// mostBoards and mostReplies limit what waits, so that a broker full of names does not fill the memory.
const (
	mostBoards  = 20_000
	mostReplies = 1000
)

func newInbox() *inbox { return &inbox{news: map[string]*news{}, wake: make(chan struct{}, 1)} }

// put adds what came. It never waits.
func (i *inbox) put(s mirror.BoardMessage) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if s.Reply != nil {
		if len(i.replies) < mostReplies {
			i.replies = append(i.replies, s)
		}
	} else {
		n := i.news[s.Board]
		if n == nil {
			if len(i.news) >= mostBoards {
				return
			}
			n = &news{}
			i.news[s.Board] = n
			i.order = append(i.order, s.Board)
		}
		if s.Game != nil {
			n.game = s.Game
		}
		if s.Online != nil {
			n.online = s.Online
		}
	}
	select {
	case i.wake <- struct{}{}:
	default: // the loop is awake already
	}
}

// take gives what waits.
func (i *inbox) take() (order []string, all map[string]*news, replies []mirror.BoardMessage) {
	i.mu.Lock()
	defer i.mu.Unlock()
	order, all, replies = i.order, i.news, i.replies
	i.order, i.news, i.replies = nil, map[string]*news{}, nil
	return order, all, replies
}
