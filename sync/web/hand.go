// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// Hands is the control of a virtual board's wood (docs/contract.md). left chooses the hand. count is how many pieces
// are lifted, from the top of the pile. A piece is its letter of FEN, and # a pedestal.
type Hands interface {
	Lift(left bool, d sensing.Deck, s rules.Square, count int) error
	Place(left bool, d sensing.Deck, s rules.Square) error
	Discard(left bool) error
	Take(left bool, pieces []byte) error
	Wood() wood.Wood           // what stands where
	Holds(left bool) []byte    // what a hand holds, first lifted first
	Impossible(err error) bool // reports whether the error says that wood and hands do not allow the request

	// Ways lists the moves that may be meant when a hand lets go, on a square, of what it has lifted. There are none if
	// it can only let go.
	Ways(g *wire.Game, left bool, d sensing.Deck, s rules.Square) ([]Way, error)
}

// Way is a move that may be meant when a hand lets go, and what hands still have to do for it.
type Way struct {
	Move   string   `json:"move"` // "": the pieces are put back
	SAN    string   `json:"san"`
	Pile   []string `json:"pile"`             // the pile there after the move, bottom to top
	Keeps  bool     `json:"keeps,omitempty"`  // a part of the old pile stays there
	Taken  []string `json:"taken"`            // what the move takes off the board
	Become string   `json:"become,omitempty"` // the piece that a pawn becomes
	Deeds  []Deed   `json:"deeds"`
}

// Deed is one request to a hand, as docs/contract.md has it.
type Deed struct {
	Do     string   `json:"do"`
	Square string   `json:"square,omitempty"`
	Deck   string   `json:"deck,omitempty"`
	Count  *int     `json:"count,omitempty"`
	Pieces []string `json:"pieces,omitempty"`
	Hand   string   `json:"hand,omitempty"`
}

func (s *Server) hand(w http.ResponseWriter, r *http.Request) {
	b := s.board(w, r)
	if b == nil {
		return
	}
	if b.Hands == nil {
		fail(w, http.StatusNotFound, say.Error("the board %s is real: its pieces are moved by real hands", b.ID))
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, say.Error("the request is larger than %d bytes", maxBody))
		return
	}
	var d Deed
	if err := wire.Unmarshal(body, &d); err != nil {
		fail(w, http.StatusBadRequest,
			fmt.Errorf(`the body is no request to a hand: %w; an example is {"do":"lift","square":"e2","deck":"lower","count":1}`, err))
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

// carryOut checks the request and carries it out.
func (d *Deed) carryOut(h Hands) error {
	if d.Hand != "" && d.Hand != "left" && d.Hand != "right" {
		return say.Error(`hand %q: it must be "left" or "right"`, d.Hand)
	}
	left := d.Hand == "left"
	switch d.Do {
	case "discard":
		return h.Discard(left)
	case "take":
		return d.take(h, left)
	case "lift", "place":
	default:
		return say.Error(`do %q: it must be "lift", "place", "discard" or "take"`, d.Do)
	}
	deck, square, err := d.place()
	if err != nil {
		return err
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

// place is where a deed is done.
func (d *Deed) place() (sensing.Deck, rules.Square, error) {
	square, err := rules.ParseSquare(d.Square)
	if err != nil {
		return 0, 0, err
	}
	switch d.Deck {
	case "", "lower":
		return sensing.Lower, square, nil
	case "upper":
		return sensing.Upper, square, nil
	}
	return 0, 0, say.Error(`deck %q: it must be "lower" or "upper"`, d.Deck)
}

// drop answers which moves may be meant when a hand lets go on a square.
func (s *Server) drop(w http.ResponseWriter, r *http.Request) {
	b := s.board(w, r)
	if b == nil {
		return
	}
	if b.Hands == nil {
		fail(w, http.StatusNotFound, say.Error("the board %s is real: its pieces are moved by real hands", b.ID))
		return
	}
	if b.Feed.Get("game") == nil { // no game is played with this wood
		write(w, http.StatusOK, map[string][]Way{"ways": {}})
		return
	}
	_, g := s.game(w, r)
	if g == nil {
		return
	}
	d := Deed{Square: r.FormValue("square"), Deck: r.FormValue("deck")}
	deck, square, err := d.place()
	var ways []Way
	if err == nil {
		ways, err = b.Hands.Ways(g, r.FormValue("hand") == "left", deck, square)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("%w; ask with ?hand=right&square=e5&deck=lower", err))
		return
	}
	if ways == nil {
		ways = []Way{}
	}
	write(w, http.StatusOK, map[string][]Way{"ways": ways})
}

func (d *Deed) take(h Hands, left bool) error {
	if len(d.Pieces) == 0 {
		return say.Error(`take needs "pieces", for example ["q"] or ["#"] for a pedestal`)
	}
	var letters []byte
	for _, p := range d.Pieces {
		if len(p) != 1 || !strings.Contains("PNBRQKpnbrqk#", p) {
			return say.Error("piece %q: it must be one letter of PNBRQKpnbrqk, or # for a pedestal", p)
		}
		letters = append(letters, p[0])
	}
	return h.Take(left, letters)
}

// Wood returns a wood in the form of the interface: {"lower":{"e2":["P"]},"upper":{}}, with what the hands hold.
func Wood(h Hands) map[string]any {
	stands := h.Wood()
	decks := [2]map[string][]string{{}, {}}
	for p := range wood.Place(wood.Places) {
		if stands[p] != "" {
			decks[p.Deck()][p.Square().String()] = letters([]byte(stands[p]))
		}
	}
	out := map[string]any{}
	for d, squares := range decks {
		out[sensing.Deck(d).String()] = squares
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
		fail(w, http.StatusNotFound, say.Error("the board %s is real: only its sensors know what stands on it", b.ID))
		return
	}
	write(w, http.StatusOK, Wood(b.Hands))
}
