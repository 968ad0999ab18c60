// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"net/http"

	"boardd/rules/say"
)

// Calibration is a running calibration, which can be led from the page as well as from the terminal. Its feed has the
// state "prompt".
type Calibration struct {
	Feed   *Feed
	Answer func(ctx context.Context, word string) error // sends a word to the session
}

// calibrationEvents streams the prompts of the session.
func (s *Server) calibrationEvents(w http.ResponseWriter, r *http.Request) {
	if s.calibration == nil {
		fail(w, http.StatusNotFound, errNoCalibration)
		return
	}
	s.stream(w, r, channel{feed: s.calibration.Feed})
}

var errNoCalibration = say.Error("no calibration runs: start `boardd calibrate` on the board's computer")

// calibrationAnswer takes {"word":"keep"}; an empty word is Enter.
func (s *Server) calibrationAnswer(w http.ResponseWriter, r *http.Request) {
	if s.calibration == nil {
		fail(w, http.StatusNotFound, errNoCalibration)
		return
	}
	var ask struct{ Word string }
	if err := read(r, &ask); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf(`no answer to a calibration: %w; an example is {"word":"keep"}`, err))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), boardTimeout)
	defer cancel()
	if err := s.calibration.Answer(ctx, ask.Word); err != nil {
		fail(w, http.StatusConflict, err)
		return
	}
	write(w, http.StatusOK, map[string]bool{"ok": true})
}
