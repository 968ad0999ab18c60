// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"maps"
	"slices"
	"time"
)

// A session that outlives its connection costs the broker work for each message, until the broker forgets it an hour
// after its client has gone. So an account has a number of them. A client beyond that is connected as well, but
// nothing is kept for it while it is away.

// forgotten is how long the broker keeps a session without a client.
const forgotten = time.Hour

// cleanSession is the flag of a CONNECT by which the client wants no session that outlives the connection.
const cleanSession = 0x02

// session returns the client id of a CONNECT, and whether its session is to outlive the connection.
func (p *packet) session() (id string, kept bool) {
	_, rest, ok := field(p.body)
	if !ok || len(rest) < fixed {
		return "", false
	}
	name, _, ok := field(rest[fixed:])
	return string(name), ok && rest[1]&cleanSession == 0
}

// withoutSession is the CONNECT with that flag.
func (p *packet) withoutSession() packet {
	body := slices.Clone(p.body)
	_, rest, ok := field(body)
	if ok && len(rest) >= fixed {
		rest[1] |= cleanSession
	}
	return packet{p.head, body}
}

// admit returns a CONNECT as the broker is to get it: without a session if the account has as many as it may.
func (g *Gate) admit(account string, s *share, first packet) packet {
	id, kept := first.session()
	if !kept {
		return first
	}
	room, news := s.room(id, time.Now())
	if news {
		g.o.Log.Warn("an account of the MQTT broker has as many sessions as it may: nothing is kept for its other clients "+
			"while they are away", "account", account)
	}
	if room {
		return first
	}
	return first.withoutSession()
}

// room reports whether an account may have a session of this client id, and whether a refusal has to be logged.
func (s *share) room(id string, now time.Time) (ok, news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.sessions, func(id string, last time.Time) bool {
		of := s.filters[id]
		there := of != nil && of.owner != nil // for however long
		return !there && now.Sub(last) > forgotten
	})
	for key, of := range s.filters {
		if _, there := s.sessions[key]; !there && of.owner == nil {
			s.forget(key)
		}
	}
	_, known := s.sessions[id]
	free := s.q.Sessions <= 0 || len(s.sessions) < s.q.Sessions
	ok = known || free
	news = !ok && !s.manyNow
	s.manyNow = !free
	return ok, news
}

// note notes that the client of a CONNECT, which the broker has accepted, is there or has just gone.
func (s *share) note(first *packet, now time.Time) {
	id, kept := first.session()
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.sessions, id); kept {
		s.sessions[id] = now
	}
}
