// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"encoding/binary"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// wants is a SUBSCRIBE to topics, or an UNSUBSCRIBE.
func wants(kind byte, topics ...string) packet {
	body := []byte{0, 7}
	for _, topic := range topics {
		body = append(binary.BigEndian.AppendUint16(body, uint16(len(topic))), topic...)
		if kind == subscribe {
			body = append(body, 1)
		}
	}
	return packet{kind<<4 | 2, body}
}

// asks is a client of an account, and what is on the other sides of it.
func asks(t *testing.T, s *share) (c *client, person, broker net.Conn) {
	here, person := net.Pipe()
	back, broker := net.Pipe()
	c = &client{account: "look", share: s, conn: here, back: back, key: t.Name() + here.LocalAddr().String()}
	t.Cleanup(func() { here.Close(); person.Close(); back.Close(); broker.Close() })
	return c, person, broker
}

// TestFilters: what an account subscribes to is counted once for each client. What it no longer subscribes to makes
// room, and so does a client that goes without a session.
func TestFilters(t *testing.T) {
	topic := func(c string) string { return "boardd/v1/" + strings.Repeat(c, 1000) }
	s := newShare(Quota{Filters: 3 * weight(topic("a"))}, time.Now())
	one, two := &client{key: "one"}, &client{key: "two"}
	s.begin(one, true)
	s.begin(two, false)
	if !s.subscribe(one, []string{topic("a"), topic("b"), topic("a")}) || !s.subscribe(one, []string{topic("a")}) {
		t.Error("two topics of three are refused")
	}
	if s.subscribe(two, []string{topic("a"), topic("b")}) || !s.subscribe(two, []string{topic("a")}) {
		t.Error("a client of the same account has topics of its own, with room for one")
	}
	s.end(two, false)
	s.end(one, true)
	s.begin(two, true)
	if s.subscribe(two, []string{topic("a"), topic("b")}) {
		t.Error("the topics of a session whose client is away count no longer")
	}
	s.begin(one, true)
	s.unsubscribe(one, []string{topic("b"), topic("c")})
	if !s.subscribe(two, []string{topic("a"), topic("b")}) {
		t.Error("a topic was given up, and there is no room")
	}
	again := &client{key: "one"} // takes the place of the other
	s.begin(again, false)
	s.end(one, true)
	s.unsubscribe(one, []string{topic("a")})
	if s.weight != 2*weight(topic("a")) || s.subscribe(one, []string{"x"}) || !s.subscribe(again, []string{topic("z")}) {
		t.Errorf("%d bytes are counted", s.weight)
	}
	s.end(again, true)
	s.end(two, true)
	s.room("other", time.Now().Add(2*forgotten))
	if s.weight != 0 || len(s.filters) != 0 {
		t.Errorf("%d bytes are counted of sessions that are forgotten", s.weight)
	}
	if deep := weight("a" + strings.Repeat("/a", 10_000)); deep < 100_000 {
		t.Errorf("many levels count as %d bytes", deep)
	}
}

// TestFiltersRead: the topics of a packet are read, and no bytes make that fail.
func TestFiltersRead(t *testing.T) {
	for _, kind := range []byte{subscribe, unsubscribe} {
		p := wants(kind, "a/b", "", "c")
		if got, ok := p.filters(); !ok || strings.Join(got, " ") != "a/b  c" {
			t.Errorf("%q %v", got, ok)
		}
		for i := range p.body {
			cut := packet{p.head, p.body[:i]}
			cut.filters()
		}
		if _, ok := (&packet{p.head, []byte{0, 7, 0, 9, 'a'}}).filters(); ok {
			t.Error("half a topic was read")
		}
	}
	p := wants(subscribe, "a", "b")
	if back := p.refusal(2); string(back.bytes()) != "\x90\x04\x00\x07\x80\x80" {
		t.Errorf("% x", back.bytes())
	}
}

// TestCatchUp: a client's topics are asked for when one of those that catch up has taken everything. What the broker
// answers to the gate's own question does not reach the client, and what it answers to the client's does.
func TestCatchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := &Gate{o: Options{Most: 1000}}, newShare(Quota{}, time.Now())
		var passed, heard [catchUps + 1]atomic.Int32
		counts := func(all *[catchUps + 1]atomic.Int32) (n [catchUps + 1]int32) {
			for i := range all {
				n[i] = all[i].Load()
			}
			return n
		}
		var brokers []net.Conn
		for i := range passed {
			c, person, broker := asks(t, s)
			c.in = bufio.NewReader(c.conn)
			s.begin(c, false)
			brokers = append(brokers, broker)
			go g.forward(t.Context(), c)
			go g.backward(bufio.NewReader(c.back), c)
			go func() {
				for in := bufio.NewReader(broker); ; passed[i].Add(1) {
					if _, err := read(in, 1000); err != nil {
						return
					}
				}
			}()
			go func() {
				for in := bufio.NewReader(person); ; heard[i].Add(1) {
					if _, err := read(in, 1000); err != nil {
						return
					}
				}
			}()
			for _, p := range []packet{wants(subscribe, "a"), {head: ping << 4}} {
				if _, err := person.Write(p.bytes()); err != nil && i < catchUps {
					t.Fatal(err)
				}
				synctest.Wait()
				if i == catchUps {
					break // nobody takes the next packet
				}
			}
		}
		const all = 3 // the SUBSCRIBE, the gate's question and the client's
		if got := counts(&passed); got != [catchUps + 1]int32{all, all, 0} {
			t.Errorf("the broker got %v packets of each", got)
		}
		back := packet{head: pingBack << 4}
		brokers[0].Write(append(back.bytes(), back.bytes()...)) //nolint:errcheck // it is looked for below
		synctest.Wait()
		if p, h := counts(&passed), counts(&heard); p[catchUps] != 2 || h != [catchUps + 1]int32{1, 0, 0} {
			t.Errorf("when one has caught up, the broker got %v packets, and the clients %v", p, h)
		}
		time.Sleep(catchUpIn)
		synctest.Wait()
		if _, err := brokers[1].Write(back.bytes()); err == nil {
			synctest.Wait()
		}
		if heard[1].Load() != 0 {
			t.Error("who does not catch up in a minute stays")
		}
	})
}

// TestStalled: of the clients of an account that take nothing, a few are waited for. One that takes its packets stays.
func TestStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := Gate{o: Options{Most: 1000, Log: slog.New(slog.DiscardHandler)}}, newShare(Quota{}, time.Now())
		var closed atomic.Int32
		var over atomic.Bool
		deliver := func(takes bool) {
			c, person, broker := asks(t, s)
			go func() {
				g.backward(bufio.NewReader(c.back), c)
				c.conn.Close()
				if closed.Add(1); takes && !over.Load() {
					t.Error("a client that takes everything is disconnected")
				}
			}()
			if takes {
				go func() {
					for in := bufio.NewReader(person); ; {
						if _, err := read(in, 1000); err != nil {
							return
						}
					}
				}()
			}
			p := login("x", "a")
			broker.Write(p.bytes()) //nolint:errcheck // it is taken
			synctest.Wait()
			time.Sleep(stalled + time.Millisecond)
			synctest.Wait()
		}
		deliver(true)
		for range stalls + 3 {
			deliver(false)
		}
		if n := closed.Load(); n != 3 {
			t.Errorf("%d clients are disconnected, want all but %d", n, stalls)
		}
		time.Sleep(taken)
		synctest.Wait()
		if n, got := closed.Load(), s.stalled.Load(); n != stalls+3 || got != 0 {
			t.Errorf("%d are disconnected in the end, and %d count as slow", n, got)
		}
		over.Store(true)
	})
}
