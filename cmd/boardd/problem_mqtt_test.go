// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"
)

// TestProblemOverMQTT: if mqtt.commands allows it, a program at the broker sets a problem on a table and gives it up.
// The topic and the wall show its number and the score, and later the key.
func TestProblemOverMQTT(t *testing.T) {
	t.Parallel()
	b := hintBroker(t)
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	number, position, key, _ := solvable(t, v)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: "+b.URL()+
		"\n  commands: [new, resign]\n"))
	r.await("table", "the array stands", synced)
	s := spectate(t, b.URL())
	do := func(id, body string) {
		t.Helper()
		s.send(wire.Topic("table", wire.LeafCommand), `{"id":"`+id+`",`+body+`}`)
		s.until(id+" is answered", func(_, leaf string, payload []byte) bool {
			var reply wire.Reply
			if leaf != wire.LeafReply || json.Unmarshal(payload, &reply) != nil || reply.ID != id {
				return false
			}
			if !reply.OK {
				t.Fatalf("%s: %s", body, reply.Error)
			}
			return true
		})
	}
	told := func(what string, ok func(g *wire.Game) bool) {
		t.Helper()
		s.until(what, func(_, leaf string, payload []byte) bool {
			g, err := wire.DecodeGame(payload)
			return leaf == wire.LeafGame && err == nil && g.Problem != nil && ok(&g)
		})
	}
	wall := func(what, want string) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), soonEnough)
		defer stop()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.page+"api/wall/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := r.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the wall does not show %s: %v", what, lines.Err())
	}
	do("set", fmt.Sprintf(`"do":"new","options":{"problem":"%d"}`, number))
	told("the problem is told", func(g *wire.Game) bool {
		return g.Problem.Number == number && g.FEN == position.FEN() && g.Problem.Key == nil && g.Problem.State == "find"
	})
	wall("the problem", fmt.Sprintf(`"number":%d`, number))
	do("up", `"do":"resign"`)
	told("the key is told", func(g *wire.Game) bool {
		return g.Problem.State == "given-up" && g.Problem.Key != nil && g.Problem.Key.Move == key && g.Problem.Shown == 1 &&
			g.Problem.Solved == 0
	})
	wall("the key", `"key":{"move":"`+key)
}
