// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"boardd/sync/wire"
)

const tokens = `# who may do what
player    knows-the-rules
workshop  has-a-soldering-iron
spectator likes-to-look-on
`

// TestVisitor: whose token a command came with, or from where without one, goes with the command.
func TestVisitor(t *testing.T) {
	access := Access{Visitors: Player}
	if err := access.ReadTokens(strings.NewReader("player knows-the-rules anna\n\nworkshop has-a-soldering-iron\n" +
		"spectator knows-the-rules bob\n")); err != nil {
		t.Fatal(err)
	}
	var got Visitor
	h := Handler(Options{Access: access}, &Board{ID: "north", Feed: NewFeed(),
		Command: func(_ context.Context, c wire.Command, v Visitor) wire.Reply {
			got = v
			return wire.Reply{ID: c.ID, OK: true}
		}})
	for _, c := range []struct {
		from, token, proxy string
		want               Visitor
	}{
		{"127.0.0.1:1", "", "", Visitor{Here: true, Address: "127.0.0.1"}},
		{"[::1]:1", "", "", Visitor{Here: true, Address: "::1"}},
		{"127.0.0.1:1", "", "203.0.113.9", Visitor{Address: "127.0.0.1"}},
		{"192.168.1.5:1", "", "", Visitor{Address: "192.168.1.5"}},
		{"192.168.1.5:1", "knows-the-rules", "", Visitor{Token: "anna", Address: "192.168.1.5"}},
		{"127.0.0.1:1", "has-a-soldering-iron", "", Visitor{Token: "line-3", Here: true, Address: "127.0.0.1"}},
		{"127.0.0.1:1", "guessed-guessed", "", Visitor{Here: true, Address: "127.0.0.1"}},
	} {
		r := httptest.NewRequest("POST", "http://localhost/api/boards/north/command",
			strings.NewReader(`{"id":"1","do":"flip"}`))
		r.RemoteAddr = c.from
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		if c.proxy != "" {
			r.Header.Set("X-Forwarded-For", c.proxy)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != 200 || got != c.want {
			t.Errorf("%+v: status %d, given by %+v", c, w.Code, got)
		}
	}
	for _, name := range []string{"an\u202ena", "a]b", "<b>", strings.Repeat("n", 41), "line-7", "line-anna", "Line-7"} {
		if err := new(Access).ReadTokens(strings.NewReader("player knows-the-rules " + name)); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

// TestWrongPassword: whoever mistypes a password reads about it by the name that its field has.
func TestWrongPassword(t *testing.T) {
	access := Access{}
	if err := access.ReadTokens(strings.NewReader(tokens)); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://localhost"+loginPath, strings.NewReader("guessed-guessed-guessed"))
	Handler(Options{Access: access}).ServeHTTP(w, r)
	if w.Code != 403 || !strings.Contains(w.Body.String(), "there is no such password") {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
}

// TestRights: each right allows what it covers and no more, by header and by cookie.
func TestRights(t *testing.T) {
	access := Access{}
	if err := access.ReadTokens(strings.NewReader(tokens)); err != nil {
		t.Fatal(err)
	}
	command := func(_ context.Context, c wire.Command, _ Visitor) wire.Reply { return wire.Reply{ID: c.ID, OK: true} }
	s := httptest.NewServer(Handler(Options{Access: access}, &Board{ID: "north", Feed: NewFeed(), Command: command}))
	defer s.Close()
	do := func(client *http.Client, method, path, body, token string) int {
		t.Helper()
		r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	const flip, settle = `{"id":"1","do":"flip"}`, `{"id":"1","do":"settle"}`
	for _, c := range []struct {
		token                 string
		look, command, settle int
	}{
		{"", 401, 401, 401},
		{"guessed-guessed-guessed", 401, 401, 401},
		{"likes-to-look-on", 200, 403, 403},
		{"knows-the-rules", 200, 200, 403},
		{"has-a-soldering-iron", 200, 200, 200},
	} {
		jar, _ := cookiejar.New(nil)
		browser := &http.Client{Jar: jar}
		do(browser, "POST", loginPath, c.token, "")
		for name, way := range map[string]struct {
			client *http.Client
			token  string
		}{"header": {http.DefaultClient, c.token}, "cookie": {browser, ""}} {
			if got := do(way.client, "GET", "/api/boards", "", way.token); got != c.look {
				t.Errorf("%q by %s looks on: %d, want %d", c.token, name, got, c.look)
			}
			if got := do(way.client, "POST", "/api/boards/north/command", flip, way.token); got != c.command {
				t.Errorf("%q by %s commands: %d, want %d", c.token, name, got, c.command)
			}
			if got := do(way.client, "POST", "/api/boards/north/command", settle, way.token); got != c.settle {
				t.Errorf("%q by %s settles: %d, want %d", c.token, name, got, c.settle)
			}
		}
	}
	if got := do(http.DefaultClient, "GET", "/", "", ""); got != 200 {
		t.Errorf("the page itself, where the token is typed: %d", got)
	}
}

func TestTokensWithFaults(t *testing.T) {
	err := (&Access{}).ReadTokens(strings.NewReader("king 123456789012\nplayer short\n\nplayer\n"))
	for _, want := range []string{"line 1: right \"king\"", "line 2: a token of 5", "line 4: want a right"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

// TestGuessingIsSlow: after a handful of tries an address has to wait.
func TestGuessingIsSlow(t *testing.T) {
	var l rateLimits
	now := time.Unix(1, 0)
	tries := 0
	for l.forAddress("10.0.0.1", now).logins.AllowN(now, 1) {
		tries++
	}
	if tries != loginBurst {
		t.Errorf("%d tries at once, want %d", tries, loginBurst)
	}
	if !l.forAddress("10.0.0.2", now).logins.AllowN(now, 1) {
		t.Error("another address has to wait as well")
	}
	now = now.Add(time.Hour)
	l.forAddress("10.0.0.3", now)
	if len(l.byAddress) != 1 {
		t.Errorf("%d addresses are remembered after an hour, want the one that came", len(l.byAddress))
	}
}

// TestStreamsAreBounded: an address that has all event streams gets no more, and gives one up to another address.
// Whoever has a right token is not kept out by those without.
func TestStreamsAreBounded(t *testing.T) {
	s := &Server{}
	if err := s.access.ReadTokens(strings.NewReader("player 8WqLrzBLvMHw\n")); err != nil {
		t.Fatal(err)
	}
	stream := func(from, token string) (ctx context.Context, leave func(), ok bool) {
		r := httptest.NewRequest("GET", "/api/events", nil)
		r.RemoteAddr = from
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
			s.checkToken(r, token)
		}
		return s.openStream(r)
	}
	first, leave, _ := stream("10.0.0.1:1", "")
	last := first
	for range maxStreams - 1 {
		ctx, _, ok := stream("10.0.0.1:2", "")
		if last = ctx; !ok {
			t.Fatal("refused too early")
		}
	}
	if _, _, ok := stream("10.0.0.1:3", ""); ok {
		t.Error("one too many is let in")
	}
	if other, _, ok := stream("10.0.0.2:1", ""); !ok || other.Err() != nil || first.Err() != nil || last.Err() == nil {
		t.Errorf("another address is let in: %v; the crowd's first ended: %v, its last: %v; want its last", ok, first.Err(),
			last.Err())
	}
	if _, _, ok := stream("10.0.0.1:4", "8WqLrzBLvMHw"); !ok {
		t.Error("somebody with a right token is kept out by those of his address who have none")
	}
	leave()
	if _, _, ok := stream("10.0.0.1:5", ""); !ok {
		t.Error("refused though one has left")
	}
}
