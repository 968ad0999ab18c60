// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sync/mirror"
	"boardd/sync/wire"
)

const (
	northGame    = "boardd/v1/north/game"
	northStatus  = "boardd/v1/north/status"
	northCommand = "boardd/v1/north/command"
	northReply   = "boardd/v1/north/reply"
)

func TestOnlineGameAndCleanStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		m.Publish(sample("g1", 1))
		m.Event(wire.Event{Kind: wire.EventStarted, Game: "g1"})
		m.Reply(wire.Reply{ID: "1", OK: true})
		m.Health(wire.Health{Version: "test", Journal: "ok"})
		settle(time.Second)
		if got := b.retained(northStatus); got != wire.Online {
			t.Errorf("status %q, want online", got)
		}
		if got, want := b.retained(northGame), text(t, sample("g1", 1)); got != want {
			t.Errorf("game %s, want %s", got, want)
		}
		stop()
		synctest.Wait()
		if got := b.retained(northStatus); got != wire.Offline {
			t.Errorf("status %q after a clean stop, want offline", got)
		}
		b.checkContract(6)
	})
}

func TestWillAndComingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Publish(sample("g1", 1))
		settle(time.Minute)
		b.Leave(true)
		b.Cut("north")
		synctest.Wait()
		if got := b.retained(northStatus); got != wire.Offline {
			t.Errorf("status %q after the link broke, want offline", got)
		}
		m.Publish(sample("g1", 2))
		m.Publish(sample("g1", 3))
		m.Event(wire.Event{Kind: wire.EventMove, Game: "g1"})
		settle(time.Hour)
		b.Leave(false)
		settle(10 * time.Second)
		if got, want := b.retained(northGame), text(t, sample("g1", 3)); got != want {
			t.Errorf("game %.80s, want the latest", got)
		}
		if got := b.retained(northStatus); got != wire.Online || b.count("boardd/v1/north/event", "") != 1 {
			t.Errorf("status %q, %d events, want online and 1", got, b.count("boardd/v1/north/event", ""))
		}
		if n := b.count(northGame, ""); n != 4 {
			t.Errorf("%d games were published, want 2, each twice: the one in between was replaced", n)
		}
	})
}

// TestSaidTwice: a spectator that subscribes while the broker is still storing a retained message may get neither the
// message nor the retained one. It gets the game before the next move all the same, because it is published twice. It
// is not published more often.
func TestSaidTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		for n := range 5 {
			m.Publish(sample("g1", n))
			settle(time.Second)
		}
		if n := b.count(northGame, "{"); n != 5 {
			t.Errorf("%d games were said while new ones came, want 5", n)
		}
		settle(time.Hour)
		if n := b.count(northGame, "{"); n != 6 {
			t.Errorf("%d games were said, want 5 and the last once more", n)
		}
		timed := sample("g1", 9)
		timed.Clock = &wire.Clock{White: 1000, Black: 1000, Running: "white"}
		m.Publish(timed)
		settle(time.Hour)
		if n := b.count(northGame, "{"); n != 7 {
			t.Errorf("%d games were said, want 7: a clock that runs would be told late", n)
		}
		if n := b.count(northStatus, wire.Online); n != 2 {
			t.Errorf("%q was said %d times, want 2", wire.Online, n)
		}
		if l := m.Link(); l.Conflict || l.Trouble.English != "" {
			t.Errorf("link %+v: the board is in conflict with itself", l)
		}
	})
}

func TestRadioSilenceIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		silent := make(chan struct{})
		dial := b.Dial("north")
		m, stop := b.run(mirror.Options{Board: "north", Dial: func(ctx context.Context, u *url.URL) (net.Conn, error) {
			c, err := dial(ctx, u)
			if err != nil {
				return nil, err
			}
			return &silence{Conn: c, begins: silent}, nil
		}})
		defer stop()
		settle(time.Minute)
		close(silent)
		settle(20 * time.Second)
		if m.Link().Up {
			t.Error("20 s of silence were not noticed with a keep-alive of 10 s")
		}
		if got := b.retained(northStatus); got != wire.Offline {
			t.Errorf("status %q, want the will", got)
		}
	})
}

// silence swallows everything, both ways, once it begins.
type silence struct {
	net.Conn
	begins chan struct{}
}

func (s *silence) Write(p []byte) (int, error) {
	select {
	case <-s.begins:
		return len(p), nil
	default:
		return s.Conn.Write(p)
	}
}

func TestStaleOfflineIsContradicted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		_, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		settle(time.Second)
		b.publish(northStatus, wire.Offline, true)
		settle(time.Second)
		if got := b.retained(northStatus); got != wire.Online {
			t.Errorf("status %q, want online again", got)
		}
	})
}

func TestCommandsAndReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.publish(northCommand, `{"id":"old","do":"flip"}`, true) // retained: from before
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		settle(time.Second)
		b.publish(northCommand, `{"id":"1","do":"explode"}`, false)
		b.publish(northCommand, `nonsense`, false)
		b.publish(northCommand, `{"id":"2","do":"move","move":"e2e4"}`, false)
		in := next(t, m, isCommand)
		if in.Command.ID != "2" || in.Command.Move != "e2e4" || in.Board != "north" {
			t.Errorf("got %+v, want command 2", in.Command)
		}
		m.Reply(wire.Reply{ID: "2", OK: true})
		settle(time.Second)
		if b.count(northReply, `{"id":"1","ok":false,"error":"read command: do: \"explode\" is unknown`) != 1 ||
			b.count(northReply, `{"id":"2","ok":true}`) != 1 {
			t.Errorf("replies are wrong: %q", b.seen)
		}
		if b.count(northReply, `{"id":"old"`) != 0 || m.Dropped() != 3 {
			t.Errorf("%d dropped, want 3, the retained command unanswered", m.Dropped())
		}
	})
}

func TestFloodOfCommandsIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		settle(time.Second)
		for i := range 100 {
			b.publish(northCommand, fmt.Sprintf(`{"id":"%d","do":"flip"}`, i), false)
		}
		settle(time.Minute)
		busy := 0
		for _, s := range b.seen {
			if strings.HasPrefix(s, northReply) && strings.Contains(s, "busy") {
				busy++
			}
		}
		for i := range 100 - busy {
			if in := next(t, m, isCommand); in.Command.ID != fmt.Sprint(i) {
				t.Fatalf("command %d is %s", i, in.Command.ID)
			}
		}
		if busy < 60 || busy > 68 {
			t.Errorf("%d of 100 were refused as busy, want all but some 32", busy)
		}
	})
}

func TestFollowedGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.publish("boardd/v1/south/game", text(t, sample("g1", 1)), true)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Follow("south", "north", "not a board")
		settle(time.Second)
		for n := range 5 {
			b.publish("boardd/v1/south/game", text(t, sample("g1", 2+n)), true)
		}
		b.publish("boardd/v1/south/game", `{"schema":1,"moves":["<script>"]}`, false)
		b.publish("boardd/v1/south/game", strings.Repeat("x", 3<<20), false)
		b.publish("boardd/v1/west/game", text(t, sample("g1", 9)), false)
		settle(time.Second)
		for got := 0; got < 6; {
			in := next(t, m, isGame)
			got = len(in.Game.Moves)
			if in.Board != "south" || got > 6 {
				t.Fatalf("got %d moves of %s, want the latest valid game of south", got, in.Board)
			}
		}
		if m.Dropped() != 2 || !m.Link().Up {
			t.Errorf("%d dropped, link %+v, want 2 and up", m.Dropped(), m.Link())
		}
		settle(5 * time.Minute) // what is retained is asked for again and again, and told once
		select {
		case in := <-m.Incoming():
			t.Errorf("got %+v again", in)
		default:
		}
		m.Follow()
		settle(time.Second)
		b.publish("boardd/v1/south/game", text(t, sample("g1", 7)), true)
		settle(time.Second)
		select {
		case in := <-m.Incoming():
			if in.Game != nil {
				t.Errorf("got %+v of a board that is not followed any more", in.Game)
			}
		default:
		}
	})
}

func TestGameMissedWhileSubscribingArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Follow("south")
		settle(time.Millisecond)
		// The game is retained, but does not reach those who have subscribed already.
		b.rule.deny.Store("boardd/v1/south/game")
		b.publish("boardd/v1/south/game", text(t, sample("g1", 4)), true)
		settle(time.Millisecond)
		b.rule.deny.Store("")
		if in := next(t, m, isGame); len(in.Game.Moves) != 4 {
			t.Errorf("got %+v", in.Game)
		}
	})
}

// TestRetainedGameIsOvertaken: a broker looks up what it retains, passes on a newer game, and then sends the retained
// one. The board stays with the newer game.
func TestRetainedGameIsOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const topic = "boardd/v1/south/game"
		b := newBench(t)
		b.publish(topic, text(t, sample("g1", 4)), true)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Follow("south")
		settle(100 * time.Millisecond)
		if in := next(t, m, isGame); len(in.Game.Moves) != 4 {
			t.Fatalf("got %d moves, want the 4 that are retained", len(in.Game.Moves))
		}
		overtaken := 0
		b.rule.late.Store(func(asked string) {
			if asked == topic { // not retained: what the broker sends now is the older game
				overtaken++
				b.publish(topic, text(t, sample("g1", 5)), false)
			}
		})
		settle(5 * time.Second)
		b.rule.late.Store(func(string) {})
		if overtaken == 0 {
			t.Fatal("the game was not asked for again")
		}
		if in := next(t, m, isGame); len(in.Game.Moves) != 5 {
			t.Errorf("got %d moves, want the 5 that came last", len(in.Game.Moves))
		}
		select {
		case in := <-m.Incoming():
			t.Errorf("got %+v after the newer game", in)
		default:
		}
	})
}

func TestRefusedSubscriptionIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.rule.deny.Store("boardd/v1/south/game")
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Follow("south")
		settle(time.Second)
		if got := strings.Join(m.Link().Refused, " "); got != "boardd/v1/south/game" {
			t.Errorf("refused %q, want the game of south", got)
		}
		if in := next(t, m,
			func(in mirror.Incoming) bool { return in.Link != nil && len(in.Link.Refused) > 0 }); !in.Link.Up &&
			in.Link.Refused[0] == "" {
			t.Errorf("told %+v", in.Link)
		}
	})
}

