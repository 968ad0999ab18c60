// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats-server/v2/server"
)

var commandSubscriptions = flag.Int("commands", 0, "subscriptions to commands in TestCommandsOnACluster; 0: it is "+
	"left out")

// nodeEnv makes this program one node of the sample cluster. It has the number, the folder and the nine ports, as
// JSON.
const nodeEnv = "BOARDD_TEST_NODE"

type nodeSetup struct {
	Number int
	Dir    string
	Ports  []int
}

func TestMain(m *testing.M) {
	if text := os.Getenv(nodeEnv); text != "" {
		if err := runNode(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// runNode runs one node until it is killed, or until whoever started it is gone.
func runNode(text string) error {
	var n nodeSetup
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		return err
	}
	o, err := sampleNode(n.Number, n.Ports, n.Dir)
	if err != nil {
		return err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	_, err = os.Stdin.Read(make([]byte, 1)) // ends when the other end of the pipe does
	s.Shutdown()
	return err
}

// startNodes starts the three nodes, each a process of its own.
func startNodes(t *testing.T) (nodes []*exec.Cmd, urls []string) {
	t.Helper()
	free := ports(t, 9)
	for i := range 3 {
		setup, err := json.Marshal(nodeSetup{i, t.TempDir(), free})
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(os.Args[0])
		c.Env, c.Stderr = append(os.Environ(), nodeEnv+"="+string(setup)), os.Stderr
		in, err := c.StdinPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			c.Process.Kill() //nolint:errcheck // it may be gone
			c.Wait()         //nolint:errcheck // it was killed
		})
		nodes, urls = append(nodes, c), append(urls, fmt.Sprint("tcp://127.0.0.1:", free[3+i]))
	}
	return nodes, urls
}

// TestCommandsOnACluster: many boards subscribe to their commands on the three nodes of the sample configuration, each
// a process. One node is killed while all are connected. The test measures how long the boards take to subscribe, and
// how long until a command has reached each of them. It measures both again without that node. A board whose
// connection ends connects to the next node, as real boards do. What it missed is sent again.
//
//	go test ./sync/broker -run CommandsOnACluster -commands 2000 -timeout 40m -v
func TestCommandsOnACluster(t *testing.T) {
	if *commandSubscriptions == 0 {
		t.Skip("no subscriptions asked for: -commands 2000")
	}
	nodes, urls := startNodes(t)
	arbiter := join(t, urls[1], "arbiter", "change-me-3")
	c := &crowd{t: t, urls: urls, on: make([]bool, *commandSubscriptions), heard: map[string]bool{},
		failed: map[string]int{}, gate: make(chan struct{}, 32), changed: make(chan struct{}, 1),
		ended: make(chan struct{})}
	defer c.end()
	began := time.Now()
	for n := range c.on {
		c.boards.Go(func() { c.board(n) })
	}
	c.await("all are subscribed", c.subscribed)
	t.Logf("%d subscriptions: %v; %s; memory of the nodes %s", len(c.on), since(began), c.counted(), memory(nodes))
	t.Logf("a command to each of them: %s", c.command(arbiter, "before"))
	began = time.Now()
	if err := nodes[0].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.await("the boards of the node are lost", func() bool { return c.lost >= len(c.on)/3 })
	lost := since(began)
	c.await("all are subscribed again", c.subscribed)
	t.Logf("one node is killed: its boards have noticed after %v, all are subscribed again after %v; %s", lost,
		since(began), c.counted())
	t.Logf("a command to each of them: %s", c.command(arbiter, "after"))
	t.Logf("memory of the nodes %s", memory(nodes[1:]))
}

func since(t time.Time) time.Duration { return time.Since(t).Round(100 * time.Millisecond) }

// memory is what processes hold, in MiB.
func memory(nodes []*exec.Cmd) string {
	var list []string
	for _, n := range nodes {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.Process.Pid))
		if err != nil {
			return err.Error()
		}
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		kb, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			return err.Error()
		}
		list = append(list, fmt.Sprintf("%d MiB", kb/1024))
	}
	return strings.Join(list, ", ")
}

// crowd is boards that only subscribe to their commands.
type crowd struct {
	t       *testing.T
	urls    []string
	gate    chan struct{} // capacity 32: those that connect at once
	boards  sync.WaitGroup
	ended   chan struct{}
	changed chan struct{} // capacity 1: look again

	mu     sync.Mutex
	on     []bool          // by the number of the board, whether it is subscribed
	heard  map[string]bool // the number of a board and what it heard
	lost   int             // connections that ended
	failed map[string]int  // attempts to connect or to subscribe, by what became of them
}

// note changes what is known of the boards.
func (c *crowd) note(f func()) {
	c.mu.Lock()
	f()
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default: // it will be looked at
	}
}

