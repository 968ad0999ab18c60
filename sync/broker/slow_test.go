// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"boardd/sync/broker"
)

// TestSlowSpectator: a spectator whose link takes longer than the broker's patience for one write gets all retained games all the
// same: it was thrown out in the middle of them.
func TestSlowSpectator(t *testing.T) {
	b := start(t, broker.Options{}.WithWriteDeadline(time.Second))
	c := connect(t, b.URL(), "boards", "", "")
	const boards, size = 175, 120 << 10
	for i := range boards {
		wait(t, "publish", c.Publish(fmt.Sprintf("boardd/v1/board%d/game", i), 1, true, strings.Repeat("x", size)))
	}
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
	for end := time.Now().Add(patience); b.Waited() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the broker does not mind that nothing is read")
		}
	}
	if n, err := io.CopyN(io.Discard, link, boards*size); err != nil {
		t.Fatalf("after %d of %d bytes: %v", n, boards*size, err)
	}
}
