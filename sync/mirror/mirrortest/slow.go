// SPDX-License-Identifier: Apache-2.0

package mirrortest

import (
	"net"
	"slices"
	"sync"
	"time"
)

// slow is an end of a pipe that sends everything after a delay, in order. Like those of a socket, its writes do not
// wait for the reader. A bare net.Pipe has no buffer, so two ends that both write before they read would block each
// other.
type slow struct {
	net.Conn
	delay time.Duration
	queue chan sending
	once  sync.Once
	done  chan struct{}
}

type sending struct {
	at time.Time
	p  []byte
}

func newSlow(c net.Conn, delay time.Duration) *slow {
	s := &slow{Conn: c, delay: delay, queue: make(chan sending, 1024), done: make(chan struct{})}
	go s.drain()
	return s
}

func (s *slow) drain() {
	for {
		select {
		case next := <-s.queue:
			time.Sleep(time.Until(next.at)) // the delay itself, in virtual time
			if _, err := s.Conn.Write(next.p); err != nil {
				return
			}
		case <-s.done:
			return
		}
	}
}

func (s *slow) Write(p []byte) (int, error) {
	select {
	case s.queue <- sending{time.Now().Add(s.delay), slices.Clone(p)}:
		return len(p), nil
	case <-s.done:
		return 0, net.ErrClosed
	}
}

func (s *slow) Close() error {
	s.once.Do(func() { close(s.done) })
	return s.Conn.Close()
}
