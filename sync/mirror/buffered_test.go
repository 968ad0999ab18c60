package mirror_test

import (
	"net"
	"sync"
)

// buffered is an end of a pipe whose writes do not wait for the reader, as those of a socket. A bare net.Pipe has no buffer,
// and two ends that both write before they read lock each other.
type buffered struct {
	net.Conn
	queue chan []byte
	once  sync.Once
	done  chan struct{}
}

func newBuffered(c net.Conn) *buffered {
	b := &buffered{Conn: c, queue: make(chan []byte, 1024), done: make(chan struct{})}
	go b.drain()
	return b
}

func (b *buffered) drain() {
	for {
		select {
		case p := <-b.queue:
			if _, err := b.Conn.Write(p); err != nil {
				return
			}
		case <-b.done:
			return
		}
	}
}

func (b *buffered) Write(p []byte) (int, error) {
	select {
	case b.queue <- append([]byte(nil), p...):
		return len(p), nil
	case <-b.done:
		return 0, net.ErrClosed
	}
}

func (b *buffered) Close() error {
	b.once.Do(func() { close(b.done) })
	return b.Conn.Close()
}
