// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"boardd/sync/broker"
	"boardd/sync/mirror"
)

// freePorts gives n ports that were free a moment ago.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // all at the end, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// TestOneOfThreeNodesDies plays on a cluster of three brokers and stops the one that the boards are connected to.
func TestOneOfThreeNodesDies(t *testing.T) {
	ports := freePorts(t, 3)
	var routes []string
	for _, p := range ports {
		routes = append(routes, fmt.Sprintf("nats-route://nodes:secret@127.0.0.1:%d", p))
	}
	users := []broker.User{{Name: "north", Password: "n", Board: "north"}, {Name: "south", Password: "s", Board: "south"}}
	started := make(chan *broker.Broker, 3)
	for i, p := range ports {
		dir := t.TempDir()
		go func() {
			b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: dir, Name: fmt.Sprint("node", i), Users: users,
				Cluster: &broker.Cluster{
					Name: "clubs", Listen: fmt.Sprintf("127.0.0.1:%d", p), Routes: routes, User: "nodes", Pass: "secret",
				}})
			if err != nil {
				t.Error(err)
			}
			started <- b
		}()
	}
	var nodes []*broker.Broker
	var urls []string
	for range ports {
		b := <-started
		if b == nil {
			t.Fatal("a node did not start")
		}
		t.Cleanup(b.Close)
		nodes = append(nodes, b)
		urls = append(urls, b.URL())
	}
	north := live(t, mirror.Options{Board: "north", URL: strings.Join(urls, ","), User: "north", Password: "n"})
	south := live(t, mirror.Options{Board: "south", URL: strings.Join(urls, ", "), User: "south", Password: "s"})
	south.Follow("north")
	north.Publish(sample("g", 1))
	next(t, south, func(in mirror.Incoming) bool { return in.Game != nil && len(in.Game.Moves) == 1 })
	for _, b := range nodes {
		if b.Clients() > 0 {
			b.Close() // one of those that boards are connected to
			break
		}
	}
	north.Publish(sample("g", 2))
	next(t, south, func(in mirror.Incoming) bool { return in.Game != nil && len(in.Game.Moves) == 2 })
}
