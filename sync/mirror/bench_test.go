// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"encoding/json"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/mirror"
)

// BenchmarkRoundTrip measures the way of a game from one client to another and of the answer back, through one
// embedded broker on this machine. Bare paho clients and mirrors take turns, so that both meet the same load. The
// figure "ratio" is the mirrors' time over the bare clients' time.
//
//	go test -run xxx -bench RoundTrip -benchtime 2000x ./sync/mirror
func BenchmarkRoundTrip(b *testing.B) {
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	bare, mirrored := newBare(b, br.URL()), newMirrored(b, br.URL())
	for i := range 50 {
		bare(i)
		mirrored(i)
	}
	var spent [2]time.Duration
	b.ResetTimer()
	for i := range b.N {
		for k, trip := range []func(int){bare, mirrored} {
			began := time.Now()
			trip(1000 + i)
			spent[k] += time.Since(began)
		}
	}
	b.ReportMetric(float64(spent[0].Microseconds())/float64(b.N), "bare-us/trip")
	b.ReportMetric(float64(spent[1].Microseconds())/float64(b.N), "mirror-us/trip")
	b.ReportMetric(float64(spent[1])/float64(spent[0]), "ratio")
}

// newBare returns a round trip of two plain clients that publish and decode the same retained JSON. They use the same
// qualities of service as mirrors: 1 to publish, 0 to subscribe.
func newBare(b *testing.B, url string) func(int) {
	client := func(name, other string, arrived chan<- int) mqtt.Client {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID("bare-" + name).SetWriteTimeout(time.Second))
		waitToken(b, c.Connect())
		waitToken(b, c.Subscribe("bare/"+other+"/game", 0, func(_ mqtt.Client, m mqtt.Message) {
			var g struct {
				Clock struct {
					White int `json:"white_ms"`
				}
			}
			if json.Unmarshal(m.Payload(), &g) == nil {
				arrived <- g.Clock.White
			}
		}))
		return c
	}
	atSouth, atNorth := make(chan int, 64), make(chan int, 64)
	north := client("north", "south", atNorth)
	south := client("south", "north", atSouth)
	say := func(c mqtt.Client, topic string, i int) {
		waitToken(b, c.Publish(topic, 1, true, payload(b, i)))
	}
	return func(i int) {
		go say(north, "bare/north/game", i)
		awaitNumber(atSouth, i)
		go say(south, "bare/south/game", i)
		awaitNumber(atNorth, i)
	}
}

func newMirrored(b *testing.B, url string) func(int) {
	north, south := liveBench(b, url, "north"), liveBench(b, url, "south")
	north.Follow("south")
	south.Follow("north")
	return func(i int) {
		north.Publish(timedSample(i))
		awaitGame(south, i)
		south.Publish(timedSample(i))
		awaitGame(north, i)
	}
}

func liveBench(b *testing.B, url, board string) *mirror.Mirror {
	m := mirror.New(mirror.Options{Board: board, URL: url})
	done := make(chan struct{})
	ctx, cancel := withCancel()
	go func() {
		defer close(done)
		if err := m.Run(ctx); err != nil {
			b.Error(err)
		}
	}()
	b.Cleanup(func() { cancel(); <-done })
	return m
}

func awaitNumber(c <-chan int, i int) {
	for n := range c {
		if n == i {
			return
		}
	}
}

func awaitGame(m *mirror.Mirror, i int) {
	for in := range m.Incoming() {
		if in.Game != nil && in.Game.Clock != nil && in.Game.Clock.White == int64(i) {
			return
		}
	}
}

func waitToken(b *testing.B, t mqtt.Token) {
	if !t.WaitTimeout(10*time.Second) || t.Error() != nil {
		b.Errorf("no answer: %v", t.Error())
	}
}
