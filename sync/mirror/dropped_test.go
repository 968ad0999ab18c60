// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sync/mirror"
)

// lines is a log that several goroutines write.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestDroppedIsSaid: the log has a line for each message that is not accepted. The line says what it was, on which
// topic, and why. A stranger's words come in no other form than the log's.
func TestDroppedIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := newBench(t), new(lines)
		b.publish(northCommand, `{"id":"old","do":"flip"}`, true)
		m, stop := b.run(mirror.Options{Board: "north", Log: slog.New(slog.NewTextHandler(log, nil))})
		defer stop()
		m.Follow("south")
		settle(time.Minute)
		b.publish(northCommand, "\x1b[2Jnonsense", false)
		b.publish(northCommand, `{"id":"1","do":"explode"}`, false)
		b.publish("boardd/v1/south/game", "{}", false)
		b.publish(northCommand, strings.Repeat("x", 1<<20), false)
		for i := range 100 {
			b.publish(northCommand, fmt.Sprintf(`{"id":"%d","do":"flip"}`, i), false)
		}
		settle(time.Minute)
		for _, want := range [][]string{
			{"a retained command", "topic=" + northCommand, "id=old", "do=flip", "it was retained"},
			{"a command", "topic=" + northCommand, "want a JSON object"},
			{"a command", "topic=" + northCommand, "id=1", "explode"},
			{"a game", "topic=boardd/v1/south/game", "schema"},
			{"a message that is too long", "topic=" + northCommand, "1048576"},
			{"a command", "topic=" + northCommand, "id=99", "do=flip", "too many"},
		} {
			if !hasLine(log.String(), want) {
				t.Errorf("the log has no line with %q:\n%s", want, log)
			}
		}
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, "<nil>") || strings.Contains(line, `=""`) || strings.Contains(line, "\x1b") {
				t.Errorf("a line without a reason, or with raw bytes: %q", line)
			}
		}
	})
}

// hasLine reports whether one line of a text has all these words.
func hasLine(text string, words []string) bool {
	for line := range strings.Lines(text) {
		all := true
		for _, w := range words {
			all = all && strings.Contains(line, w)
		}
		if all {
			return true
		}
	}
	return false
}
