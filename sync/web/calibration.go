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
	Feed *Feed
	// Answer sends a word to the session, with the number of the prompt that it answers; 0 is whatever is asked.
	Answer func(ctx context.Context, word string, to int) error
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

// calibrationAnswer takes {"word":"keep","to":7}; an empty word is Enter. "to" is the number of the prompt that is
// answered: an answer that is late changes nothing.
func (s *Server) calibrationAnswer(w http.ResponseWriter, r *http.Request) {
	if s.calibration == nil {
		fail(w, http.StatusNotFound, errNoCalibration)
		return
	}
	var ask struct {
		Word string
		To   int
	}
	if err := read(r, &ask); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf(`no answer to a calibration: %w; an example is {"word":"keep"}`, err))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), boardTimeout)
	defer cancel()
	if err := s.calibration.Answer(ctx, ask.Word, ask.To); err != nil {
		fail(w, http.StatusConflict, err)
		return
	}
	write(w, http.StatusOK, map[string]bool{"ok": true})
}
