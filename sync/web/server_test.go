// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// table is a board with only what this package needs.
type table struct {
	did  []string
	none error
}

func (h *table) Lift(bool, sensing.Deck, rules.Square, int) error { return h.none }
func (h *table) Place(_ bool, d sensing.Deck, s rules.Square) error {
	h.did = append(h.did, d.String()+" "+s.String())
	return nil
}
func (h *table) Discard(bool) error      { return nil }
func (h *table) Take(bool, []byte) error { return nil }
func (h *table) Wood() wood.Wood         { return wood.Wood{} }
func (h *table) Holds(bool) []byte       { return []byte("q") }
func (h *table) Ways(*wire.Game, bool, sensing.Deck, rules.Square) ([]Way, error) {
	return []Way{{Move: "e4d5", SAN: "exd5", Pile: []string{"P"}, Taken: []string{"p"},
		Deeds: []Deed{{Do: "place", Square: "d5"}}}}, nil
}
func (h *table) Impossible(err error) bool { return errors.Is(err, errNothing) }

var errNothing = errors.New("nothing stands on e2")

func newServer(t *testing.T) (*httptest.Server, *Feed, *table) {
	t.Helper()
	feed, hands := NewFeed(), &table{none: errNothing}
	command := func(_ context.Context, c wire.Command, _ Visitor) wire.Reply { return wire.Reply{ID: c.ID, OK: true} }
	s := httptest.NewServer(Handler(Options{Access: Access{Visitors: Workshop}},
		&Board{ID: "north", Feed: feed, Command: command, Hands: hands},
		&Board{ID: "real", Feed: NewFeed(), Command: command}))
	t.Cleanup(s.Close)
	return s, feed, hands
}

