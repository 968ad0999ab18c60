// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ports gives ports that were free a moment ago.
func ports(t *testing.T, n int) (list []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // all at the end, so that they differ
		list = append(list, l.Addr().(*net.TCPAddr).Port)
	}
	return list
}

// sampleNode is the configuration of one node of the sample, unchanged except for addresses and the folder. Of nine
// ports the first three are for clients of NATS, the next for MQTT, the last for the nodes.
func sampleNode(i int, free []int, dir string) (*server.Options, error) {
	name := []string{"a", "b", "c"}[i]
	o, err := server.ProcessConfigFile(filepath.Join("cluster", name+".conf"))
	if err != nil {
		return nil, err
	}
	if o.ServerName != name || len(o.Routes) != 3 || o.MQTT.Port != 8883 || !o.SyncAlways || o.Cluster.Name != "clubs" {
		return nil, fmt.Errorf("node %s: name %q, %d routes, MQTT on %d, synced %v, cluster %q", name, o.ServerName,
			len(o.Routes), o.MQTT.Port, o.SyncAlways, o.Cluster.Name)
	}
	if !o.MQTT.ConsumerMemoryStorage || o.MQTT.ConsumerInactiveThreshold != 5*time.Minute {
		return nil, fmt.Errorf("node %s: consumers in memory %v, gone after %v", name, o.MQTT.ConsumerMemoryStorage,
			o.MQTT.ConsumerInactiveThreshold)
	}
	if o.JetStreamLimits.DefaultMaxConsumers < 10_000 {
		return nil, fmt.Errorf("node %s: %d boards hear commands", name, o.JetStreamLimits.DefaultMaxConsumers)
	}
	o.StoreDir, o.NoSigs, o.NoLog = dir, true, true
	o.Host, o.Port, o.MQTT.Host, o.MQTT.Port = "127.0.0.1", free[i], "127.0.0.1", free[3+i]
	o.Cluster.Host, o.Cluster.Port = "127.0.0.1", free[6+i]
	for k := range o.Routes {
		o.Routes[k] = &url.URL{Scheme: "nats-route", User: o.Routes[k].User, Host: fmt.Sprint("127.0.0.1:", free[6+k])}
	}
	return o, nil
}

// sampleCluster starts the three nodes of the sample configuration.
func sampleCluster(t *testing.T) (nodes []*server.Server, urls []string) {
	t.Helper()
	free := ports(t, 9)
	for i := range 3 {
		o, err := sampleNode(i, free, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		nodes, urls = append(nodes, s), append(urls, fmt.Sprint("tcp://127.0.0.1:", free[3+i]))
	}
	return nodes, urls
}

// join connects to a cluster that is still electing, which refuses clients for some seconds.
func join(t *testing.T, url, user, password string) *client {
	t.Helper()
	limit := time.After(patience)
	for {
		c := newClient(options(url, "test-"+user, user, password).SetConnectTimeout(time.Minute))
		k := c.Connect()
		if k.WaitTimeout(patience) && k.Error() == nil {
			t.Cleanup(func() { c.Disconnect(100) })
			return c
		}
		c.Disconnect(0)
		select {
		case <-limit:
			t.Fatalf("%s is not let in at %s: %v", user, url, k.Error())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// TestSampleCluster: the three nodes of the sample configuration find each other. A message published at one node
// arrives at another, and rights are those of the tree. When one node dies, the others go on with all messages.
func TestSampleCluster(t *testing.T) {
	t.Parallel()
	nodes, urls := sampleCluster(t)
	look := join(t, urls[1], "spectator", "look")
	got := listen(t, look, "boardd/v1/#", 1)
	oslo := join(t, urls[0], "oslo", "change-me-1")
	wait(t, "publish", oslo.Publish("boardd/v1/rome/game", 1, true, "forged"))
	wait(t, "publish", look.Publish("boardd/v1/oslo/command", 1, false, "forbidden"))
	wait(t, "publish", oslo.Publish("boardd/v1/oslo/game", 1, true, "one"))
	if s := receive(t, got); s != "boardd/v1/oslo/game one" {
		t.Errorf("got %q, want oslo's game and nothing that was forbidden", s)
	}
	oslo.Disconnect(100)
	nodes[0].Shutdown()
	oslo = join(t, urls[2], "oslo", "change-me-1")
	wait(t, "publish", oslo.Publish("boardd/v1/oslo/game", 1, true, "two"))
	for s := ""; s != "boardd/v1/oslo/game two"; {
		s = receive(t, got)
	}
	arbiter := join(t, urls[2], "arbiter", "change-me-3")
	late := listen(t, arbiter, "boardd/v1/+/game", 1)
	if s := receive(t, late); s != "boardd/v1/oslo/game two" {
		t.Errorf("who joins late sees %q", s)
	}
	for _, name := range []string{"RUNBOOK.md", "cluster/clubs.conf"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
