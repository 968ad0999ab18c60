// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// evilBodies are what a browser may send in one of its requests, before it is spoilt.
var evilBodies = []string{`{"id":"1","do":"move","move":"g1f3"}`, `{"id":"1","do":"new","variant":"chess"}`,
	`{"id":"1","do":"resign"}`, `{"id":"1","do":"takeback"}`, `{"id":"1","do":"settle"}`, `{"id":"1","do":"offer-draw"}`,
	`{"id":"1","do":"setup","start":"[P/8/8 w"}`, `{"id":"1","do":"flip"}`, `{"id":"1","do":"pause"}`,
	`{"do":"lift","square":"g1","deck":"lower","count":1}`, `{"do":"discard"}`, `{"token":"has-a-soldering-iron"}`,
	`{"name":"web.token_file","value":""}`, `{"name":"mqtt.commands","value":"on"}`,
	`{"board":"south","words":"a b c d e f"}`,
	`{"calibrate":true}`, `{"play":true}`, `{"lights":"all"}`, `{}`, `[]`, `null`, `"x"`, `1e999`,
	"do=resign&id=1", `{"a":{"a":{"a":{"a":{}}}}}`}

// evilTexts are parts of addresses.
var evilTexts = []string{"table", "..", "../../board.yaml", "%2e%2e%2f%2e%2e%2fboard.yaml", "board.key", "x", "", "e2",
	"z9", "-1", "999999999999999999999", "\x1b[2J", "\u202e", "a\x00b", "👻", "lower", "[P/8/8 w",
	"0000000000-aaaaaa", "*"}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// TestHostileBrowser: a browser that has no token changes nothing, whatever it asks. Neither does one that may only
