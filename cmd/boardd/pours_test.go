// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/wire"
)

// poured is the environment variable that makes the test program one of the floods. It holds its name, the page's
// address and the broker's URL, with a line feed between.
const poured = "BOARDD_TEST_POURS"

// aSign is of how many requests or messages a flood prints one line.
const aSign = 20

// pour is the other side of poured: it floods until it is told to end.
func pour(what string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	words := strings.Split(what, "\n")
	var taken atomic.Int64
	floods(words[1], words[2], func() {
		if taken.Add(1)%aSign == 0 {
			fmt.Println("taken")
		}
	})[words[0]](ctx)
}

// flooding starts a flood in a process of its own, so that its own work is not the daemon's. sign is called for each
// line that it prints. stop ends it.
func flooding(t *testing.T, name, address, broker string, sign func()) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	c := exec.CommandContext(ctx, os.Args[0])
	c.Env = append(os.Environ(), poured+"="+strings.Join([]string{name, address, broker}, "\n"))
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			sign()
		}
	}()
	return func() {
		cancel()
		<-done
		c.Wait() //nolint:errcheck // it was told to end
	}
}

// floods is what strangers on the network can do to the page, and accounts to the built-in broker, each until its
// context ends. took is called for each request that was answered, and for each message that a socket took.
func floods(address, broker string, took func()) map[string]func(ctx context.Context) {
	ask := func(path, token string, many int) func(context.Context) {
		return func(ctx context.Context) {
			var all sync.WaitGroup
			defer all.Wait()
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: many}}
			defer client.CloseIdleConnections()
			for range many {
				all.Go(func() {
					for ctx.Err() == nil {
						req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
						if err != nil {
							return
						}
						if token != "" {
							req.Header.Set("Authorization", "Bearer "+token)
						}
						if resp, err := client.Do(req); err == nil {
							io.Copy(io.Discard, resp.Body) //nolint:errcheck // the flood may be cut off at the end
							resp.Body.Close()
							took()
						}
					}
				})
			}
		}
	}
	// publish lets 8 clients of an account publish without end, while 8 others of it have subscribed to everything and
	// read nothing. Each flood has an account of its own: one that has published too much waits for minutes.
	publish := func(account string, qos byte, retained bool) func(context.Context) {
		return func(ctx context.Context) {
			var all sync.WaitGroup
			defer all.Wait()
			for n := range 16 {
				all.Go(func() {
					c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(broker).SetUsername(account).SetPassword("o").
						SetClientID(fmt.Sprint(account, n)).
						SetCleanSession(n%2 == 0).SetAutoReconnect(false))
					defer c.Disconnect(0)
					stops := func(k mqtt.Token) bool {
						select {
						case <-k.Done():
							return k.Error() != nil
						case <-ctx.Done():
							return true
						}
					}
					if stops(c.Connect()) {
						return
					}
					if n%2 == 1 {
						stops(c.Subscribe(wire.Root+"#", 1, func(mqtt.Client, mqtt.Message) {}))
						return // its session stays, and messages wait for it
					}
					for k := 0; !stops(c.Publish(wire.Topic(account, fmt.Sprint("event", k%50)), qos, retained,
						strings.Repeat("x", 4000))); k++ {
						took()
					}
				})
			}
		}
	}
	return map[string]func(context.Context){
		"8 that publish":                 publish("passing", 0, false),
		"8 that publish for who is away": publish("away", 1, false),
		"8 that publish what is kept":    publish("kept", 1, true),
		"24 connections on /story":       ask("/api/boards/flooded/story", "", 24),
		"24 connections on /why":         ask("/api/boards/flooded/why?from=e2&to=e5", "", 24),
		"24 on /wall/games":              ask("/api/wall/games", "", 24),
		"24 that guess tokens":           ask("/api/boards/flooded/game", "wrong", 24),
		"300 slow readers": func(ctx context.Context) {
			var conns []net.Conn
			for range 300 {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					break
				}
				conns = append(conns, conn)
				fmt.Fprintf(conn, "GET /api/boards/flooded/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
				took()
			}
			<-ctx.Done()
			for _, c := range conns {
				c.Close()
			}
		},
	}
}
