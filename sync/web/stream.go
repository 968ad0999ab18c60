// SPDX-License-Identifier: Apache-2.0

package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"boardd/rules/say"
)

// channel is a feed in a stream of several. The names of its events begin with the prefix, or are all name.
type channel struct {
	prefix string
	name   string // "" for the names of the feed
	feed   *Feed
}

func (c *channel) eventName(name string) string {
	if c.name != "" {
		return c.name
	}
	return c.prefix + name
}

// stream writes news as server-sent events until the browser leaves. A state that changed twice while the browser was
// slow is sent once, the newest. Of a state that is gone only the name is sent, as that of a board of the wall.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, channels ...channel) {
	ctx, leave, ok := s.openStream(r)
	defer leave()
	if !ok {
		fail(w, http.StatusServiceUnavailable, say.Error("%d browsers look on already: try again later", maxStreams))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	out := &eventWriter{w: w, control: http.NewResponseController(w)}
	right := s.access.rightOf(r)
	out.hello(s.version, right)
	wake := make(chan struct{}, 1)
	cursors := make([]*cursor, len(channels))
	for i, c := range channels {
		cursors[i] = c.feed.newCursor()
		defer c.feed.watch(wake)()
	}
	alive := time.NewTicker(keepAliveInterval)
	defer alive.Stop()
	for out.err == nil {
		out.resendTime(s.version, right, time.Now()) // before news that have times by it
		for i, c := range channels {
			for _, m := range c.feed.changesSince(cursors[i]) {
				if m.data == nil {
					m.data, _ = json.Marshal(map[string]string{"board": m.name}) // a string encodes
				}
				out.event(c.eventName(m.name), m.data)
			}
		}
		out.flush()
		select {
		case <-wake:
		case <-alive.C:
			if s.access.rightOf(r) < right {
				return // its token is none any more; a browser comes again with what is left to it
			}
			out.event("alive", []byte("{}"))
		case <-ctx.Done():
			return
		}
	}
}

// eventWriter writes events to one browser. It ends at its first error.
type eventWriter struct {
	w       io.Writer
	control *http.ResponseController
	begun   bool      // a deadline is set for what is being written
	helloAt time.Time // when the browser was told the time
	err     error
}

func (o *eventWriter) print(format string, args ...any) {
	if o.err == nil && !o.begun {
		o.begun, o.err = true, o.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	}
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.w, format, args...)
	}
}

func (o *eventWriter) event(name string, data []byte) { o.print("event: %s\ndata: %s\n\n", name, data) }

// hello tells a browser the version, the time and its right. A page of another version reloads itself, and clocks
// count from that time.
func (o *eventWriter) hello(version string, right Right) {
	o.helloAt = time.Now()
	data, err := json.Marshal(map[string]any{"version": version, "right": right.String(),
		"now_ms": o.helloAt.UnixMilli()})
	if o.err = err; err == nil {
		o.event("hello", data)
	}
}

func (o *eventWriter) flush() {
	if o.err == nil && o.begun {
		o.err = o.control.Flush()
	}
	o.begun = false
}

// resendTime tells it again when the computer's clock was set.
func (o *eventWriter) resendTime(version string, right Right, now time.Time) {
	if clockWasSet(o.helloAt, now) {
		o.hello(version, right)
	}
}

// maxDrift is how far the computer's clock may run off while it is kept right.
const maxDrift = time.Second

// clockWasSet reports whether the computer's clock was set between two times. A Raspberry Pi has no clock of its own:
// it begins in the past, and jumps when a time server is found.
func clockWasSet(before, now time.Time) bool {
	return (now.Round(0).Sub(before.Round(0)) - now.Sub(before)).Abs() > maxDrift
}
