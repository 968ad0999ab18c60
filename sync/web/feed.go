// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"boardd/sync/wire"
)

// Feed is the newest state of one board, for all who look on. Its methods may be called from any goroutine. A
// publisher never waits: a slow reader skips states and gets the newest one.
type Feed struct {
	mu      sync.Mutex
	states  map[string]state // newest JSON by name: "game", "leds", "wood", "health", "link"
	order   []string         // the names in the order in which they were first set
	rev     uint64           // of the newest state
	events  [maxEvents]json.RawMessage
	event   uint64          // number of events until now
	stored  json.RawMessage // the newest game that was wholly stored
	changed chan struct{}   // closed and replaced at every change
	wakes   map[chan<- struct{}]bool
}

type state struct {
	data json.RawMessage
	rev  uint64
}

// maxEvents is the largest number of events that a slow browser may lag behind before it misses some.
const maxEvents = 64

// NewFeed makes an empty feed.
func NewFeed() *Feed {
	return &Feed{states: map[string]state{}, changed: make(chan struct{}), wakes: map[chan<- struct{}]bool{}}
}

// Set replaces the state of a name by the JSON of v. If the bytes are the same, that is no change. It panics if v has
// no JSON.
func (f *Feed) Set(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic("web: " + name + " does not encode: " + err.Error()) // a type of this program, never an input
	}
	f.SetJSON(name, data)
}

// SetJSON is Set for a value that is JSON already. data must not change afterwards.
func (f *Feed) SetJSON(name string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.states[name]
	if string(old.data) == string(data) {
		return
	}
	if old.rev == 0 {
		f.order = append(f.order, name)
	}
	f.rev++
	f.states[name] = state{data, f.rev}
	f.wake()
}

// SetGame is SetJSON for the game, which may not be stored yet.
func (f *Feed) SetGame(data []byte, stored bool) {
	if stored {
		f.mu.Lock()
		f.stored = data
		f.mu.Unlock()
	}
	f.SetJSON("game", data)
}

// StoredGame returns the newest game that was wholly stored as JSON, nil while there is none. It must not be changed.
func (f *Feed) StoredGame() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stored
}

// Drop removes the state of a name. A stream then says the name alone, see stream.
func (f *Feed) Drop(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.states[name].rev == 0 {
		return
	}
	delete(f.states, name)
	f.order = slices.DeleteFunc(f.order, func(n string) bool { return n == name })
	f.wake()
}

// Event adds an event. A browser gets each one once, and misses some if it is more than maxEvents behind.
func (f *Feed) Event(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic("web: an event does not encode: " + err.Error())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events[f.event%maxEvents] = data
	f.event++
	f.wake()
}

func (f *Feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
	for w := range f.wakes {
		select {
		case w <- struct{}{}:
		default: // it is awake already
		}
	}
}

// watch sends a signal to wake, whose capacity must be 1, at every change until leave is called.
func (f *Feed) watch(wake chan<- struct{}) (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wakes[wake] = true
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.wakes, wake)
	}
}

// Get returns the newest state of a name as JSON, nil when there is none yet. It must not be changed.
func (f *Feed) Get(name string) json.RawMessage {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.states[name].data
}

// message is one server-sent event.
type message struct {
	name string
	data json.RawMessage // nil: the state of this name is gone
}

// cursor is how far one browser has read.
type cursor struct {
	revs  map[string]uint64
	event uint64
}

// changesSince lists what is new since the cursor, states first.
func (f *Feed) changesSince(c *cursor) []message {
	f.mu.Lock()
	defer f.mu.Unlock()
	var ms []message
	for _, name := range f.order {
		if s := f.states[name]; s.rev != c.revs[name] {
			c.revs[name] = s.rev
			ms = append(ms, message{name, s.data})
		}
	}
	for name := range c.revs {
		if len(c.revs) == len(f.order) {
			break
		}
		if f.states[name].rev == 0 {
			delete(c.revs, name)
			ms = append(ms, message{name, nil})
		}
	}
	if f.event > c.event+maxEvents {
		c.event = f.event - maxEvents
	}
	for ; c.event < f.event; c.event++ {
		ms = append(ms, message{"event", f.events[c.event%maxEvents]})
	}
	return ms
}

// newCursor is a cursor that has seen no state and no event before now.
func (f *Feed) newCursor() *cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &cursor{revs: map[string]uint64{}, event: f.event}
}

// Changed returns a channel that is closed at the next change.
func (f *Feed) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

// answerCache caches expensive answers about one state of a board's game, so that each is computed once.
type answerCache struct {
	mu      sync.Mutex
	state   []byte
	answers map[string][]byte // by question
}

// get is the cached answer about the same state, nil if there is none.
func (t *answerCache) get(state []byte, asked string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if state == nil || !bytes.Equal(state, t.state) {
		return nil
	}
	return t.answers[asked]
}

// put stores an answer, and drops those about another state.
func (t *answerCache) put(state []byte, asked string, answer []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.answers == nil || !bytes.Equal(state, t.state) {
		t.state, t.answers = state, map[string][]byte{}
	}
	t.answers[asked] = answer
}

// answerCached answers a question about the game of the board that a request names. If the game has not changed, it
// repeats the cached answer. There must only be a small number of different questions.
func (s *Server) answerCached(w http.ResponseWriter, r *http.Request, asked string,
	tell func(*wire.Game) (any, error)) {
	b := s.board(w, r)
	if b == nil {
		return
	}
	kept, _ := s.answers.LoadOrStore(b.ID, &answerCache{})
	t := kept.(*answerCache) //nolint:forcetypeassert // nothing else is stored there
	state := b.Feed.Get("game")
	if answer := t.get(state, asked); answer != nil {
		writeJSON(w, http.StatusOK, answer)
		return
	}
	_, g := s.game(w, r)
	if g == nil {
		return
	}
	said, err := tell(g)
	var answer []byte
	if err == nil {
		answer, err = json.Marshal(said)
	}
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	if bytes.Equal(state, b.Feed.Get("game")) { // otherwise the answer may be about the next state
		t.put(state, asked, answer)
	}
	writeJSON(w, http.StatusOK, answer)
}
