// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// interrupt interrupts the guest.
func interrupt(call int) {
	if call >= 0 {
		unix.Write(call, number(1)) //nolint:errcheck // a counter that is full has not been looked at yet
	}
}

// kick is a file by which the guest says that there is something in a ring.
type kick struct{ f *os.File }

func (c *kick) close() {
	if c != nil {
		c.f.Close() //nolint:errcheck // nothing was written
	}
}

// listen looks at a ring whenever it is kicked, until the file is closed. Before the kick the queue is not touched,
// even if it has requests. Linux's I2C driver does not expect an answer while it still adds requests.
func (k *link) listen(q int, fd int) *kick {
	if err := unix.SetNonblock(fd, true); err != nil {
		k.log(err)
	}
	c := &kick{os.NewFile(uintptr(fd), "kick")}
	go func() {
		var b [8]byte
		for {
			if _, err := c.f.Read(b[:]); err != nil {
				return
			}
			k.mu.Lock()
			k.drain(q)
			k.mu.Unlock()
		}
	}()
	return c
}

// drain takes all requests of a ring.
func (k *link) drain(q int) {
	r := &k.rings[q]
	for r.ready && !r.stopped && !k.gone && r.size > 0 && len(k.mem) > 0 {
		head, ok, err := r.next(k.mem)
		if err == nil && !ok {
			return
		}
		var in []byte
		var out []span
		if err == nil {
			in, out, err = r.chain(k.mem, head)
		}
		if err != nil {
			r.ready = false
			k.log(fmt.Errorf("ring %d: %w", q, err))
			return
		}
		a := &Request{In: in, link: k, q: q, head: head, out: out}
		for _, s := range out {
			a.Room += int(s.n)
		}
		k.dev.Take(q, a)
	}
}

// Answer gives a request back with an answer, with the link locked: while the device takes a request, or by the device
// under its lock.
func (a *Request) Answer(b []byte) {
	k := a.link
	if k == nil || k.gone {
		return
	}
	a.link = nil
	n := uint32(0)
	for _, s := range a.out {
		m, err := k.mem.at(s.address, uint64(s.n), false)
		if err != nil {
			k.log(err)
			return
		}
		c := copy(m, b)
		b, n = b[c:], n+uint32(c)
	}
	r := &k.rings[a.q]
	if err := r.finish(k.mem, a.head, n); err != nil {
		k.log(err)
		return
	}
	interrupt(r.call)
}
