// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"boardd/sync/broker"
)

// TestSpectatorJoinsAFullHall: a late spectator gets all retained games, even 21 MB. He gets them even over a link
// that is slower than the broker's limit for one write. Measured: with a limit of 16 MiB for a client's waiting
// messages, every spectator of 10,000 boards was disconnected before the first game arrived.
func TestSpectatorJoinsAFullHall(t *testing.T) {
	b := start(t, broker.Options{}.WithWriteDeadline(time.Second))
	boards := connect(t, b.URL(), "boards", "", "")
	const games, size = 24, 900 << 10
	for i := range games {
		wait(t, "publish", boards.Publish(fmt.Sprintf("boardd/v1/board%02d/game", i), 1, true, strings.Repeat("x", size)))
	}
	t.Run("quick", func(t *testing.T) {
		got := listen(t, connect(t, b.URL(), "spectator", "", ""), "boardd/v1/+/game", 0)
		for seen := map[string]bool{}; len(seen) < games; {
			topic, _, _ := strings.Cut(receive(t, got), " ")
			seen[topic] = true
		}
	})
	t.Run("slow", func(t *testing.T) { joinSlowly(t, b, games*size) })
}

// joinSlowly reads nothing until the broker waits, and then all.
func joinSlowly(t *testing.T, b *broker.Broker, bytes int64) {
	slow := b.Slow()
	link, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close()
	if err := link.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	// MQTT 3.1.1: CONNECT of a clean session named "slow", SUBSCRIBE to boardd/v1/+/game at QoS 0.
	connect := "\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04slow"
	subscribe := "\x82\x15\x00\x01\x00\x10boardd/v1/+/game\x00"
	if _, err := io.WriteString(link, connect+subscribe); err != nil {
		t.Fatal(err)
	}
	select {
	case <-slow:
	case <-time.After(patience):
		t.Fatal("the broker does not mind that nothing is read")
	}
	if n, err := io.CopyN(io.Discard, link, bytes); err != nil {
		t.Fatalf("after %d of %d bytes: %v", n, bytes, err)
	}
}

// TestWarnings: the log has what an owner should act on, and not that the machine was busy for a moment.
func TestWarnings(t *testing.T) {
	var log strings.Builder
	to := slog.New(slog.NewTextHandler(&log, nil))
	broker.Warn(to, "Plaintext passwords detected, use nkeys or bcrypt")
	broker.Warn(to, "127.0.0.1:47180 - mid:5 - Readloop processing time: %v", 2*time.Second)
	if log.Len() > 0 {
		t.Error(log.String())
	}
	broker.Warn(to, "Slow consumer %s", "north")
	if !strings.Contains(log.String(), "Slow consumer north") {
		t.Errorf("got %q, want the warning", log.String())
	}
}
