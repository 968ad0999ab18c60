// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// The times of the interface. It wants one request at a time, and a full minute of waiting after an answer 429.
const (
	answerWithin = 20 * time.Second // for a request that is no stream
	busyPause    = time.Minute      // after 429
	silence      = 20 * time.Second // of a stream, which sends an empty line every few seconds
	retryLeast   = time.Second
	retryMost    = time.Minute
	seekAgain    = 10 * time.Second // after the end of a seek without a game
	// the stream of events begins with the games that go on; chosen: at least two empty lines later all are known
	tellsWithin = 15 * time.Second

	// A pusher: changes at many tables within a moment are sent together. Now and then everything is sent again, in case
	// the server has lost something.
	gather    = time.Second
	pushAgain = time.Minute
)

// mostAnswer is how much of an answer is read, in bytes, and mostLine how long a line of a stream may be.
const (
	mostAnswer = 1 << 20
	mostLine   = 256 << 10
)

// Client sends requests to one server, one at a time.
type Client struct {
	base  string
	token string
	http  *http.Client
	turn  chan struct{} // capacity 1: whose turn it is

	mu    sync.Mutex
	until time.Time // no request before then
}

// New is a client of a server such as https://lichess.org. A nil transport is the usual network.
func New(base, token string, transport http.RoundTripper) *Client {
	return &Client{base: strings.TrimRight(base, "/"), token: token, turn: make(chan struct{}, 1), http: &http.Client{
		Transport: transport,
		// the token goes nowhere else
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// StatusError is the error for an answer without success.
type StatusError struct {
	Status int
	Text   string // the server's own words
}

// Error says what the server said.
func (r *StatusError) Error() string {
	text := r.Text
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text += ": look at the token and what it allows"
	case http.StatusTooManyRequests:
		text = "it wants fewer requests: the next one goes out in a minute"
	}
	return fmt.Sprintf("the server answers %d, %s", r.Status, text)
}

// Final reports whether the same request would always be refused.
func (r *StatusError) Final() bool {
	return r.Status >= 400 && r.Status < 500 && r.Status != http.StatusTooManyRequests &&
		r.Status != http.StatusRequestTimeout
}

// final reports whether an error is such a refusal.
func final(err error) bool {
	var r *StatusError
	return errors.As(err, &r) && r.Final()
}

// wait waits until requests are allowed again.
func (c *Client) wait(ctx context.Context) error {
	c.mu.Lock()
	pause := time.Until(c.until)
	c.mu.Unlock()
	if pause <= 0 {
		return ctx.Err()
	}
	return rest(ctx, pause)
}

// rest waits, but not longer than ctx.
func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// request makes a request.
func (c *Client) request(ctx context.Context, method, path, kind, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("User-Agent", "boardd")
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r, nil
}

// send sends a request and returns the answer, unread, if it is a success.
func (c *Client) send(r *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close() //nolint:errcheck // it is thrown away
	if resp.StatusCode == http.StatusTooManyRequests {
		c.mu.Lock()
		c.until = time.Now().Add(busyPause)
		c.mu.Unlock()
	}
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10)) //nolint:errcheck // a part of the words will do
	var said struct {
		Error any `json:"error"`
	}
	text := http.StatusText(resp.StatusCode)
	if json.Unmarshal(data, &said) == nil && said.Error != nil {
		text = fmt.Sprint(said.Error)
	}
	if len(text) > 200 {
		text = text[:200]
	}
	return nil, &StatusError{resp.StatusCode, strings.ToValidUTF8(text, "?")}
}

// call sends a request and decodes the answer, nil for one that does not matter. It waits for its turn.
func (c *Client) call(ctx context.Context, method, path, kind, body string, into any) error {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.turn }()
	if err := c.wait(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	r, err := c.request(ctx, method, path, kind, body)
	if err != nil {
		return err
	}
	resp, err := c.send(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	data, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("the server's answer is not readable: %w", err)
	}
	return nil
}

// post sends a form.
func (c *Client) post(ctx context.Context, path string, form url.Values, into any) error {
	return c.call(ctx, http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode(), into)
}

// stream reads the lines of a streamed answer, until it ends, is silent for too long, or take returns an error. take
// gets the empty lines too, which keep the stream alive.
func (c *Client) stream(ctx context.Context, method, path string, form url.Values,
	take func(line []byte) error) error {
	if err := c.wait(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(silence, func() { cancel(errors.New("the stream fell silent")) })
	defer alive.Stop()
	kind := ""
	if form != nil {
		kind = "application/x-www-form-urlencoded"
	}
	r, err := c.request(ctx, method, path, kind, form.Encode())
	if err != nil {
		return err
	}
	resp, err := c.send(r)
	if err != nil {
		return cause(ctx, err)
	}
	defer resp.Body.Close() //nolint:errcheck // it has ended
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, mostLine)
	for lines.Scan() {
		alive.Reset(silence)
		if err := take(lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return cause(ctx, err)
	}
	return io.EOF
}

// cause is why a stream ended: our own reason, where there is one.
func cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); why != nil {
		return why
	}
	return err
}
