// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

var commandSubscriptions = flag.Int("commands", 0, "subscriptions to commands in TestCommandsOnACluster; 0: it is left out")

// TestCommandsOnACluster: so many boards subscribe to their commands on the three nodes of the sample configuration, and one node is killed. It measures how long
// they take to subscribe, and how long until the arbiter's command reaches a board again that was on another node, and all boards that come back.
//
//	go test ./sync/broker -run CommandsOnACluster -commands 2000 -timeout 20m -v
func TestCommandsOnACluster(t *testing.T) {
	if *commandSubscriptions == 0 {
		t.Skip("no subscriptions asked for: -commands 2000")
	}
	nodes, urls := sampleCluster(t)
	arbiter := join(t, urls[1], "arbiter", "change-me-3")
	var mu sync.Mutex
	heard := map[string]int{} // by what was said
	subscribe := func(url string, n int) mqtt.Client {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID(fmt.Sprint("board-", n)).SetUsername("arbiter").SetPassword("change-me-3").SetAutoReconnect(false).SetConnectTimeout(time.Minute))
		k := c.Connect()
		if !k.WaitTimeout(time.Minute) || k.Error() != nil {
			return nil
		}
		k = c.Subscribe(fmt.Sprintf("boardd/v1/b%d/command", n), 1, func(_ mqtt.Client, m mqtt.Message) {
			mu.Lock()
			defer mu.Unlock()
			heard[string(m.Payload())]++
		})
		if !k.WaitTimeout(time.Minute) || k.Error() != nil {
			c.Disconnect(0)
			return nil
		}
		return c
	}
	all := make([]mqtt.Client, *commandSubscriptions)
	connect := func(numbers []int, at func(n int) string) time.Duration {
		began := time.Now()
		var wg sync.WaitGroup
		gate := make(chan struct{}, 32)
		for _, n := range numbers {
			wg.Go(func() {
				gate <- struct{}{}
				defer func() { <-gate }()
				for all[n] == nil && time.Since(began) < 10*time.Minute {
					all[n] = subscribe(at(n), n)
				}
			})
		}
		wg.Wait()
		return time.Since(began)
	}
	numbers := make([]int, len(all))
	for n := range numbers {
		numbers[n] = n
	}
	t.Logf("%d subscriptions: %v", len(all), connect(numbers, func(n int) string { return urls[n%3] }).Round(100*time.Millisecond))
	said := func(text string) time.Duration {
		began := time.Now()
		for n := range all {
			wait(t, "command", arbiter.Publish(fmt.Sprintf("boardd/v1/b%d/command", n), 1, false, text))
		}
		for limit := time.Now().Add(10 * time.Minute); time.Now().Before(limit); {
			mu.Lock()
			n := heard[text]
			mu.Unlock()
			if n >= len(all) {
				return time.Since(began)
			}
			<-time.After(10 * time.Millisecond)
		}
		t.Fatalf("%d of %d boards have heard %q", heard[text], len(all), text)
		return 0
	}
	t.Logf("a command to each of them: %v", said("before").Round(100*time.Millisecond))
	var lost []int
	for n := range all {
		if n%3 == 0 {
			lost = append(lost, n)
			all[n].Disconnect(0)
			all[n] = nil
		}
	}
	nodes[0].Shutdown()
	nodes[0].WaitForShutdown()
	t.Logf("one node is killed; its %d boards subscribe at the others: %v", len(lost), connect(lost, func(n int) string { return urls[1+n%2] }).Round(100*time.Millisecond))
	t.Logf("a command to each of them: %v", said("after").Round(100*time.Millisecond))
	for _, c := range all {
		if c != nil {
			c.Disconnect(0)
		}
	}
}