// TestRefusedForAWhile: a cluster that elects a leader refuses the command topic for some seconds. Afterwards the
// board gets commands on the same connection.
func TestRefusedForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.rule.deny.Store("boardd/v1/north/command")
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		settle(10 * time.Second)
		if got := strings.Join(m.Link().Refused, " "); got != "boardd/v1/north/command" {
			t.Fatalf("refused %q, want the commands", got)
		}
		b.rule.deny.Store("")
		settle(time.Minute)
		if l := m.Link(); len(l.Refused) > 0 || b.Dialled() != 1 {
			t.Errorf("a minute later refused is %v, after %d connections", l.Refused, b.Dialled())
		}
		b.publish("boardd/v1/north/command", `{"id":"1","do":"resign"}`, false)
		if in := next(t, m, func(in mirror.Incoming) bool { return in.Command != nil }); in.Command.ID != "1" {
			t.Errorf("got %+v", in.Command)
		}
	})
}

func TestSameClientIDIsSaidAndCalmsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		one, stopOne := b.run(mirror.Options{Board: "north"})
		two, stopTwo := b.run(mirror.Options{Board: "north"})
		one.Publish(sample("g1", 1)) // one of them takes another id first; the other then hears a game that is not its own
		two.Publish(sample("g2", 1))
		conflicts := func(in mirror.Incoming) bool { return in.Link != nil && in.Link.Conflict }
		next(t, one, conflicts)
		next(t, two, conflicts)
		settle(time.Minute)
		before := b.Dialled()
		settle(10 * time.Minute)
		if n := b.Dialled() - before; n > 100 {
			t.Errorf("%d connections in ten minutes, want them to calm down", n)
		}
		stopTwo()
		settle(20 * time.Minute)
		if l := one.Link(); !l.Up || l.Conflict && !strings.Contains(l.Trouble.English, "writes the topics of this board") {
			t.Errorf("link %+v after the other one has left, want it up; that the other one wrote its topics stays said", l)
		}
		stopOne()
	})
}

// TestLossWhilePublishing: a connection is lost with a message on its way. The cause is reported, and the broker has
// closed it, as with any other connection.
func TestLossWhilePublishing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.rule.cut.Store(wire.Topic("north", wire.LeafEvent))
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Event(wire.Event{Kind: wire.EventMove, Game: "g1", Ply: 1})
		in := next(t, m, func(in mirror.Incoming) bool { return in.Link != nil && in.Link.Trouble.English != "" })
		const want = "the connection to the broker at tcp://broker:1883 was lost: EOF"
		if got := in.Link.Trouble.English; got != want {
			t.Errorf("trouble %q, want %q", got, want)
		}
		settle(20 * time.Second)
		if n := b.Dialled(); n > 10 || !m.Link().Conflict {
			t.Errorf("link %+v after %d connections, want it to say soon that the broker keeps closing them", m.Link(), n)
		}
	})
}

func TestForeignWriterIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Publish(sample("g1", 1))
		settle(time.Second)
		if m.Link().Conflict {
			t.Fatal("its own game is taken for another's")
		}
		b.publish(northGame, text(t, sample("g2", 1)), true)
		settle(time.Second)
		if l := m.Link(); !l.Conflict || !strings.Contains(l.Trouble.English, "another client writes") {
			t.Errorf("link %+v, want the other writer to be said", l)
		}
	})
}

func TestHealthIsRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		for i := range 100 {
			m.Health(wire.Health{Version: "test", Uptime: int64(i)})
			settle(time.Second)
		}
		settle(time.Minute)
		if n := b.count("boardd/v1/north/health", ""); n < 10 || n > 11 {
			t.Errorf("%d in 100 s, want 10 or 11", n)
		}
		if got, want := b.retained("boardd/v1/north/health"),
			text(t, wire.Health{Version: "test", Uptime: 99}); got != want {
			t.Errorf("got %s, want the latest %s", got, want)
		}
	})
}

func TestAnnouncementsAreRetained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a, err := wire.HomeAssistant("north", "1.0")
		if err != nil {
			t.Fatal(err)
		}
		_, stop := b.run(mirror.Options{Board: "north", Announce: []wire.Announcement{a}})
		defer stop()
		settle(time.Second)
		if got := b.retained(a.Topic); got != string(a.Payload) || b.retained(northStatus) != wire.Online {
			t.Errorf("got %.80s, want the announcement", got)
		}
	})
}

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct{ board, url, want string }{
		{"North", "tcp://h", "board id"},
		{"north", "http://h", "want tcp://host:port"},
		{"north", "h:1883", "broker URL"},
		{"north", "tcp://", "want tcp://host:port"},
	} {
		m := mirror.New(mirror.Options{Board: c.board, URL: c.url})
		err := m.Run(context.Background())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want an error with %q", c.board, c.url, err, c.want)
		}
		if _, open := <-m.Incoming(); open {
			t.Error("incoming is still open")
		}
	}
}
