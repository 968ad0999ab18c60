// SPDX-License-Identifier: Apache-2.0

package main

import (
	"boardd/systemd/steady"
	"bytes"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestRubbishFromTheNetwork: clients send rubbish to the broker and the page of the whole program, come back in a loop
// and are thrown out. The program logs it, but not each time.
func TestRubbishFromTheNetwork(t *testing.T) {
	t.Parallel()
	at := freeAddress(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+
		at+"\n"))
	r.await("table", "the array stands", synced)
	noise := make([]byte, 300)
	for range 300 {
		rand.Read(noise)
		noise[0] = 0xf0 // no CONNECT
		hurl(t, at, noise)
		noise[0] = 'x' // no method of HTTP
		hurl(t, strings.TrimSuffix(strings.TrimPrefix(r.page, "http://"), "/"), append(noise, "\r\n\r\n"...))
		resp, err := http.Post(r.page+"api/boards/table/command", "application/json", bytes.NewReader(noise))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	r.stop()
	if got := strings.Count(r.errs.String(), "\n"); got < steady.SameText || got > 2*steady.SameWarn {
		t.Errorf("%d lines for 900 times rubbish, want it told, and no more often than two places of the program may:\n%s",
			got, r.errs)
	}
}

// hurl sends bytes and waits until the other side has had enough of them.
func hurl(t *testing.T, address string, data []byte) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write(data)          //nolint:errcheck // the other side may close before it has read everything
	io.Copy(io.Discard, c) //nolint:errcheck // likewise
}
