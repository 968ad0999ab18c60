// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"boardd/sync/crowd"
)

// Options is where a gate leads, and what it lets through.
type Options struct {
	To       string                  // "host:port" of the broker, on this machine
	TLS      *tls.Config             // nil: plain TCP
	Accounts []string                // see Adopt
	Quota    Quota                   // of each account
	Most     int                     // bytes of one packet
	Fleeting func(topic string) bool // reports whether nothing may be retained at a topic; nil: everything may
	Log      *slog.Logger
}

// hello is how long a client may take to log in, and the broker to answer.
const hello = 30 * time.Second

// taken is how long a client may take no packet, until it counts as gone.
const taken = 20 * time.Second

// The limits for clients that have not logged in: connections, and bytes of each one's first packet.
const (
	mostStrangers = 1000
	mostHello     = 16 << 10
)

// warnsAgain is the least time between two log lines of a kind that clients cause as often as they like.
const warnsAgain = time.Minute

// Gate is an open gate.
type Gate struct {
	o             Options
	l             net.Listener
	tried         crowd.Guesses
	warned, noted rate.Sometimes // of wrong passwords, and of a message that was ignored
	mute          rate.Sometimes // of clients that speak no MQTT
	mu            sync.Mutex
	shares        map[string]*share
	ctx           context.Context
	stop          context.CancelFunc
	all           sync.WaitGroup
}

// Open accepts clients at a listener, which it owns from then on.
func Open(l net.Listener, o Options) *Gate {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	g := &Gate{o: o, l: crowd.Limit(l, mostStrangers, o.Log), shares: map[string]*share{}}
	g.warned.Interval, g.noted.Interval, g.mute.Interval = warnsAgain, warnsAgain, warnsAgain
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.SetAccounts(o.Accounts)
	g.all.Go(g.accept)
	return g
}

// SetAccounts sets the accounts that have a quota. One that had it before keeps what it has used. Others stay unknown.
func (g *Gate) SetAccounts(accounts []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := map[string]*share{}
	for _, name := range accounts {
		if next[name] = g.shares[name]; next[name] == nil {
			next[name] = newShare(g.o.Quota, time.Now())
		}
	}
	g.shares = next
}

// share is the share of an account, nil if the account is unknown.
func (g *Gate) share(account string) *share {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shares[account]
}

// Close disconnects everybody and returns when all have gone.
func (g *Gate) Close() {
	g.stop()
	g.l.Close() //nolint:errcheck // it is closed either way
	g.all.Wait()
}

func (g *Gate) accept() {
	for {
		conn, err := g.l.Accept()
		switch {
		case g.ctx.Err() != nil:
			if err == nil {
				conn.Close() //nolint:errcheck // nothing was said
			}
			return
		case err != nil: // too many files are open: wait until some are closed
			select {
			case <-time.After(100 * time.Millisecond):
			case <-g.ctx.Done():
			}
			continue
		}
		g.all.Go(func() { g.serve(conn) })
	}
}

// serve passes packets between one client and the broker until one of them closes.
func (g *Gate) serve(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // it is closed either way
	done := context.AfterFunc(g.ctx, func() { conn.Close() })
	defer done()
	stranger, _ := conn.(*crowd.Conn)
	if g.o.TLS != nil {
		conn = tls.Server(conn, g.o.TLS)
	}
	if conn.SetDeadline(time.Now().Add(hello)) != nil {
		return
	}
	in := bufio.NewReader(conn)
	first, ok := g.greeting(in, conn)
	if !ok {
		return
	}
	if stranger != nil {
		_, done := crowd.Ask(crowd.With(g.ctx, stranger)) // who has asked stays before those who only connect
		defer done()
	}
	account := first.account()
	share := g.share(account)
	if share != nil {
		first = g.admit(account, share, first.own(account))
	}
	first = g.withoutIgnored(account, first)
	back, err := net.Dial("tcp", g.o.To)
	if err != nil {
		return // the broker is stopping
	}
	defer back.Close() //nolint:errcheck // it is closed either way
	gone := context.AfterFunc(g.ctx, func() { back.Close() })
	defer gone()
	from := bufio.NewReader(back)
	known := "" // all unknown accounts count as one
	if share != nil {
		known = account
	}
	answer, ok := g.ask(back, from, &first, crowd.Host(conn.RemoteAddr().String()), known)
	if !ok {
		return
	}
	if answer.body[1] == 0 && stranger != nil {
		stranger.Known()
	}
	c := client{account: account, conn: conn, back: back, in: in}
	defer c.leave()
	if accepted := answer.body[1] == 0; accepted && share != nil { // before that the account's name is only a claim
		if !share.enter() {
			g.o.Log.Warn("an account of the MQTT broker has as many connections as it may: one more is refused", "account",
				account)
			back.Write(farewell.bytes()) //nolint:errcheck // so that its will is not published; the connection ends anyway
			answer.body = []byte{0, 3}   // the server is unavailable
			conn.Write(answer.bytes())   //nolint:errcheck // it is sent away
			return
		}
		defer share.leave()
		share.note(&first, time.Now())
		defer func() { share.note(&first, time.Now()) }()
		c.share, c.will = share, first.will()
		id, kept := first.session()
		c.key = cmp.Or(id, conn.RemoteAddr().String()) // without an id the broker makes one
		share.begin(&c, kept)
		defer share.end(&c, kept)
	}
	if _, err := conn.Write(answer.bytes()); err != nil || answer.body[1] != 0 || conn.SetDeadline(time.Time{}) != nil {
		g.died(g.ctx, &c)
		return
	}
	ctx, stop := context.WithCancel(g.ctx)
	defer stop()
	var other sync.WaitGroup
	defer other.Wait()
	other.Go(func() {
		g.backward(from, &c)
		conn.Close() //nolint:errcheck // whichever ends it, both go
		stop()
	})
	g.forward(ctx, &c)
	g.died(ctx, &c)
	back.Close() //nolint:errcheck // the other direction ends by it
	conn.Close() //nolint:errcheck // likewise
}

