// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Quota holds the limits of one account. A value of 0 is no limit.
type Quota struct {
	Connections int     // at a time
	Sessions    int     // that outlive their connections
	Filters     int     // bytes of what its clients subscribe to, with what the broker needs beside
	Messages    float64 // published in a second, in the long run; ten seconds' worth may come at once
	Bytes       float64 // published in a second, in the long run; half a minute's worth may come at once
	// how many times the long run's pace what comes at once is passed on at most, except one second's worth
	Peak     float64
	Retained int // bytes; the oldest go
	// bytes in an hour that are kept for clients which are away, those above QoS 0; half of them may come at once
	Waiting int
}

// How many seconds' worth may come at once. A board that was away publishes everything at once.
const (
	messagesAtOnce = 10
	bytesAtOnce    = 30
)

// share is what one account uses of its quota.
type share struct {
	q Quota

	mu       sync.Mutex
	conns    int
	messages bucket
	bytes    bucket
	peak     [2]bucket       // of messages and of bytes
	topics   map[string]kept // what is retained
	// the topic written longest ago comes first; a topic written again is there a second time, farther back
	order     []written
	retained  int      // bytes
	owed      []string // topics whose messages have to be removed, and could not be
	writes    int
	slowedNow bool
	waiting   bucket
	fullNow   bool
	sessions  map[string]time.Time // by client id: when it was last there
	manyNow   bool
	filters   map[string]*subscriptions // by client id
	weight    int                       // of all filters
	turns     chan struct{}             // full: as many clients as may catch up
	stalled   atomic.Int32              // clients that have taken nothing for a while
}

// kept is a message that is retained.
type kept struct{ size, write int }

// written is a topic and the number of the write.
type written struct {
	topic string
	write int
}

// overhead is about what a retained message takes beside its text, so that many small ones count as well.
const overhead = 64

func newShare(q Quota, now time.Time) *share {
	return &share{q: q, messages: bucket{q.Messages * messagesAtOnce, q.Messages * messagesAtOnce, q.Messages, now},
		bytes:   bucket{q.Bytes * bytesAtOnce, q.Bytes * bytesAtOnce, q.Bytes, now},
		peak:    [2]bucket{{q.Messages, q.Messages, q.Messages * q.Peak, now}, {q.Bytes, q.Bytes, q.Bytes * q.Peak, now}},
		waiting: bucket{float64(q.Waiting) / 2, float64(q.Waiting) / 2, float64(q.Waiting) / 2 / time.Hour.Seconds(), now},
		topics:  map[string]kept{}, sessions: map[string]time.Time{}, filters: map[string]*subscriptions{},
		turns: make(chan struct{}, catchUps)}
}

// enter counts a connection, and reports whether there is room for it.
func (s *share) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.q.Connections > 0 && s.conns >= s.q.Connections {
		return false
	}
	s.conns++
	return true
}

func (s *share) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns--
}

// pace is how long a message of this many bytes has to wait, and whether it is news that the account says too much.
func (s *share) pace(size int, now time.Time) (wait time.Duration, news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait = max(s.messages.take(1, now), s.bytes.take(float64(size), now))
	news = wait > 0 && !s.slowedNow
	s.slowedNow = wait > 0
	return max(wait, s.peak[0].take(1, now), s.peak[1].take(float64(size), now)), news
}

// keeps reports whether a message of this many bytes may wait for absent clients, and whether a refusal has to be
// logged.
func (s *share) keeps(size int, now time.Time) (ok, news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size += overhead
	ok = s.waiting.take(float64(size), now) == 0
	if !ok {
		s.waiting.level += float64(size) // what is not kept does not count
	}
	news = !ok && !s.fullNow
	s.fullNow = !ok
	return ok, news
}

// retain notes a retained message, and returns the topics whose messages have to be removed for it.
func (s *share) retain(topic string, size int) (gone []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retained -= s.topics[topic].size
	delete(s.topics, topic)
	s.owed = slices.DeleteFunc(s.owed, func(old string) bool { return old == topic }) // it is written again, or removed
	if size == 0 {
		return nil
	}
	size += overhead + len(topic)
	s.writes++
	s.topics[topic] = kept{size, s.writes}
	s.order = append(s.order, written{topic, s.writes})
	s.retained += size
	for s.q.Retained > 0 && s.retained > s.q.Retained && len(s.topics) > 1 {
		old := s.order[0]
		s.order = s.order[1:]
		if s.topics[old.topic].write == old.write {
			s.retained -= s.topics[old.topic].size
			delete(s.topics, old.topic)
			gone = append(gone, old.topic)
		}
	}
	if len(s.order) > 2*len(s.topics)+16 { // the same topics again and again
		s.order = slices.DeleteFunc(s.order, func(w written) bool { return s.topics[w.topic].write != w.write })
	}
	return gone
}

// owe notes topics whose messages could not be removed, because the connection had ended.
func (s *share) owe(topics ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owed = append(s.owed, topics...)
}

// due returns the topics that are owed, which no longer are.
func (s *share) due() (topics []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	topics, s.owed = s.owed, nil
	return topics
}

// bucket is a token bucket. It lets through a rate a second, and what was not used before, up to most. Its level may
// become negative.
type bucket struct {
	most, level, rate float64
	at                time.Time
}

// take takes n and returns how long to wait for it.
func (b *bucket) take(n float64, now time.Time) time.Duration {
	if b.rate <= 0 {
		return 0
	}
	b.level = min(b.most, b.level+b.rate*now.Sub(b.at).Seconds()) - n
	b.at = now
	if b.level >= 0 {
		return 0
	}
	return time.Duration(-b.level / b.rate * float64(time.Second))
}
