// SPDX-License-Identifier: Apache-2.0

package web

import "net/http"

// Opponents are the virtual persons who can be asked to play at the demo's boards. It is one at the other board, or
// two, whose game is watched.
type Opponents interface {
	Persons() int
	SetPersons(persons int)
}

// opponent answers whether virtual persons play, and lets them begin or stop.
func (s *Server) opponent(w http.ResponseWriter, r *http.Request) {
	answer := struct {
		Here   bool `json:"here"`   // one can be asked
		Person bool `json:"person"` // and plays
		Both   bool `json:"both"`   // there are two of them
	}{Here: s.opponents != nil}
	if r.Method == http.MethodPost && s.opponents != nil {
		var ask struct {
			Person bool `json:"person"`
			Both   bool `json:"both"`
		}
		if err := read(r, &ask); err != nil {
			fail(w, http.StatusBadRequest, err)
			return
		}
		switch {
		case ask.Both:
			s.opponents.SetPersons(2)
		case ask.Person:
			s.opponents.SetPersons(1)
		default:
			s.opponents.SetPersons(0)
		}
	}
	if s.opponents != nil {
		n := s.opponents.Persons()
		answer.Person, answer.Both = n > 0, n > 1
	}
	write(w, http.StatusOK, answer)
}
