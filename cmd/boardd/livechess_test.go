// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// TestLiveChess: a program that knows electronic boards hears a move that a hand makes.
func TestLiveChess(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "livechess:\n  listen: "+address+"\n"))
	r.await("table", "the array stands", synced)
	ctx, cancel := context.WithTimeout(t.Context(), soonEnough)
	defer cancel()
	c, _, err := websocket.Dial(ctx, "ws://"+address+"/api/v1.0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	hear := func(want string) {
		t.Helper()
		for {
			_, data, err := c.Read(ctx)
			if err != nil {
				t.Fatalf("waited for %s: %v", want, err)
			}
			if strings.Contains(string(data), want) {
				return
			}
		}
	}
	const ask = `{"id":1,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"table"}}}`
	if err := c.Write(ctx, websocket.MessageText, []byte(ask)); err != nil {
		t.Fatal(err)
	}
	hear(`"response":"call","id":1,"param":null`)
	r.move("table", "e2", "e4", 1)
	hear(`"serialnr":"table","board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR","san":["e4"],"match":true`)
}