// ask sends the client's connect packet to the broker and returns its answer. ok is false if there is no answer, or
// if the broker is not asked because the host has shown too many wrong passwords. Each of these costs the broker a
// tenth of a second.
func (g *Gate) ask(back net.Conn, from *bufio.Reader, first *packet, host, account string) (answer packet, ok bool) {
	ctx, stop := context.WithTimeout(g.ctx, hello)
	defer stop()
	verdict, may := g.tried.Try(ctx, host, account)
	if !may {
		g.wrong(host, account)
		return answer, false
	}
	answer, ok = g.told(back, from, first)
	verdict(ok && answer.body[1] == 0)
	if ok && (answer.body[1] == badPassword || answer.body[1] == notAuthorized) {
		g.wrong(host, account)
	}
	return answer, ok
}

// wrong logs now and then that passwords are guessed.
func (g *Gate) wrong(host, account string) {
	g.warned.Do(func() {
		g.o.Log.Warn("a wrong password was shown to the MQTT broker", "from", host, "account", account)
	})
}

// told waits for the broker's answer.
func (g *Gate) told(back net.Conn, from *bufio.Reader, first *packet) (answer packet, ok bool) {
	if back.SetDeadline(time.Now().Add(hello)) != nil {
		return answer, false
	}
	if _, err := back.Write(first.bytes()); err != nil {
		return answer, false
	}
	answer, err := read(from, g.o.Most)
	return answer, err == nil && answer.kind() == connectBack && len(answer.body) == 2 &&
		back.SetDeadline(time.Time{}) == nil
}

// forward passes on what a client sends, as fast as its account may send it.
func (g *Gate) forward(ctx context.Context, c *client) {
	if c.share != nil && !c.forget(ctx, c.share.due()) {
		return
	}
	for {
		p, err := read(c.in, g.o.Most)
		if err != nil {
			return
		}
		switch {
		case p.kind() == disconnect:
			c.will = nil
		case g.ignored(c.account, &p):
			if !g.swallow(ctx, c, &p) {
				return
			}
			continue
		case p.kind() == publish && c.share != nil:
			if !g.hold(ctx, c.account, c.share, len(p.body)) || !g.retain(ctx, c, &p) {
				return
			}
			if p.qos() > 0 && !g.queue(c.account, c.share, &p, c.conn) {
				return
			}
		}
		done, err := g.followed(ctx, c, &p)
		if err == nil && !done {
			_, err = c.back.Write(p.bytes())
		}
		if err != nil {
			return
		}
	}
}

// retain counts a message that is to be retained, and removes those for which there is no room then. It returns false
// if the broker has gone.
func (g *Gate) retain(ctx context.Context, c *client, p *packet) bool {
	topic, size, ok := p.retains()
	if !ok {
		return true
	}
	gone := c.share.retain(topic, size)
	for _, old := range gone {
		g.o.Log.Warn("an account of the MQTT broker retains more than its share: its oldest message goes", "account",
			c.account, "topic", old)
	}
	return c.forget(ctx, gone)
}

// forget removes the messages that are retained at topics. If the connection to the broker has ended, the account's
// next one does it.
func (c *client) forget(ctx context.Context, topics []string) bool {
	for i, old := range topics {
		away := forget(old)
		_, err := c.back.Write(away.bytes())
		if err != nil || ctx.Err() != nil {
			c.share.owe(topics[i:]...)
			return false
		}
	}
	return true
}

// queue lets a message wait for absent clients while its account has quota left for that. After that the message goes
// only to connected clients, and its sender gets an acknowledgement. It reports whether the sender may stay connected.
func (g *Gate) queue(account string, share *share, p *packet, conn net.Conn) bool {
	ok, news := share.keeps(len(p.body), time.Now())
	if ok {
		return true
	}
	if news {
		g.o.Log.Warn("an account of the MQTT broker has its share of messages that wait: more go only to "+
			"those who are there", "account", account)
	}
	now, answer, ok := p.passing()
	if !ok || p.qos() > 1 { // QoS 2 with its four steps is not supported, and no board uses it
		return false
	}
	*p = now
	return pass(conn, &answer) == nil
}

// hold waits until an account may publish this many more bytes. It reports whether the connection is still there.
func (g *Gate) hold(ctx context.Context, account string, share *share, size int) bool {
	wait, news := share.pace(size, time.Now())
	if news {
		g.o.Log.Warn("an account of the MQTT broker publishes more than its share: it has to wait", "account", account,
			"wait", wait)
	}
	if wait == 0 {
		return true
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