// board keeps one board connected until the crowd ends, at one node after the other.
func (c *crowd) board(n int) {
	for at := n; ; at++ {
		gone := make(chan struct{})
		client, err := c.subscribe(n, c.urls[at%len(c.urls)], gone)
		if err != nil {
			c.note(func() { c.failed[err.Error()]++ })
			again := time.NewTimer(time.Second) // as a board does
			select {
			case <-again.C:
				continue
			case <-c.ended:
				again.Stop()
				return
			}
		}
		c.note(func() { c.on[n] = true })
		select {
		case <-gone:
			c.note(func() { c.on[n] = false; c.lost++ })
		case <-c.ended:
			client.Disconnect(0)
			return
		}
	}
}

// subscribe connects a board to a node and subscribes to its commands. The connection is kept alive like that of a
// real board.
func (c *crowd) subscribe(n int, url string, gone chan struct{}) (mqtt.Client, error) {
	select {
	case c.gate <- struct{}{}:
	case <-c.ended:
		return nil, errors.New("the test is over")
	}
	defer func() { <-c.gate }()
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID(fmt.Sprint("board-",
		n)).SetUsername("arbiter").SetPassword("change-me-3").
		SetAutoReconnect(false).SetKeepAlive(10 * time.Second).SetConnectTimeout(20 * time.Second).
		SetConnectionLostHandler(func(mqtt.Client, error) { close(gone) }))
	err := await(client.Connect(), "connect")
	if err == nil {
		k := client.Subscribe(fmt.Sprintf("boardd/v1/b%d/command", n), 1, func(_ mqtt.Client, m mqtt.Message) {
			said := string(m.Payload())
			c.note(func() { c.heard[fmt.Sprint(n, " ", said)] = true })
		})
		err = await(k, "subscribe")
		for _, code := range k.(*mqtt.SubscribeToken).Result() {
			if err == nil && code == 128 {
				err = errors.New("subscribe: refused")
			}
		}
	}
	if err != nil {
		client.Disconnect(0)
	}
	return client, err
}

// await waits half a minute for an answer, as a board does.
func await(k mqtt.Token, what string) error {
	if !k.WaitTimeout(30 * time.Second) {
		return errors.New(what + ": no answer within half a minute")
	}
	if err := k.Error(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// await waits until something is so, ten minutes at most.
func (c *crowd) await(what string, so func() bool) {
	c.t.Helper()
	limit := time.After(10 * time.Minute)
	for {
		c.mu.Lock()
		is := so()
		c.mu.Unlock()
		if is {
			return
		}
		select {
		case <-c.changed:
		case <-limit:
			c.t.Fatalf("ten minutes passed before %s: %s", what, c.counted())
		}
	}
}

// subscribed reports whether all boards are. The caller holds the lock.
func (c *crowd) subscribed() bool {
	for _, on := range c.on {
		if !on {
			return false
		}
	}
	return true
}

func (c *crowd) counted() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	on := 0
	for _, is := range c.on {
		if is {
			on++
		}
	}
	return fmt.Sprintf("%d are subscribed, %d connections were lost, attempts that failed %v", on, c.lost, c.failed)
}

// command sends a command to every board, and again to those that have not received it, until all have. An arbiter
// without a reply does the same.
func (c *crowd) command(arbiter mqtt.Client, text string) string {
	c.t.Helper()
	began, report := time.Now(), ""
	for range 20 {
		var left []int
		c.mu.Lock()
		for n := range c.on {
			if !c.heard[fmt.Sprint(n, " ", text)] {
				left = append(left, n)
			}
		}
		c.mu.Unlock()
		if len(left) == 0 {
			return strings.TrimPrefix(report, ", then ")
		}
		for _, n := range left {
			wait(c.t, "command", arbiter.Publish(fmt.Sprintf("boardd/v1/b%d/command", n), 1, false, text))
		}
		said, quiet := since(began), time.NewTimer(10*time.Second)
		missing := len(left)
		for deaf := false; missing > 0 && !deaf; {
			select {
			case <-c.changed:
				missing = 0
				c.mu.Lock()
				for _, n := range left {
					if !c.heard[fmt.Sprint(n, " ", text)] {
						missing++
					}
				}
				c.mu.Unlock()
			case <-quiet.C:
				deaf = true
			}
		}
		report += fmt.Sprintf(", then said to %d within %v, heard by %d within %v", len(left), said, len(left)-missing,
			since(began))
	}
	c.t.Fatalf("said twenty times, and not heard by all: %s", report)
	return ""
}

// end disconnects everybody.
func (c *crowd) end() {
	close(c.ended)
	c.boards.Wait()
}
