// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// Diagnostics is what a builder may look at and try on a board.
type Diagnostics interface {
	Senses() Senses
	LastMinute(sensing.Deck, rules.Square) []Curve // the last minute of one square
	TestLights(context.Context, LightTest) error
	Traces() ([]TraceFile, error)
	Trace(name string) (io.ReadCloser, error)
}

// Senses is what every sensor says now.
type Senses struct {
	Banks []Bank `json:"banks"`
}

// Bank is one kind of sensor on one deck. Values are by square, a1 first, and null where the sensor does not answer.
// They are 1 or 0 of a switch, milligrams of a load cell, micrometres of a height.
type Bank struct {
	Kind   string   `json:"kind"`
	Deck   string   `json:"deck"`
	Values []*int32 `json:"values"`
	Noise  []int32  `json:"noise"` // standard deviation of two seconds; of a switch its changes in a minute
}

// Curve is the last minute of one sensor: how many milliseconds ago, and the value.
type Curve struct {
	Kind   string     `json:"kind"`
	Points [][2]int64 `json:"points"`
}

// The tests of lights.
const (
	LightNone = "none" // back to the game
	LightAll  = "all"
	LightOne  = "one" // Deck and Square
)

// LightTest is a test of lights.
type LightTest struct {
	What   string
	Color  [3]uint8 // red, green, blue
	Deck   sensing.Deck
	Square rules.Square
}

// TraceFile is one recorded game.
type TraceFile struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// diagnostics finds the board's workshop; it answers the request when there is none.
func (s *Server) diagnostics(w http.ResponseWriter, r *http.Request) Diagnostics {
	b := s.board(w, r)
	if b == nil {
		return nil
	}
	if b.Diagnostics == nil {
		fail(w, http.StatusNotFound, say.Error("the board %s has no workshop here", b.ID))
		return nil
	}
	return b.Diagnostics
}

// senses streams the newest values; a slow browser gets fewer of them.
func (s *Server) senses(w http.ResponseWriter, r *http.Request) {
	shop := s.diagnostics(w, r)
	if shop == nil {
		return
	}
	feed := NewFeed()
	ctx, stop := context.WithCancel(r.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(sensorInterval)
		defer tick.Stop()
		for {
			feed.Set("senses", shop.Senses())
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	s.stream(w, r, channel{feed: feed})
	stop()
	<-ended
}

// minute answers with the curves of ?deck=lower&square=e4.
func (s *Server) minute(w http.ResponseWriter, r *http.Request) {
	shop := s.diagnostics(w, r)
	if shop == nil {
		return
	}
	d := Deed{Deck: r.FormValue("deck"), Square: r.FormValue("square")}
	deck, sq, err := d.place()
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	write(w, http.StatusOK, append([]Curve{}, shop.LastMinute(deck, sq)...)) // a list also when nothing was sensed yet
}

// light takes {"what":"all","color":"#ff0000"}, or "one" with deck and square, or "none".
func (s *Server) light(w http.ResponseWriter, r *http.Request) {
	shop := s.diagnostics(w, r)
	if shop == nil {
		return
	}
	var ask struct{ What, Color, Deck, Square string }
	if err := read(r, &ask); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf(`no test of lights: %w; an example is {"what":"all","color":"#ff0000"}`,
			err))
		return
	}
	t := LightTest{What: ask.What}
	var errs []error
	switch ask.What {
	case LightNone:
	case LightOne:
		var err error
		t.Deck, t.Square, err = (&Deed{Deck: ask.Deck, Square: ask.Square}).place()
		errs = append(errs, err)
		fallthrough
	case LightAll:
		if n, err := fmt.Sscanf(ask.Color, "#%02x%02x%02x", &t.Color[0], &t.Color[1], &t.Color[2]); n != 3 || err != nil ||
			len(ask.Color) != 7 {
			errs = append(errs, say.Error("color %q: write it as #ff8000", ask.Color))
		}
	default:
		errs = append(errs, say.Error("what %q: it is all, one or none", ask.What))
	}
	if err := errors.Join(errs...); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), boardTimeout)
	defer cancel()
	if err := shop.TestLights(ctx, t); err != nil {
		fail(w, http.StatusConflict, err)
		return
	}
	write(w, http.StatusOK, map[string]bool{"ok": true})
}

func (s *Server) traces(w http.ResponseWriter, r *http.Request) {
	shop := s.diagnostics(w, r)
	if shop == nil {
		return
	}
	list, err := shop.Traces()
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	write(w, http.StatusOK, append([]TraceFile{}, list...))
}

// trace answers with one trace as a file to keep.
func (s *Server) trace(w http.ResponseWriter, r *http.Request) {
	shop := s.diagnostics(w, r)
	if shop == nil {
		return
	}
	f, err := shop.Trace(r.PathValue("name"))
	if err != nil {
		fail(w, http.StatusNotFound, say.Error("there is no trace %q", r.PathValue("name")))
		return
	}
	defer f.Close() //nolint:errcheck // it was only read
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", r.PathValue("name")))
	io.Copy(w, f) //nolint:errcheck // the other side has gone: nobody is left to tell
}
