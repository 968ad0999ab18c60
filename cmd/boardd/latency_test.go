// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/sync/wire"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

var latencyMoves = flag.Int("latency", 0, "how many moves TestLatency measures; 0: it is left out")

// moment is a message from a board, and when it came.
type moment struct {
	at          time.Time
	board, leaf string // leaf is a leaf of the contract, or "wood" or "leds" from the page
	payload     []byte
}

// moments returns all messages of two boards over the broker, and each change of their wood and lights.
func (d *duel) moments() <-chan moment {
	d.t.Helper()
	out := make(chan moment, 10000) // more than the test makes
	s := spectate(d.t, d.url)
	k := s.client.Subscribe(wire.Root+"#", 1, func(_ mqtt.Client, m mqtt.Message) {
		if board, leaf, err := wire.ParseTopic(m.Topic()); err == nil {
			out <- moment{time.Now(), board, leaf, m.Payload()}
		}
	})
	if k.Wait(); k.Error() != nil {
		d.t.Fatal(k.Error())
	}
	for board, r := range map[string]*running{"oslo": d.oslo, "rome": d.rome} {
		req, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, r.page+"api/boards/"+board+"/events", nil)
		if err != nil {
			d.t.Fatal(err)
		}
		resp, err := r.client.Do(req)
		if err != nil {
			d.t.Fatal(err)
		}
		go func() {
			defer resp.Body.Close()
			lines := bufio.NewScanner(resp.Body)
			lines.Buffer(nil, 1<<20)
			for kind := ""; lines.Scan(); {
				if k, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
					kind = k
				} else if (kind == "leds" || kind == "wood") && strings.HasPrefix(lines.Text(), "data: ") {
					out <- moment{at: time.Now(), board: board, leaf: kind}
				}
			}
		}()
	}
	return out
}

// TestLatency measures two virtual boards in processes of their own on one machine. The time begins at the last
// contact (the wood has changed, as the page hears it). It ends twice. A third client of the broker must have the game
// with the move. A client of the other board's page must have the first frame from its LED line. The event of the move
// says how much of that was spent on sensors and on waiting for the hand. The rest is the host's: deciding, signing,
// the synced journal, the broker, merging, the second journal, the lights.
//
//	go test ./cmd/boardd -run Latency -latency 60 -v
func TestLatency(t *testing.T) {
	if *latencyMoves == 0 {
		t.Skip("no moves asked for: -latency 60")
	}
	d := startDuel(t, "")
	all := d.moments()
	squares := []string{"g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"}
	var game, hosts, led, ledHosts, waited []time.Duration
	for len(game) < *latencyMoves {
		_, reply := d.oslo.post("oslo", "command", `{"id":"1","do":"new","seats":{"white":"oslo","black":"rome"}}`)
		if reply["ok"] != true {
			t.Fatal(reply)
		}
		d.meet()
		for n, m := range squares {
			mover, board, other, copying := d.oslo, "oslo", d.rome, "rome"
			if n%2 == 1 {
				mover, board, other, copying = d.rome, "rome", d.oslo, "oslo"
			}
			mover.hand(board, `{"do":"lift","square":"`+m[:2]+`"}`)
			for len(all) > 0 {
				<-all
			}
			mover.hand(board, `{"do":"place","square":"`+m[2:]+`"}`)
			contact, published, shown, rest := measure(t, all, board, copying, n+1)
			game, led, waited = append(game, published.Sub(contact)), append(led, shown.Sub(contact)), append(waited, rest)
			hosts, ledHosts = append(hosts, published.Sub(contact)-rest), append(ledHosts, shown.Sub(contact)-rest)
			other.move(copying, m[:2], m[2:], 1)
			other.await(copying, "the copy stands", func(g *wire.Game) bool { return len(g.Moves) == n+1 && synced(g) })
		}
	}
	for _, row := range []struct {
		what  string
		times []time.Duration
	}{
		{"last contact to game at a third client", game}, {"last contact to the other board's lights", led},
		{"of it waiting for sensors and a still hand", waited},
		{"host's share until the game is out", hosts}, {"host's share until the lights", ledHosts},
	} {
		slices.Sort(row.times)
		at := func(part float64) time.Duration {
			return row.times[int(part*float64(len(row.times)-1))].Round(10 * time.Microsecond)
		}
		t.Logf("%-44s median %9v  p90 %9v  p99 %9v  most %9v  (%d moves)", row.what, at(0.5), at(0.9), at(0.99), at(1),
			len(row.times))
	}
}

// measure takes the time until each of three things has happened. The piece has touched the board, the game and the
// event were published, the lights of the other board have changed.
func measure(t *testing.T, all <-chan moment, board, other string, plies int) (contact, published, shown time.Time,
	waited time.Duration) {
	t.Helper()
	limit := time.After(soonEnough)
	for contact.IsZero() || published.IsZero() || shown.IsZero() || waited == 0 {
		select {
		case m := <-all:
			var g wire.Game
			var e wire.Event
			switch {
			case m.board == board && m.leaf == "wood" && contact.IsZero():
				contact = m.at
			case m.board == board && m.leaf == wire.LeafGame && published.IsZero() && json.Unmarshal(m.payload, &g) == nil &&
				len(g.Moves) == plies:
				published = m.at
			case m.board == other && m.leaf == "leds" && !contact.IsZero() && shown.IsZero():
				shown = m.at
			case m.board == board && m.leaf == wire.LeafEvent && json.Unmarshal(m.payload, &e) == nil &&
				e.Kind == wire.EventMove:
				waited = time.Duration(e.Latency * float64(time.Millisecond))
			}
		case <-limit:
			t.Fatalf("contact %v, published %v, shown %v, waited %v", contact, published, shown, waited)
		}
	}
	return contact, published, shown, waited
}
