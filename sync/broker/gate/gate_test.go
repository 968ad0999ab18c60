// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// login is a CONNECT.
func login(id, user string) packet {
	text := func(s string) []byte { return append([]byte{byte(len(s) >> 8), byte(len(s))}, s...) }
	body := append(text("MQTT"), 4, 0xc6, 0, 60) // user, password, will, clean session; a minute
	for _, f := range []string{id, "a/will", "gone", user, "secret"} {
		body = append(body, text(f)...)
	}
	return packet{connect << 4, body}
}

// TestOwn: the client ids of two accounts are never the same. Two ids of one account are the same if they were before.
// Nothing else changes.
func TestOwn(t *testing.T) {
	seen := map[string]string{}
	for _, user := range []string{"a", "b", "a-b"} {
		for _, id := range []string{"x", "b-x", "boardd-north"} {
			p := login(id, user)
			if got := p.account(); got != user {
				t.Errorf("account %q, want %q", got, user)
			}
			changed := p.own(user)
			now, rest, ok := field(changed.body[10:])
			if !ok || !bytes.HasSuffix(now, []byte("-"+id)) || !bytes.Equal(rest, p.body[10+2+len(id):]) ||
				!bytes.Equal(changed.body[:10], p.body[:10]) {
				t.Errorf("%s of %s: %q became %q", id, user, p.body, changed.body)
			}
			if other := seen[string(now)]; other != "" {
				t.Errorf("%s of %s is the same as that of %s", id, user, other)
			}
			seen[string(now)] = user
			if again := p.own(user); !bytes.Equal(again.body, changed.body) {
				t.Errorf("%s of %s changes from one time to the next", id, user)
			}
		}
	}
	if p := login("", "a"); !bytes.Equal(p.body, func() []byte { q := p.own("a"); return q.body }()) {
		t.Error("an empty client id was changed: the broker makes one up")
	}
}

// TestWill: the will of a CONNECT is read as what the broker will publish.
func TestWill(t *testing.T) {
	p := login("x", "a")
	p.body[7] |= 0x28 // to be retained, QoS 1
	w := p.will()
	if w == nil || w.qos != 1 {
		t.Fatalf("%+v, want a will of QoS 1", w)
	}
	if topic, size, ok := w.message.retains(); topic != "a/will" || size != 4 || !ok || w.message.qos() != 0 {
		t.Errorf("%q, %d bytes, retained %v: % x", topic, size, ok, w.message.bytes())
	}
	p.body[7] &^= 0x20
	if _, _, ok := p.will().message.retains(); ok {
		t.Error("it is not to be retained")
	}
	p.body[7] &^= 0x04
	if w := p.will(); w != nil {
		t.Errorf("there is none: %+v", w)
	}
}

// TestPace: what may come at once and in the long run, for each limit.
func TestPace(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		q     Quota
		size  int
		wants []time.Duration // of the messages after those that come at once
		first int             // how many come at once
	}{
		{"messages", Quota{Messages: 2}, 1, []time.Duration{time.Second / 2, time.Second, 3 * time.Second / 2},
			2 * messagesAtOnce},
		{"bytes", Quota{Bytes: 100}, 200, []time.Duration{2 * time.Second, 4 * time.Second}, 100 * bytesAtOnce / 200},
		{"no limit", Quota{}, 1 << 20, []time.Duration{0, 0}, 10_000},
	} {
		s := newShare(c.q, at)
		for i := range c.first {
			if wait, _ := s.pace(c.size, at); wait != 0 {
				t.Fatalf("%s: message %d waits %v", c.name, i+1, wait)
			}
		}
		for i, want := range c.wants {
			if wait, news := s.pace(c.size, at); wait != want || news != (i == 0 && want > 0) {
				t.Errorf("%s: message %d waits %v, news %v; want %v", c.name, c.first+i+1, wait, news, want)
			}
		}
		if wait, _ := s.pace(c.size, at.Add(time.Hour)); wait != 0 {
			t.Errorf("%s: after an hour of silence a message waits %v", c.name, wait)
		}
	}
}

// TestPeak: what may come at once is passed on little by little, except the first second's worth. That is no news.
func TestPeak(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		q       Quota
		size, n int
		want    time.Duration // of the last one
	}{
		"messages, a second's worth": {Quota{Messages: 100, Peak: 4}, 1, 100, 0},
		"messages":                   {Quota{Messages: 100, Peak: 4}, 1, 500, time.Second},
		"bytes, a second's worth":    {Quota{Bytes: 1000, Peak: 4}, 100, 10, 0},
		"bytes":                      {Quota{Bytes: 1000, Peak: 4}, 100, 50, time.Second},
		"no limit":                   {Quota{Messages: 100, Bytes: 1000}, 1, 500, 0},
	} {
		s := newShare(c.q, at)
		var wait time.Duration
		for range c.n {
			var news bool
			if wait, news = s.pace(c.size, at); news {
				t.Fatalf("%s: it is told that the account says too much", name)
			}
		}
		if wait != c.want {
			t.Errorf("%s: the last one waits %v, want %v", name, wait, c.want)
		}
		if wait, _ := s.pace(c.size, at.Add(time.Minute)); wait != 0 {
			t.Errorf("%s: after a minute of silence a message waits %v", name, wait)
		}
	}
}

