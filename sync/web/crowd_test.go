// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestCrowd: two hundred browsers look on and all get the newest state. One that reads nothing keeps neither them nor
// the board waiting.
func TestCrowd(t *testing.T) {
	s, feed, _ := newServer(t)
	feed.Set("game", strings.Repeat("x", 4096)) // a game of some length
	stuck, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	fmt.Fprintf(stuck, "GET /api/boards/north/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

	const browsers, moves = 200, 50
	var ready, done sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: browsers}}
	defer client.CloseIdleConnections()
	for range browsers {
		ready.Add(1)
		done.Go(func() {
			resp, err := client.Get(s.URL + "/api/boards/north/events")
			if err != nil {
				t.Error(err)
				ready.Done()
				return
			}
			defer resp.Body.Close()
			lines := bufio.NewScanner(resp.Body)
			lines.Buffer(nil, 1<<16)
			first := true
			for lines.Scan() {
				if first && strings.HasPrefix(lines.Text(), "data: ") {
					first = false
					ready.Done()
				}
				if lines.Text() == `data: "last"` {
					return
				}
			}
			t.Errorf("a browser never got the last state: %v", lines.Err())
		})
	}
	ready.Wait()
	for i := range moves {
		feed.Set("game", fmt.Sprint(i, strings.Repeat("x", 4096)))
	}
	feed.Set("game", "last")
	done.Wait()
}
