// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Device is a virtio device as its back end sees it. Its methods are called by one goroutine at a time.
type Device interface {
	Features() uint64 // of its own
	Config() []byte
	Queues() int
	Take(queue int, r *Request) // answers a request, now or later
	Reset()                     // the emulator has gone, and with it all requests
}

// Request is what the guest asks. It is answered once; later answers are dropped.
type Request struct {
	In   []byte // a copy
	Room int    // for the answer, in bytes

	link *link
	q    int
	head uint16
	out  []span
}

// Server serves one device to one emulator after the other.
type Server struct {
	dev  Device
	l    *net.UnixListener
	done chan struct{}
	log  func(error)

	mu   sync.Mutex
	link *link // nil: no emulator
}

// Serve serves a device on a socket until Close; what goes wrong with an emulator is given to log.
func Serve(path string, dev Device, log func(error)) (*Server, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	s := &Server{dev: dev, l: l, done: make(chan struct{}), log: log}
	go s.run()
	return s, nil
}

// Close ends the serving.
func (s *Server) Close() error {
	err := s.l.Close()
	s.mu.Lock()
	k := s.link
	s.mu.Unlock()
	if k != nil {
		err = errors.Join(err, hangUp(k.conn))
	}
	<-s.done
	return err
}

// hangUp closes a connection that may be closed already.
func hangUp(c net.Conn) error {
	if err := c.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func (s *Server) run() {
	defer close(s.done)
	for {
		c, err := s.l.AcceptUnix()
		if err != nil {
			return
		}
		k := &link{dev: s.dev, conn: c, log: s.log, rings: make([]ring, s.dev.Queues())}
		for i := range k.rings {
			k.rings[i].call = -1
		}
		s.mu.Lock()
		s.link = k
		s.mu.Unlock()
		if err := k.serve(); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) &&
			!errors.Is(err, unix.ECONNRESET) {
			s.log(err)
		}
		s.mu.Lock()
		s.link = nil
		s.mu.Unlock()
		k.end()
	}
}
