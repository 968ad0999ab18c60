// SPDX-License-Identifier: Apache-2.0

package web

import "net/http"

// Opponent is the virtual persons who can be asked to play at the demo's boards. It is one at the other board, or two,
// whose game is watched.
type Opponent interface {
	Plays() int
	Play(persons int)
}

// opponent answers whether virtual persons play, and lets them begin or stop.
func (s *Server) opponent(w http.ResponseWriter, r *http.Request) {
	answer := struct {
		Here   bool `json:"here"`   // one can be asked
		Person bool `json:"person"` // and plays
		Both   bool `json:"both"`   // there are two of them
	}{Here: s.person != nil}
	if r.Method == http.MethodPost && s.person != nil {
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
			s.person.Play(2)
		case ask.Person:
			s.person.Play(1)
		default:
			s.person.Play(0)
		}
	}
	if s.person != nil {
		n := s.person.Plays()
		answer.Person, answer.Both = n > 0, n > 1
	}
	write(w, http.StatusOK, answer)
}
