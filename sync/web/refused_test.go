// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"boardd/docs"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sync/tongue"
	"boardd/sync/wire"
)

// strict is diagnostics and a game store that refuse everything, as those of the program do: by codes.
type strict struct{}

var errStrict = say.Error("there is no trace %q", "3")

func (strict) Senses() Senses                                { return Senses{} }
func (strict) LastMinute(sensing.Deck, rules.Square) []Curve { return nil }
func (strict) TestLights(context.Context, LightTest) error   { return errStrict }
func (strict) Traces() ([]TraceFile, error)                  { return nil, errStrict }
func (strict) Trace(string) (io.ReadCloser, error)           { return nil, errStrict }
func (strict) Games(int) ([]StoredGame, int, error)          { return nil, 0, errStrict }
func (strict) Game(string) (Story, error)                    { return Story{}, errStrict }
func (strict) PGN(string) ([]byte, error)                    { return nil, errStrict }
func (strict) Analyse(string) error                          { return errStrict }
func (strict) StopAnalysis(string)                           {}

// nonsense is bodies that are not what a request wants, each in another way.
var nonsense = []string{``, `{`, `{"id":7`, `{do:"throw"}`, `[]`, `7`, `"text"`, `{}`, `{"do":7}`, `{"do":"dance"}`,
	`{"do":"lift","square":"z9"}`, `{"do":"place","square":"e4","deck":"middle"}`, `{"do":"take"}`,
	`{"do":"take","pieces":["x"]}`, `{"do":"take","pieces":["q"],"hand":"third"}`, `{"do":"lift","count":1.5}`,
	`{"what":"some"}`, `{"what":"one","color":"red","square":"e9","deck":"middle"}`, `{"on":"yes"}`, `{"on":true}`,
	`{"word":7}`, `{"person":"yes"}`, `{"id":"1","do":"move"}`, `{"id":"1","do":"setup"}`, `{"id":"1","do":"name"}`,
	`{"id":"1","do":"new","seats":{"white":"!","black":"local"},"clock":{"kind":"sun","initial_ms":-5}}`,
	`{"id":"1","do":"new","options":[]}`, `{"id":"1","do":"new","options":{"takeback":[]}}`,
	`{"id":"1","do":"takeback","plies":1e9}`, "\xff", `{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`,
	`{"do":"` + strings.Repeat("x", maxBody) + `"}`}

// TestEveryRefusalHasItsCode: whatever is wrong with a request, the answer has codes beside its English. The catalogue
// has words for each, so that a page in another language says it. The paths are those of the contract.
func TestEveryRefusalHasItsCode(t *testing.T) {
	var contract struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(docs.OpenAPI), &contract); err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, of := range []string{tongue.Said, tongue.Faults} {
		text, err := tongue.Part(of, "de")
		if err == nil {
			err = json.Unmarshal(text, &known)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	feed := NewFeed()
	command := func(_ context.Context, c wire.Command, _ Visitor) wire.Reply { return wire.Reply{ID: c.ID, OK: true} }
	s := Handler(Options{Access: Access{Visitors: Workshop}}, &Board{ID: "north", Feed: feed, Command: command,
		Hands: &table{none: errStrict}, Diagnostics: strict{}, Games: strict{}})
	refused := 0
	ask := func(method, path, body string) {
		ctx, stop := context.WithCancel(t.Context())
		if strings.HasSuffix(path, "events") || strings.HasSuffix(path, "senses") {
			stop() // a stream that is not read
		}
		defer stop()
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, method, "http://localhost"+path,
			strings.NewReader(body))
		s.ServeHTTP(w, r)
		var answer struct {
			OK    *bool
			Error string
			Said  []wire.Sentence
		}
		if w.Code < 400 || json.Unmarshal(w.Body.Bytes(), &answer) != nil {
			return
		}
		refused++
		if answer.Said == nil {
			t.Errorf("%s %s %.80s: %d %q has no code", method, path, body, w.Code, answer.Error)
		}
		for _, one := range answer.Said {
			if known[one.Code] == "" {
				t.Errorf("%s %s %.80s: %q has no words", method, path, body, one.Code)
			}
			for _, a := range one.Args {
				if english.MatchString(a) && known[a] == "" {
					t.Errorf("%s %s %.80s: the argument %q of %q is English", method, path, body, a, one.Code)
				}
			}
		}
	}
	for path, methods := range contract.Paths {
		for _, board := range []string{"north", "nowhere"} {
			at := strings.NewReplacer("{board}", board, "{game}", "7", "{name}", "3").Replace(path)
			for method := range methods {
				if method = strings.ToUpper(method); method == http.MethodGet {
					for _, query := range []string{"", "?from=z9&deck=middle&square=z9", "?from=e2&to=z9&square=e4&deck=middle"} {
						ask(method, at+query, "")
					}
					continue
				}
				for _, body := range nonsense {
					ask(method, at, body)
				}
			}
		}
	}
	if refused < 200 {
		t.Errorf("%d requests were refused: the search finds too few", refused)
	}
}

// english finds arguments that are sentences.
var english = regexp.MustCompile(`(?i)\b(is|the|want|must|not|cannot|needs?)\b .*[a-z]`)
