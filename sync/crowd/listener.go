// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"net"
	"sync"
)

// Listener limits the number of connections. When there are too many, the host with the most loses its oldest one. So
// a host that opens many displaces only its own, and cannot keep others out.
type Listener struct {
	net.Listener
	most int

	mu    sync.Mutex
	hosts map[string][]*Conn // oldest first
	n     int
}

// Limit limits a listener, which it owns from then on.
func Limit(l net.Listener, most int) *Listener {
	return &Listener{Listener: l, most: most, hosts: map[string][]*Conn{}}
}

// Conn is a connection that counts until it is closed or known.
type Conn struct {
	net.Conn
	l    *Listener
	host string
}

// Accept waits for the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &Conn{conn, l, Host(conn.RemoteAddr().String())}
	if old := l.add(c); old != nil {
		old.Conn.Close() //nolint:errcheck // it is pushed out
	}
	return c, nil
}

// add counts a connection, and returns the one that has to be closed for it, nil for none.
func (l *Listener) add(c *Conn) (old *Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hosts[c.host] = append(l.hosts[c.host], c)
	if l.n++; l.n <= l.most {
		return nil
	}
	heavy := c.host
	for host, list := range l.hosts {
		if len(list) > len(l.hosts[heavy]) {
			heavy = host
		}
	}
	old = l.hosts[heavy][0]
	l.drop(old)
	return old
}

// drop takes a connection out of the count, if it is in it.
func (l *Listener) drop(c *Conn) {
	list := l.hosts[c.host]
	for i, other := range list {
		if other == c {
			l.n--
			if list = append(list[:i:i], list[i+1:]...); len(list) == 0 {
				delete(l.hosts, c.host)
				return
			}
			l.hosts[c.host] = list
			return
		}
	}
}

// Known takes the connection out of the count. Its client has logged in, and has its own limits.
func (c *Conn) Known() {
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	c.l.drop(c)
}

// Close closes it.
func (c *Conn) Close() error {
	c.Known()
	return c.Conn.Close()
}
