// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sync/wire"
)

// Hands is the control of a virtual board's wood (BOARD section 5).
type Hands interface {
	Lift(left bool, d sensing.Deck, s rules.Square, count int) error
	Place(left bool, d sensing.Deck, s rules.Square) error
	Discard(left bool) error
	Take(left bool, pieces []byte) error
	Piles() [2][64][]byte      // what stands where, bottom to top
	Holds(left bool) []byte    // what a hand holds, first lifted first
	Impossible(err error) bool // whether the error says that the request cannot be done with wood and hands
}

// Deed is one request to a hand.
type Deed struct {
	Do     string   `json:"do"`
	Square string   `json:"square"`
	Deck   string   `json:"deck"`
	Count  *int     `json:"count"`
	Pieces []string `json:"pieces"`
	Hand   string   `json:"hand"`
}

func (s *Server) hand(w http.ResponseWriter, r *http.Request) {
	b := s.board(w, r)
	if b == nil {
		return
	}
	if b.Hands == nil {
		fail(w, http.StatusNotFound, fmt.Errorf("the board %s is real: its pieces are moved by real hands", b.ID))
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the request is larger than %d bytes", maxBody))
		return
	}
	var d Deed
	if err := wire.Unmarshal(body, &d); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf(`the body is no request to a hand: %w; an example is {"do":"lift","square":"e2","deck":"lower","count":1}`, err))
		return
	}
	err = d.carryOut(b.Hands)
	switch {
	case err == nil:
		write(w, http.StatusOK, map[string]any{"ok": true, "hand": letters(b.Hands.Holds(d.Hand == "left"))})
	case b.Hands.Impossible(err):
		fail(w, http.StatusConflict, err)
	default:
		fail(w, http.StatusBadRequest, err)
	}
}

// carryOut checks the request and does it.
func (d *Deed) carryOut(h Hands) error {
	if d.Hand != "" && d.Hand != "left" && d.Hand != "right" {
		return fmt.Errorf(`hand %q: it must be "left" or "right"`, d.Hand)
	}
	left := d.Hand == "left"
	switch d.Do {
	case "discard":
		return h.Discard(left)
	case "take":
		return d.take(h, left)
	case "lift", "place":
	default:
		return fmt.Errorf(`do %q: it must be "lift", "place", "discard" or "take"`, d.Do)
	}
	square, err := rules.ParseSquare(d.Square)
	if err != nil {
		return err
	}
	deck := sensing.Lower
	switch d.Deck {
	case "", "lower":
	case "upper":
		deck = sensing.Upper
	default:
		return fmt.Errorf(`deck %q: it must be "lower" or "upper"`, d.Deck)
	}
	if d.Do == "place" {
		return h.Place(left, deck, square)
	}
	count := 1
	if d.Count != nil {
		count = *d.Count
	}
	return h.Lift(left, deck, square, count)
}

func (d *Deed) take(h Hands, left bool) error {
	if len(d.Pieces) == 0 {
		return errors.New(`take needs "pieces", for example ["q"] or ["#"] for a pedestal`)
	}
	var letters []byte
	for _, p := range d.Pieces {
		if len(p) != 1 {
			return fmt.Errorf("piece %q: it must be one letter of PNBRQKpnbrqk, or # for a pedestal", p)
		}
		if _, err := rules.ParsePiece(p[0]); p != "#" && err != nil {
			return err
		}
		letters = append(letters, p[0])
	}
	return h.Take(left, letters)
}

// Piles writes a wood as the interface does: {"lower":{"e2":["P"]},"upper":{}}, with what the hands hold beside it.
func Piles(h Hands) map[string]any {
	wood := h.Piles()
	out := map[string]any{}
	for deck := range wood {
		squares := map[string][]string{}
		for i, pile := range wood[deck] {
			if len(pile) > 0 {
				squares[rules.Square(i).String()] = letters(pile)
			}
		}
		out[sensing.Deck(deck).String()] = squares
	}
	out["hands"] = map[string][]string{"left": letters(h.Holds(true)), "right": letters(h.Holds(false))}
	return out
}

func letters(pile []byte) []string {
	out := make([]string, len(pile))
	for i, c := range pile {
		out[i] = string(c)
	}
	return out
}

func (s *Server) wood(w http.ResponseWriter, r *http.Request) {
	b := s.board(w, r)
	if b == nil {
		return
	}
	if b.Hands == nil {
		fail(w, http.StatusNotFound, fmt.Errorf("the board %s is real: only its sensors know what stands on it", b.ID))
		return
	}
	write(w, http.StatusOK, Piles(b.Hands))
}
