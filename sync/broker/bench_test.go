// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
)

// game is the size in bytes of a game message of 40 moves, with its list of legal moves and two signatures.
const game = 2500

func benchClient(b *testing.B, url, id string) mqtt.Client {
	b.Helper()
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID(id).SetAutoReconnect(false))
	if k := c.Connect(); !k.WaitTimeout(30*time.Second) || k.Error() != nil {
		b.Fatalf("connect: %v", k.Error())
	}
	b.Cleanup(func() { c.Disconnect(50) })
	return c
}

func startBench(b *testing.B) (*broker.Broker, string) {
	b.Helper()
	dir := b.TempDir()
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: dir, MaxStore: 2 << 30})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(br.Close)
	return br, dir
}

func onDisk(dir string) (bytes int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { //nolint:errcheck // a figure
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

func residentMiB(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}

// BenchmarkRetained keeps the retained games of this many boards, and lets a spectator that joins read them all.
//
//	go test -run xxx -bench 'Retained|FanOut' -benchtime 1x ./sync/broker
func BenchmarkRetained(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			br, dir := startBench(b)
			before := residentMiB(b)
			c := benchClient(b, br.URL(), "boards")
			payload := strings.Repeat("x", game)
			began := time.Now()
			for at := 0; at < n; at += 50 {
				var tokens []mqtt.Token
				for i := at; i < at+50; i++ {
					tokens = append(tokens, c.Publish(fmt.Sprintf("boardd/v1/board%d/game", i), 1, true, payload))
				}
				for _, k := range tokens {
					if !k.WaitTimeout(30*time.Second) || k.Error() != nil {
						b.Fatalf("publish: %v", k.Error())
					}
				}
			}
			b.ReportMetric(float64(n)/time.Since(began).Seconds(), "kept/s")
			b.ReportMetric(float64(onDisk(dir))/float64(n)/1024, "KiB-on-disk/board")
			b.ReportMetric((residentMiB(b)-before)*1024/float64(n), "KiB-memory/board")
			b.ReportMetric(reads(b, br.URL(), n).Seconds(), "s-to-read-all")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// reads is how long a spectator needs that joins and gets this many retained games.
func reads(b *testing.B, url string, n int) time.Duration {
	b.Helper()
	var got atomic.Int64
	done := make(chan struct{})
	c := benchClient(b, url, "spectator")
	began := time.Now()
	c.Subscribe("boardd/v1/+/game", 0, func(mqtt.Client, mqtt.Message) {
		if got.Add(1) == int64(n) {
			close(done)
		}
	})
	select {
	case <-done:
	case <-time.After(time.Minute):
		b.Errorf("%d of %d retained games arrived within a minute", got.Load(), n)
	}
	return time.Since(began)
}

// BenchmarkFanOut publishes games that this many spectators of everything hear.
func BenchmarkFanOut(b *testing.B) {
	for _, n := range []int{10, 100, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			br, _ := startBench(b)
			var got atomic.Int64
			const games = 100
			done := make(chan struct{})
			for i := range n {
				c := benchClient(b, br.URL(), fmt.Sprint("spectator", i))
				k := c.Subscribe("boardd/v1/+/game", 0, func(mqtt.Client, mqtt.Message) {
					if got.Add(1) == int64(n*games) {
						close(done)
					}
				})
				if !k.WaitTimeout(30*time.Second) || k.Error() != nil {
					b.Fatalf("subscribe: %v", k.Error())
				}
			}
			c := benchClient(b, br.URL(), "board")
			payload := strings.Repeat("x", game)
			began := time.Now()
			for i := range games {
				if k := c.Publish(fmt.Sprintf("boardd/v1/board%d/game", i%20), 1, true, payload); !k.WaitTimeout(30*time.Second) ||
					k.Error() != nil {
					b.Fatalf("publish: %v", k.Error())
				}
			}
			select {
			case <-done:
			case <-time.After(time.Minute):
				b.Errorf("%d of %d arrived within a minute", got.Load(), n*games)
			}
			b.ReportMetric(float64(n*games)/time.Since(began).Seconds(), "heard/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
