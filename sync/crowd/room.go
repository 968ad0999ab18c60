// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"container/list"
	"net"
	"sync"
)

// Stage is how far whoever has a place in a room has come.
type Stage int

// The stages of a connection.
const (
	Silent    Stage = iota // it asks for nothing, or has not asked to the end
	Waiting                // it has asked, and its turn has not come
	Answered               // it is being answered
	Streaming              // it gets an answer that goes on for as long as it likes
	stages
)

// Room is a number of places. When one more comes than there are, the host with the most loses one. Those who got
// something stay before those who ask for it, and these before those who do nothing. But of each host no stage except
// the last fills more than an eighth of the places at the cost of others. So a newcomer always has some time to
// ask, and then to be answered. This machine alone may have more places than each other host, because a proxy on it
// speaks for many.
type Room struct {
	most, each int

	mu    sync.Mutex
	hosts map[string]*crowdOf
	n     int
}

// crowdOf holds the places that one host has.
type crowdOf struct {
	by [stages]list.List // of *Place, oldest first
	n  int
}

// Place is one place in a room.
type Place struct {
	room  *Room
	host  string
	stage Stage // the furthest of its requests
	out   func()
	at    *list.Element // nil: it is given up
	asked [stages]int   // how many requests are at each stage
}

// Request is one request of whoever has a place. A connection may have several at once.
type Request struct {
	place *Place
	stage Stage
}

// NewRoom is a room of the given number of places, of which each host may have at most each.
func NewRoom(most, each int) *Room {
	return &Room{most: most, each: each, hosts: map[string]*crowdOf{}}
}

// Enter takes a place for a host. If the place is taken away, out is called, perhaps at once. The function must not
// wait, and must not use the room.
func (r *Room) Enter(host string, out func()) *Place {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := r.hosts[host]
	if own == nil {
		own = &crowdOf{}
		r.hosts[host] = own
	}
	p := &Place{room: r, host: host, out: out}
	p.at = own.by[Silent].PushBack(p)
	own.n++
	heavy := own
	switch r.n++; {
	case r.n > r.most:
		for _, c := range r.hosts {
			if c.n > heavy.n {
				heavy = c
			}
		}
	case own.n <= r.each || isHere(host):
		return p
	}
	loser := heavy.loser(r.most / 8)
	loser.leave()
	loser.out()
	return p
}

// isHere reports whether a host is this machine.
func isHere(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// loser is whoever of a host has to go. None but the last stage may have more than a share.
func (c *crowdOf) loser(share int) *Place {
	oldest := func(s Stage) *Place { return c.by[s].Front().Value.(*Place) }
	for _, s := range []Stage{Answered, Waiting} {
		if c.by[s].Len() > share {
			return oldest(s)
		}
	}
	for s := Silent; s < Streaming; s++ {
		if c.by[s].Len() > 0 {
			return oldest(s)
		}
	}
	return c.by[Streaming].Back().Value.(*Place)
}

// Ask counts a request, which waits.
func (p *Place) Ask() *Request {
	q := &Request{place: p}
	q.move(Waiting)
	return q
}

// Reached says how far the request has come.
func (q *Request) Reached(s Stage) { q.move(s) }

// Done says that it is over.
func (q *Request) Done() { q.move(Silent) }

func (q *Request) move(to Stage) {
	p := q.place
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	if q.stage != Silent {
		p.asked[q.stage]--
	}
	if q.stage = to; to != Silent {
		p.asked[to]++
	}
	furthest := Silent
	for s := Waiting; s < stages; s++ {
		if p.asked[s] > 0 {
			furthest = s
		}
	}
	if p.at == nil || p.stage == furthest {
		return
	}
	own := p.room.hosts[p.host]
	own.by[p.stage].Remove(p.at)
	p.stage = furthest
	p.at = own.by[furthest].PushBack(p)
}

// Leave gives the place up. To do so again does nothing.
func (p *Place) Leave() {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	p.leave()
}

func (p *Place) leave() {
	if p.at == nil {
		return
	}
	r, own := p.room, p.room.hosts[p.host]
	own.by[p.stage].Remove(p.at)
	p.at = nil
	r.n--
	if own.n--; own.n == 0 {
		delete(r.hosts, p.host)
	}
}
