// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sensing"
)

// bench is diagnostics of which only what the web asks is there.
type bench struct{ lit []LightTest }

func (*bench) Senses() Senses                                { return Senses{} }
func (*bench) LastMinute(sensing.Deck, rules.Square) []Curve { return []Curve{} }
func (b *bench) TestLights(_ context.Context, t LightTest) error {
	b.lit = append(b.lit, t)
	return nil
}
func (*bench) Traces() ([]TraceFile, error) { return []TraceFile{{"a.trace", 7}}, nil }
func (*bench) Trace(name string) (io.ReadCloser, error) {
	if name != "a.trace" {
		return nil, errors.New("no such file")
	}
	return io.NopCloser(strings.NewReader("boardd-trace 1\n")), nil
}

// TestWorkshop: the workshop answers those who have its right, and says what is wrong with a request.
func TestWorkshop(t *testing.T) {
	for _, right := range []Right{Player, Workshop} {
		b := &bench{}
		s := httptest.NewServer(Handler(Options{Access: Access{Visitors: right}},
			&Board{ID: "north", Feed: NewFeed(), Diagnostics: b}))
		for _, c := range []struct {
			method, path, body string
			status             int
		}{
			{"GET", "minute?deck=lower&square=e4", "", 200},
			{"GET", "minute?square=z9", "", 400},
			{"GET", "traces", "", 200},
			{"GET", "traces/a.trace", "", 200},
			{"GET", "traces/..%2f..%2fetc%2fpasswd", "", 404},
			{"POST", "lights", `{"what":"one","color":"#ff8000","square":"e4"}`, 200},
			{"POST", "lights", `{"what":"all","color":"red"}`, 400},
			{"POST", "lights", `{"what":"disco"}`, 400},
			{"POST", "lights", `[`, 400},
		} {
			req, _ := http.NewRequest(c.method, s.URL+"/api/boards/north/"+c.path, strings.NewReader(c.body))
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if right < Workshop {
				c.status = http.StatusForbidden
			}
			if resp.StatusCode != c.status {
				t.Errorf("%v: %s %s %s: status %d, want %d", right, c.method, c.path, c.body, resp.StatusCode, c.status)
			}
		}
		if right == Workshop && (len(b.lit) != 1 || b.lit[0].Color != [3]uint8{0xff, 0x80, 0} ||
			b.lit[0].Square.String() != "e4") {
			t.Errorf("lit %+v, want e4 orange", b.lit)
		}
		s.Close()
	}
}