func TestRequests(t *testing.T) {
	s, feed, _ := newServer(t)
	feed.Set("game", map[string]int{"schema": 1})
	for _, c := range []struct {
		method, path, body, header string
		status                     int
		has                        string
	}{
		{"GET", "/", "", "", 200, "<title>boardd</title>"},
		{"GET", "/live.js", "", "", 200, "EventSource"},
		{"GET", "/../server.go", "", "", 404, ""},
		{"GET", "/api/boards", "", "", 200, `["north","real"]`},
		{"GET", "/api/boards/north/game", "", "", 200, `{"schema":1}`},
		{"GET", "/api/boards/north/leds", "", "", 503, "has no leds yet"},
		{"GET", "/api/boards/nowhere/game", "", "", 404, "there are north, real"},
		{"GET", "/api/boards/real/wood", "", "", 404, "is real"},
		{"GET", "/api/openapi.json", "", "", 200, `"/api/boards/{board}/wood"`},
		{"GET", "/api/asyncapi.json", "", "", 200, `"boardd/v1/`},
		{"POST", "/api/boards/real/hand", `{"do":"discard"}`, "", 404, "is real"},
		{"POST", "/api/boards/north/hand", `{"do":"lift","square":"e2"}`, "", 409, "nothing stands on e2"},
		{"POST", "/api/boards/north/hand", `{"do":"place","square":"e9"}`, "", 400, "e9"},
		{"POST", "/api/boards/north/hand", `{"do":"place","square":"e4","deck":"middle"}`, "", 400, "lower"},
		{"POST", "/api/boards/north/hand", `{do:"throw"}`, "", 400, "'d' cannot stand at byte 2"},
		{"POST", "/api/boards/north/hand", `{"do":"throw"}`, "", 400, "discard"},
		{"POST", "/api/boards/north/hand", `{"do":"take","pieces":["x"]}`, "", 400, "x"},
		{"POST", "/api/boards/north/hand", `{"do":"take","pieces":["#"],"hand":"third"}`, "", 400, "third"},
		{"POST", "/api/boards/north/hand", `{"do":"take","pieces":["#"]}`, "", 200, `"hand":["q"]`},
		{"POST", "/api/boards/north/hand", `[]`, "", 400, "example"},
		{"POST", "/api/boards/north/hand", `{"do":"` + strings.Repeat("x", maxBody) + `"}`, "", 413, "larger"},
		{"POST", "/api/boards/north/command", `{"id":"7","do":"flip"}`, "", 200, `{"id":"7","ok":true}`},
		{"POST", "/api/boards/north/command", `{"id":"7","do":"dance"}`, "", 400, `"id":"7"`},
		{"POST", "/api/boards/north/command", `{"id":"7","do":"flip"}`, "Origin: http://evil.example", 403, "other sites"},
		{"POST", "/api/boards/north/command", `{"id":"7","do":"flip"}`, "Sec-Fetch-Site: cross-site", 403, "other sites"},
		// as a form would
		{"POST", "/api/boards/north/command", `{"id":"7","do":"flip"}`, "Origin: " + s.URL, 403, "other sites"},
		{"GET", "/api/boards", "", "Host: rebound.example", 403, "localhost"},
	} {
		req, err := http.NewRequest(c.method, s.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			req.Header.Set(name, value)
			if name == "Host" {
				req.Host = value
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var body strings.Builder
		bufio.NewReader(resp.Body).WriteTo(&body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(body.String(), c.has) {
			t.Errorf("%s %s %.60s %s: status %d, %.200s; want %d and %q", c.method, c.path, c.body, c.header, resp.StatusCode,
				body.String(), c.status, c.has)
		}
		if csp := resp.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'self'") {
			t.Errorf("%s: the content security policy is %q", c.path, csp)
		}
	}
}

// TestDeckDefault: if no deck is named, the lower one is meant.
func TestDeckDefault(t *testing.T) {
	_, _, hands := newServer(t)
	for _, d := range []Deed{{Do: "place", Square: "e4"}, {Do: "place", Square: "e4", Deck: "upper"}} {
		if err := d.carryOut(hands); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(hands.did, ", "); got != "lower e4, upper e4" {
		t.Errorf("got %s", got)
	}
}

// TestLatestWins: a slow reader gets the newest state once, and the last events in order.
func TestLatestWins(t *testing.T) {
	f := NewFeed()
	c := f.newCursor()
	for i := range 3 * maxEvents {
		f.Set("game", i)
		f.Event(i)
	}
	f.Set("game", 3*maxEvents-1) // the same state again is not sent
	ms := f.changesSince(c)
	if len(ms) != 1+maxEvents || string(ms[0].data) != "191" || string(ms[1].data) != "128" ||
		string(ms[maxEvents].data) != "191" {
		t.Errorf("got %d messages, %s, %s ... %s", len(ms), ms[0].data, ms[1].data, ms[len(ms)-1].data)
	}
	if ms := f.changesSince(c); len(ms) != 0 {
		t.Errorf("nothing has changed, got %v", ms)
	}
}

// TestEvents: a browser gets the state at once, and then every change.
func TestEvents(t *testing.T) {
	s, feed, _ := newServer(t)
	feed.Set("game", "first")
	resp, err := http.Get(s.URL + "/api/boards/north/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	want := func(text string) {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == text {
				return
			}
		}
		t.Fatalf("the stream ended before %q: %v", text, lines.Err())
	}
	want(`data: "first"`)
	feed.Event("something")
	want("event: event")
	want(`data: "something"`)
	feed.Set("leds", "dark")
	want("event: leds")
	want(`data: "dark"`)
}

// TestCompressed: files are sent compressed to clients that accept that, with the same content. Events are not
// compressed.
func TestCompressed(t *testing.T) {
	s, _, _ := newServer(t)
	get := func(path, accept string) *http.Response {
		r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", accept)
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	for _, path := range []string{"/", "/main.js", "/style.css", "/games.js", "/words/de.json"} {
		plain, packed := get(path, "identity"), get(path, "gzip")
		want, err := io.ReadAll(plain.Body)
		if err != nil || plain.Header.Get("Content-Encoding") != "" {
			t.Fatalf("%s: %v, sent as %q to who takes it plain only", path, err, plain.Header.Get("Content-Encoding"))
		}
		if len(want) < 1024 { // too small to compress
			continue
		}
		body, err := gzip.NewReader(packed.Body)
		if err != nil || packed.Header.Get("Content-Encoding") != "gzip" || packed.Header.Get("Vary") == "" {
			t.Fatalf("%s: %v, header %v, want it compressed", path, err, packed.Header)
		}
		if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, want) ||
			packed.Header.Get("Content-Type") != plain.Header.Get("Content-Type") {
			t.Errorf("%s: %d bytes of %q, %v; plain %d of %q", path, len(got), packed.Header.Get("Content-Type"), err,
				len(want), plain.Header.Get("Content-Type"))
		}
	}
	if resp := get("/api/boards/north/events", "gzip"); resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("events are sent as %q", resp.Header.Get("Content-Encoding"))
	}
}

// TestRefusalsHaveCodes: a refusal comes in English, and with codes and arguments if it has them, even inside another
// error.
func TestRefusalsHaveCodes(t *testing.T) {
	s, _, hands := newServer(t)
	ask := func(method, path, body string) string {
		t.Helper()
		r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Boardd", "1")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	for _, c := range []struct {
		method, path, body string
		lift               error
		want               string
	}{
		{"GET", "/api/boards/nowhere/game", "", nil, `{"error":"no board \"nowhere\" here: there are north, real",` +
			`"ok":false,"said":[{"code":"no board %q here: there are %s","args":["nowhere","north, real"]}]}`},
		{"GET", "/api/settings", "", nil, `{"error":"this program was started without a configuration file: there is ` +
			`nothing to change","ok":false,"said":[{"code":"this program was started without a configuration file: there ` +
			`is nothing to change"}]}`},
		{"POST", "/api/boards/north/hand", `{"do":"lift","square":"e2"}`,
			fmt.Errorf("hand: %w", say.Error("square %s holds %d pieces", "e2", 0)), `{"error":"hand: square e2 holds 0 ` +
				`pieces","ok":false,"said":[{"code":"square %s holds %d pieces","args":["e2","0"]}]}`},
		{"POST", "/api/boards/north/hand", `{"do":"lift","square":"e2"}`, errNothing,
			`{"error":"nothing stands on e2","ok":false}`},
	} {
		hands.none = c.lift
		if got := ask(c.method, c.path, c.body); got != c.want {
			t.Errorf("%s: got %s, want %s", c.path, got, c.want)
		}
	}
}
