// SPDX-License-Identifier: Apache-2.0

package web

import "net/http"

// Opponent is a virtual person who can be asked to play at the demo's other board.
type Opponent interface {
	Plays() bool
	Play(on bool)
}

// opponent answers whether a virtual person plays, and lets one sit down or get up.
func (s *Server) opponent(w http.ResponseWriter, r *http.Request) {
	answer := struct {
		Here   bool `json:"here"`   // one can be asked
		Person bool `json:"person"` // and plays
	}{Here: s.person != nil}
	if r.Method == http.MethodPost && s.person != nil {
		var ask struct {
			Person bool `json:"person"`
		}
		if err := read(r, &ask); err != nil {
			fail(w, http.StatusBadRequest, err)
			return
		}
		s.person.Play(ask.Person)
	}
	if s.person != nil {
		answer.Person = s.person.Plays()
	}
	write(w, http.StatusOK, answer)
}