// look on, or another site's page in the browser of somebody who may do everything. The page neither fails nor gives a
// secret away.
func TestHostileBrowser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	if err := os.WriteFile(tokens, []byte("spectator likes-to-look-on\nworkshop has-a-soldering-iron\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	conf := writeConfig(t, dir, "locking", "stack", "  token_file: "+tokens+"\n")
	r := start(t, "run", "--config", conf)
	ask := func(method, path, token, body string, change func(*http.Request)) (int, string) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), soonEnough)
		defer stop()
		q, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(r.page, "/")+"/", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.URL.Opaque = "//" + q.URL.Host + path // as it is, not as it should be
		if token != "" {
			q.Header.Set("Authorization", "Bearer "+token)
		}
		if change != nil {
			change(q)
		}
		resp, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			return 0, err.Error() // the page hangs up on some
		}
		defer resp.Body.Close()
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
			return resp.StatusCode, ""
		}
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		return resp.StatusCode, string(text)
	}
	const owner = "has-a-soldering-iron"
	state := func() string {
		t.Helper()
		_, text := ask("GET", "/api/boards/table/game", owner, "", nil)
		var g wire.Game
		if err := json.Unmarshal([]byte(text), &g); err != nil {
			return "no game: " + text
		}
		g.Wood = wire.Wood{}
		all, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{conf, tokens, filepath.Join(dir, "state", "board.key")} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(append(all, '\n'), text...)
		}
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return string(all) + strings.Join(names, "\n")
	}
	has := func(q *http.Request) { q.Header.Set("Authorization", "Bearer "+owner); q.Header.Set("X-Boardd", "1") }
	r.client.Transport = speaks{has}
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	_, text := ask("GET", "/api/openapi.json", "", "", nil)
	var contract struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal([]byte(text), &contract); err != nil || len(contract.Paths) < 20 {
		t.Fatalf("%d paths, %v", len(contract.Paths), err)
	}
	paths := slices.Sorted(maps.Keys(contract.Paths))
	key, err := os.ReadFile(filepath.Join(dir, "state", "board.key"))
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.TrimSpace(strings.Split(string(key), "\n")[1])
	before := state()
	answers := map[int]int{}
	hostile(t, 400, func(n int, x *rand.Rand) {
		of := func(list []string) string { return list[x.IntN(len(list))] }
		form := of(paths)
		path := placeholder.ReplaceAllStringFunc(form, func(string) string {
			if x.IntN(3) > 0 {
				return "table"
			}
			return url.PathEscape(of(evilTexts))
		})
		switch x.IntN(8) {
		case 0:
			path += "/" + of(evilTexts)
		case 1:
			path = "/" + of(evilTexts) + path
		case 2:
			path += "?from=" + url.QueryEscape(of(evilTexts)) + "&to=" + url.QueryEscape(of(evilTexts)) + "&after=" +
				url.QueryEscape(of(evilTexts)) + "&square=" + url.QueryEscape(of(evilTexts)) + "&deck=lower"
		}
		path = strings.Map(func(c rune) rune { // what no client could send
			if c <= ' ' || c == 0x7f {
				return -1
			}
			return c
		}, path)
		body := of(evilBodies)
		if x.IntN(2) == 0 {
			body = string(spoil(x, []byte(body), [][]byte{[]byte(of(evilBodies))}))
		}
		method, token := of([]string{"GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}), ""
		change := func(q *http.Request) { asScript(x, q) }
		if x.IntN(4) > 0 { // one that is answered there
			method = strings.ToUpper(of(slices.Sorted(maps.Keys(contract.Paths[form]))))
		}
		switch x.IntN(3) {
		case 0: // nobody
		case 1:
			token = "likes-to-look-on"
		default: // a foreign page in the owner's browser: it can read nothing, but it can ask
			change = func(q *http.Request) {
				q.AddCookie(&http.Cookie{Name: "boardd", Value: owner})
				if x.IntN(2) == 0 {
					q.Header.Set("Sec-Fetch-Site", of([]string{"cross-site", "same-site"}))
				}
				q.Header.Set("Origin", of([]string{"http://evil.example", "null", "https://" + q.Host,
					"http://" + q.Host + ".evil.example"}))
				q.Header.Set("Content-Type",
					of([]string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}))
				if x.IntN(4) == 0 {
					q.Host = of([]string{"evil.example", "localhost.evil.example", "[::1]", "127.0.0.1.evil.example:80", ""})
				}
			}
		}

		status, said := ask(method, path, token, body, change)
		answers[status]++
		if status >= 500 && status != http.StatusServiceUnavailable && status != http.StatusNotImplemented {
			t.Errorf("%s %q %.500q: status %d: %.500s", method, path, body, status, said)
		}
		if strings.Contains(said, secret) || strings.Contains(said, owner) && !strings.Contains(body, owner) {
			t.Errorf("%s %q %.500q gives a secret away: %.500s", method, path, body, said)
		}
		if n%10 == 0 || t.Failed() {
			if now := state(); now != before {
				t.Errorf("after the last ten, of which this is the last: %s %q %.500q: the board has\n%s\nwant\n%s", method, path,
					body, now, before)
			}
		}
	})
	if now := state(); now != before {
		t.Errorf("the board has\n%s\nwant\n%s", now, before)
	}
	if *hostileFrom == 0 && (answers[200] == 0 || answers[403] == 0 || answers[404] == 0) {
		t.Errorf("the answers have these statuses alone: %v", answers)
	}
	t.Log(answers)
	r.stop()
	if said := r.errs.String(); strings.Contains(said, "panic") {
		t.Errorf("the log has a panic:\n%s", said)
	}
}

// asScript gives a request headers that a program may send.
func asScript(x *rand.Rand, q *http.Request) {
	for _, h := range [][]string{{"Content-Type", "application/json", "text/plain", "multipart/form-data", "\t"},
		{"X-Boardd", "1", ""}, {"X-Forwarded-For", "127.0.0.1", "evil, ::1"},
		{"Accept-Language", "de", "xx-" + strings.Repeat("x", 4000)},
		{"Accept-Encoding", "gzip", "gzip;q=1e999, *"}, {"If-None-Match", "*", `"x"`},
		{"Range", "bytes=0-", "bytes=-1,9-0"},
		{"Last-Event-ID", "-1", "999999999999999999999"}, {"Cookie", "boardd=x", "=;=;="},
		{"Origin", "http://" + q.URL.Host},
		{"Content-Encoding", "gzip"}, {"Upgrade", "websocket"}} {
		if x.IntN(4) == 0 {
			q.Header.Set(h[0], h[1+x.IntN(len(h)-1)])
		}
	}
}

// speaks changes each request.
type speaks struct{ change func(*http.Request) }

func (s speaks) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	s.change(q)
	return http.DefaultTransport.RoundTrip(q)
}
