// SPDX-License-Identifier: Apache-2.0

package steady

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/systemd/steady/steadytest"
)

var heldBack = regexp.MustCompile(`held_back=(\d+)`)

// TestSteadyLog: a repeated message is logged three times, and then once in a span with the number of repetitions, so
// that the count is complete. After a quiet span it is logged at once.
func TestSteadyLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out steadytest.Said
		text := func() string {
			synctest.Wait()
			return out.String()
		}
		log, done := New(&out, slog.LevelInfo)
		began := time.Now()
		n := 0
		for ; time.Since(began) < 25*time.Minute; n++ {
			log.Warn("no way to the broker", "from", "127.0.0.1:"+strconv.Itoa(30000+n))
			time.Sleep(time.Second)
		}
		lines := strings.SplitAfter(strings.TrimSpace(text()), "\n")
		if len(lines) != 5 || !strings.Contains(lines[0], "127.0.0.1:30000") {
			t.Errorf("%d lines in 25 minutes, want three and then one for each ten minutes:\n%s", len(lines), text())
		}
		time.Sleep(2 * span)
		before := text()
		log.Warn("no way to the broker", "from", "127.0.0.1:1")
		if text() == before {
			t.Error("after a quiet span the trouble is not told at once")
		}
		done()
		sum := strings.Count(text(), "\n")
		for _, m := range heldBack.FindAllStringSubmatch(text(), -1) {
			k, _ := strconv.Atoi(m[1])
			sum += k - 1 // the line itself is one of them
		}
		if sum != n+1 {
			t.Errorf("%d records were said, the log accounts for %d:\n%s", n+1, sum, text())
		}
	})
}

// TestWhatIsTheSame: what differs in more than numbers is told apart, but no line of the program says more than its
// share.
func TestWhatIsTheSame(t *testing.T) {
	for _, c := range []struct {
		name string
		say  func(log *slog.Logger, n int)
		want int
	}{
		{"another port", func(l *slog.Logger, n int) { l.Warn("gone", "peer", fmt.Sprintf("10.0.0.7:%d", n)) }, SameText},
		{"a number in the message", func(l *slog.Logger, n int) { l.Warn(fmt.Sprintf("client %d is gone", n)) }, SameText},
		{"another square", func(l *slog.Logger, n int) { l.Warn("noisy", "reed", "e"+strconv.Itoa(n%8+1)) }, 8 * SameText},
		{"another board", func(l *slog.Logger, n int) { l.With("board", "abc"[n%3:n%3+1]).Warn("gone") }, 3 * SameText},
		{"another group", func(l *slog.Logger, n int) { l.WithGroup("abc"[n%3:n%3+1]).Warn("gone", "x", "y") },
			3 * SameText},
		{"another word each time", func(l *slog.Logger, n int) { l.Warn("gone", "why", word(n)) }, SameWarn},
		{"another message each time", func(l *slog.Logger, n int) { l.Error(word(n)) }, SameWarn},
		{"moves", func(l *slog.Logger, n int) { l.Info("move", "san", word(n)) }, sameKind},
		{"what is not told anyway", func(l *slog.Logger, n int) { l.Debug("gone") }, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			log, done := New(&out, slog.LevelInfo)
			for n := range 1000 {
				c.say(log, n)
			}
			if got := strings.Count(out.String(), "\n"); got != c.want {
				t.Errorf("%s: %d lines of 1000, want %d", c.name, got, c.want)
			}
			done()
		})
	}
}

// word is a word without digits, another for each n.
func word(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, strconv.Itoa(n))
}
