// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestHost(t *testing.T) {
	for address, want := range map[string]string{
		"192.168.1.7:80": "192.168.1.7", "192.168.1.7": "192.168.1.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64",
		"[fe80::1%wlan0]:80": "fe80::1%wlan0",
		"[::1]:80":           "::1", "[::ffff:192.168.1.7]:80": "::ffff:192.168.1.7", "@": "@", "": "",
	} {
		if got := Host(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// line is a listener of pipes that come from given addresses.
type line struct {
	net.Listener
	next chan string
}

type end struct {
	net.Conn
	from string
}

func (e end) RemoteAddr() net.Addr { return e }
func (e end) Network() string      { return "tcp" }
func (e end) String() string       { return e.from }

func (l line) Accept() (net.Conn, error) {
	here, _ := net.Pipe()
	return end{here, <-l.next}, nil
}

// come is that somebody connects.
func (in line) come(t *testing.T, l *Listener, from string) *Conn {
	t.Helper()
	in.next <- from
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Conn)
}

func (line) Addr() net.Addr { return end{from: "192.168.1.7:80"} }

func open(c *Conn) bool { return c.SetDeadline(time.Now()) == nil }

// TestOneAddress: one address has at most three quarters of the connections, and the log says so, though not each
// time. This machine may have all of them.
func TestOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, log := line{next: make(chan string, 1)}, &strings.Builder{}
		l := Limit(in, 8, slog.New(slog.NewTextHandler(log, nil)))
		count := func(all []*Conn) (n int) {
			for _, c := range all {
				if open(c) {
					n++
				}
			}
			return n
		}
		var crowd, here []*Conn
		for i := range 100 {
			crowd = append(crowd, in.come(t, l, fmt.Sprint("10.0.0.1:", i)))
		}
		if n := count(crowd); n != 6 || !open(crowd[99]) {
			t.Errorf("one address has %d connections of 8, want 6, and the newest", n)
		}
		if n := strings.Count(log.String(), "from=10.0.0.1"); n != 1 {
			t.Errorf("that is said %d times, want once:\n%s", n, log)
		}
		time.Sleep(warnsAgain)
		crowd = append(crowd, in.come(t, l, "10.0.0.1:100"))
		if n := strings.Count(log.String(), "from=10.0.0.1"); n != 2 {
			t.Errorf("a minute later it is said %d times, want twice", n)
		}
		for _, c := range crowd {
			c.Close() //nolint:errcheck // it is a pipe
		}
		for i := range 100 {
			here = append(here, in.come(t, l, fmt.Sprint("127.0.0.1:", i)))
		}
		if n := count(here); n != 8 {
			t.Errorf("this machine has %d connections of 8", n)
		}
	})
}

// TestListener: the host with the most connections loses its oldest. Known and closed connections do not count.
func TestListener(t *testing.T) {
	in := line{next: make(chan string, 1)}
	l := Limit(in, 3, nil)
	l.room = NewRoom(3, 3) // one host may have all
	come := func(from string) *Conn { return in.come(t, l, from) }
	a1, a2, b := come("10.0.0.1:1"), come("10.0.0.1:2"), come("10.0.0.2:1")
	a3 := come("10.0.0.1:3")
	if open(a1) || !open(a2) || !open(a3) || !open(b) {
		t.Errorf("a fourth of three: open are %v %v %v, another's %v; want his own oldest closed", open(a1), open(a2),
			open(a3), open(b))
	}
	c := come("10.0.0.3:1")
	if open(a2) || !open(a3) || !open(b) || !open(c) {
		t.Errorf("another host: open are %v %v, others' %v %v; want the heaviest one's oldest closed", open(a2), open(a3),
			open(b), open(c))
	}
	a3.Known()
	b.Close() //nolint:errcheck // it is a pipe
	d, e := come("10.0.0.4:1"), come("10.0.0.5:1")
	if !open(a3) || !open(c) || !open(d) || !open(e) {
		t.Error("one was closed though there is room: known and closed ones count")
	}
	for _, x := range []*Conn{a1, a2, a3, c, d, e} {
		x.Close() //nolint:errcheck // likewise
		x.Close() //nolint:errcheck // once more does nothing
	}
	if l.room.n != 0 || len(l.room.hosts) != 0 {
		t.Errorf("%d connections of %d hosts are counted, want none", l.room.n, len(l.room.hosts))
	}
}

// TestGuesses: wrong secrets are limited, and right ones do not count. No host is kept out because of another host, or
// because of other accounts.
func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Guesses
		looked := func(from, account string, right bool, n int) (count int) {
			for range n {
				if done, ok := g.Try(context.Background(), from, account); ok {
					done(right)
					count++
				}
			}
			return count
		}
		for _, c := range []struct {
			from, account string
			right         bool
			times, want   int
		}{
			{"a", "north", true, 1000, 1000},
			{"a", "arbiter", false, 100, tries},
			{"a", "arbiter", true, 1, 0},
			{"b", "arbiter", true, 1, 1},
			{"a", "1", false, 100, tries}, {"a", "2", false, 100, tries}, {"a", "3", false, 100, tries},
			{"a", "4", false, 100, tries},
			{"a", "5", false, 100, 0},
			{"a", "6", true, 1, 0},
			{"a", "north", true, 100, 100},
		} {
			if got := looked(c.from, c.account, c.right, c.times); got != c.want {
				t.Errorf("%d of %s from %s, right %v: %d were looked at, want %d", c.times, c.account, c.from, c.right, got,
					c.want)
			}
		}
		time.Sleep(anotherIn)
		if got := looked("a", "arbiter", false, 10); got != 1 {
			t.Errorf("after %v %d more, want 1", anotherIn, got)
		}
		time.Sleep(tries * anotherIn)
		if got := looked("a", "arbiter", false, 100); got != tries {
			t.Errorf("later %d more, want %d", got, tries)
		}
		if time.Sleep(2 * forgets); len(g.hosts) != 2 || looked("c", "", true, 1) != 1 || len(g.hosts) != 1 {
			t.Errorf("%d hosts are remembered, want 1", len(g.hosts))
		}
	})
}

// TestGuessesTogether: simultaneous tries wait, and are let in one after the other while they are right.
func TestGuessesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Guesses
		now, most, all := 0, 0, make(chan bool, 200)
		var mu = make(chan struct{}, 1)
		count := func(d int) {
			mu <- struct{}{}
			now += d
			most = max(most, now)
			<-mu
		}
		for i := range 200 {
			go func() {
				done, ok := g.Try(t.Context(), "a", "north")
				if ok {
					count(1)
					time.Sleep(time.Second)
					count(-1)
					done(i < 100)
				}
				all <- ok
			}()
		}
		looked := 0
		for range 200 {
			if <-all {
				looked++
			}
		}
		if most != together || looked < tries {
			t.Errorf("%d at once, %d looked at; want %d at once", most, looked, together)
		}
		ctx, stop := context.WithCancel(t.Context())
		for range together {
			if _, ok := g.Try(ctx, "b", "north"); !ok {
				t.Fatal("refused")
			}
		}
		stop()
		if _, ok := g.Try(ctx, "b", "north"); ok {
			t.Error("one more than may be at once, after the end")
		}
	})
}