// TestRetain: the topics that were written longest ago go, however often others are written again, and what was
// removed counts for nothing.
func TestRetain(t *testing.T) {
	s := newShare(Quota{Retained: 3 * (100 + 1 + overhead)}, time.Now())
	for _, c := range []struct {
		topic string
		size  int
		gone  string
	}{
		{"a", 100, ""}, {"b", 100, ""}, {"c", 100, ""}, {"a", 100, ""}, {"d", 100, "b"}, {"c", 0, ""}, {"e", 100, ""},
		{"f", 100, "a"}, {"g", 200, "de"},
		{"h", 10_000, "fg"}, {"a", 1, "h"},
	} {
		if got := s.retain(c.topic, c.size); fmt.Sprint(got) != fmt.Sprint([]string(split(c.gone))) {
			t.Errorf("%s %d: %v go, want %v", c.topic, c.size, got, c.gone)
		}
	}
	for i := range 100_000 {
		s.retain([]string{"x", "y"}[i%2], 10)
	}
	if len(s.order) > 100 || len(s.topics) != 3 {
		t.Errorf("%d writes are remembered of %d topics", len(s.order), len(s.topics))
	}
}

func split(s string) (all []string) {
	for _, r := range s {
		all = append(all, string(r))
	}
	return all
}

// FuzzPacket: whatever is read is passed on unchanged, and no bytes make the parser fail.
func FuzzPacket(f *testing.F) {
	connecting := login("boardd-north", "north")
	f.Add(connecting.bytes())
	f.Add([]byte{0x31, 7, 0, 3, 'a', '/', 'b', 'h', 'i'})
	f.Add([]byte{0x33, 0x80, 0x80, 0x80, 0x80, 0x01})
	f.Add([]byte{0x33, 3, 0, 9, 'a'})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bufio.NewReader(bytes.NewReader(data))
		p, err := read(in, 1<<16)
		if err != nil {
			return
		}
		p.will()
		out := p.bytes()
		again, err := read(bufio.NewReader(bytes.NewReader(out)), 1<<16)
		if err != nil || again.head != p.head || !slices.Equal(again.body, p.body) || len(p.body) < 128 && data[1] < 128 &&
			!bytes.HasPrefix(data, out) {
			t.Errorf("% x is sent on as % x, %v", data, out, err)
		}
		p.retains()
		if account := p.account(); account != "" {
			own := p.own(account)
			if own.account() != account {
				t.Errorf("% x: account %q, then %q", data, account, own.account())
			}
		}
	})
}

// TestKeeps: half of what may wait may come at once, and the other half within an hour. What was not kept does not
// count.
func TestKeeps(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s := newShare(Quota{Waiting: 20 * (1000 + overhead)}, at)
	for _, c := range []struct {
		after time.Duration
		says  int
		kept  int
	}{{0, 50, 10}, {6 * time.Minute, 5, 1}, {30 * time.Minute, 50, 5}, {10 * time.Hour, 50, 10}} {
		at = at.Add(c.after)
		kept, news := 0, 0
		for range c.says {
			ok, new := s.keeps(1000, at)
			if ok {
				kept++
			}
			if new {
				news++
			}
		}
		if kept != c.kept || news != 1 {
			t.Errorf("after %v: %d are kept, told %d times, want %d and once", c.after, kept, news, c.kept)
		}
	}
	free := newShare(Quota{}, at)
	if ok, _ := free.keeps(1<<30, at); !ok {
		t.Error("without a limit a message is not kept")
	}
}

// TestPassing: a message that is not kept is the same for connected clients, and its sender gets an answer with its
// number.
func TestPassing(t *testing.T) {
	p := packet{publish<<4 | 0x0b, []byte{0, 3, 'a', '/', 'b', 7, 9, 'h', 'i'}} // sent again, QoS 1, retained
	now, answer, ok := p.passing()
	if !ok || now.head != publish<<4|1 || string(now.body) != "\x00\x03a/bhi" || answer.head != publishBack<<4 ||
		string(answer.body) != "\x07\x09" {
		t.Errorf("got %+v and %+v, %v", now, answer, ok)
	}
	for _, body := range []string{"", "\x00", "\x00\x09a", "\x00\x01a\x01"} {
		p := packet{publish<<4 | 2, []byte(body)}
		if _, _, ok := p.passing(); ok {
			t.Errorf("% x has a topic and a number", body)
		}
	}
}

// TestTaken: a client that takes nothing does not hold its connection for ever. One that takes slowly keeps it.
func TestTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{o: Options{Most: 1000}}
		for _, slow := range []time.Duration{taken / 2, 10 * taken} {
			here, there := net.Pipe()
			broker, from := net.Pipe()
			passed, ended := 0, make(chan struct{})
			go func() {
				g.backward(bufio.NewReader(from), &client{conn: here})
				here.Close()
				close(ended)
			}()
			go func() {
				for range 4 {
					p := login("x", "a")
					broker.Write(p.bytes()) //nolint:errcheck // the gate may have gone
				}
				broker.Close()
			}()
			in := bufio.NewReader(there)
			for {
				time.Sleep(slow)
				if _, err := read(in, 1000); err != nil {
					break
				}
				passed++
			}
			if <-ended; (passed == 4) != (slow < taken) {
				t.Errorf("a packet each %v: %d of 4 were passed on", slow, passed)
			}
			from.Close()
		}
	})
}
