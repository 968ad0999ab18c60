// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// away is the number of hours without a broker. make soak asks for a week, which is 120,000 attempts to connect.
var away = flag.Int("away", 10, "hours that the broker is away in TestBrokerAway, 9 at least")

// TestBrokerAway: play goes on for days without a broker. When it comes back it gets the game, the newest events and
// the status within seconds. Meanwhile the board has not tried to connect too often.
func TestBrokerAway(t *testing.T) {
	hour := time.Hour
	if raceDetector {
		hour /= 10 // under the detector there is nothing new in more attempts
	}
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Publish(sample("g1", 1))
		settle(time.Second)
		b.Leave(true)
		b.Cut("north")
		before := b.Dialled()
		for n := range *away {
			settle(hour)
			m.Publish(sample("g1", 2+n))
			for range 30 {
				m.Event(wire.Event{Kind: wire.EventMove, Game: "g1", Ply: 2 + n})
			}
			m.Health(wire.Health{Version: "test", Journal: "ok", Uptime: int64(n)})
		}
		tries := b.Dialled() - before
		if least := int(time.Duration(*away) * hour / (2 * pauseMost)); tries < least || tries > 3*least {
			t.Errorf("%d attempts in %d hours, want about one in five seconds", tries, *away)
		}
		if l := m.Link(); l.Up || l.Trouble.English == "" {
			t.Errorf("link %+v, want it down and why", l)
		}
		if n := b.count(northGame, "{"); n != 1 {
			t.Errorf("%d games arrived although the broker was away", n)
		}
		b.Leave(false)
		settle(10 * time.Second)
		if got, want := b.retained(northGame), text(t, sample("g1", *away+1)); got != want {
			t.Errorf("game %.200s, want the one with %d moves", got, *away+1)
		}
		if got := b.retained(northStatus); got != wire.Online {
			t.Errorf("status %q", got)
		}
		if n := b.count("boardd/v1/north/event", "{"); n != 256 {
			t.Errorf("%d events, want the newest 256", n)
		}
		if n := b.count("boardd/v1/north/event", fmt.Sprintf(`{"kind":"move","game":"g1","ply":%d,`, *away+1)); n != 30 {
			t.Errorf("%d of the last thirty events arrived", n)
		}
		if n := b.count(northGame, "{"); n != 3 {
			t.Errorf("%d games were sent, want the latest alone, twice", n-1)
		}
	})
}

const pauseMost = 5 * time.Second // as the mirror's

// TestForbiddenPublishIsSaid: a broker that acknowledges messages and drops them is recognised because the games never
// come back. When they do, it is trusted again.
func TestForbiddenPublishIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.rule.drop.Store(northGame)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		m.Publish(sample("g1", 1))
		settle(15 * time.Second)
		if l := m.Link(); !l.Up || l.Trouble.English != "" {
			t.Errorf("link %+v after 15 s, want it up and nothing said yet", l)
		}
		settle(20 * time.Second)
		if l := m.Link(); !l.Up || !strings.Contains(l.Trouble.English, "may probably not write "+northGame) {
			t.Errorf("link %+v, want it up and the right that is missing to be named", l)
		}
		b.rule.drop.Store("")
		m.Publish(sample("g1", 2))
		settle(20 * time.Second)
		if l := m.Link(); !l.Up || l.Trouble.English != "" {
			t.Errorf("link %+v after the account was given the right, want no trouble", l)
		}
		settle(time.Hour)
		if l := m.Link(); l.Trouble.English != "" || l.Conflict {
			t.Errorf("link %+v an hour later", l)
		}
	})
}

// TestOldGameIsOverwritten: if an earlier game of the board, or a stranger's, replaces the last one on the broker, the
// board publishes its last one again. Two clients that overwrite each other do so slowly.
func TestOldGameIsOverwritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		m, stop := b.run(mirror.Options{Board: "north"})
		defer stop()
		settle(time.Second)
		m.Publish(sample("g1", 1))
		settle(time.Second)
		m.Publish(sample("g1", 2))
		settle(time.Second)
		last := text(t, sample("g1", 2))
		for _, other := range []wire.Game{sample("g1", 1), sample("g0", 7)} {
			b.publish(northGame, text(t, other), true)
			settle(15 * time.Second)
			if got := b.retained(northGame); got != last {
				t.Errorf("after another game %s the broker holds %s", other.Game, got)
			}
		}
		before := b.count(northGame, "{")
		for range 600 {
			b.publish(northGame, text(t, sample("g1", 1)), true)
			settle(100 * time.Millisecond)
		}
		if n := b.count(northGame, "{") - before - 600; n < 2 || n > 13 {
			t.Errorf("said again %d times within a minute", n)
		}
	})
}
