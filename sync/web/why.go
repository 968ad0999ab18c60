// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"net/http"

	"boardd/rules"
	"boardd/sync/wire"
)

// Reason is why a piece may not make a move that was tried.
type Reason struct {
	From   string `json:"from"`
	To     string `json:"to,omitempty"`     // "" asks whether the piece can move at all
	Legal  bool   `json:"legal"`            // it may
	Square string `json:"square,omitempty"` // where the obstacle stands
	Rule   string `json:"rule,omitempty"`   // section of the rules
	Text   string `json:"text,omitempty"`   // in words, lower case
	Code   string `json:"code,omitempty"`   // which reason it is, see rules.Reason
	Args   string `json:"args,omitempty"`   // what stands in it
}

// why answers why the piece of a square may not go to another one, or anywhere.
func (s *Server) why(w http.ResponseWriter, r *http.Request) {
	if s.board(w, r) == nil {
		return
	}
	from, err := rules.ParseSquare(r.FormValue("from"))
	to := rules.NoSquare
	if text := r.FormValue("to"); err == nil && text != "" {
		to, err = rules.ParseSquare(text)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("%w; ask with ?from=e2&to=e4, or with from alone whether the piece can "+
			"move at all", err))
		return
	}
	asked := "why " + from.String()
	if to != rules.NoSquare {
		asked += to.String()
	}
	s.answerCached(w, r, asked, func(g *wire.Game) (any, error) {
		v, err := rules.ByID(g.Variant)
		if err != nil {
			return nil, err
		}
		p, err := v.ParseFEN(g.FEN)
		switch {
		case err != nil:
			return nil, err
		case to == rules.NoSquare:
			return reasonStuck(&p, from), nil
		}
		return newReason(from, to, p.Why(from, to)), nil
	})
}

func newReason(from, to rules.Square, r rules.Reason) Reason {
	b := Reason{From: from.String(), Legal: r.Text == "", Rule: r.Rule, Text: r.Text, Code: r.Code, Args: r.Args}
	if to != rules.NoSquare {
		b.To = to.String()
	}
	if r.At != rules.NoSquare {
		b.Square = r.At.String()
	}
	return b
}

// Opening is the name of a game's opening, empty where it has none.
type Opening struct {
	ECO  string `json:"eco"`
	Name string `json:"name"` // in English
}

// opening names the opening of a game of orthodox chess that began with the array.
func (s *Server) opening(w http.ResponseWriter, r *http.Request) {
	s.answerCached(w, r, "opening", func(g *wire.Game) (any, error) {
		v, err := rules.ByID(g.Variant)
		if err != nil {
			return nil, err
		}
		if array := v.Start(); g.Variant != "chess" || g.Start != array.FEN() {
			return Opening{}, nil
		}
		o, _ := s.openings().Name(g.SAN)
		return Opening(o), nil
	})
}

// noDestination is the reason of a piece against which no other speaks.
const noDestination = "it has no square to go to"

// reasonStuck is why the piece of a square cannot move at all. It blames what stands in the way of the most squares.
// Reasons that only say that the piece does not move in that way do not count. Where there is one, it is the reason
// against the square that is to blame: that names no square farther on.
func reasonStuck(p *rules.Position, from rules.Square) Reason {
	type cause struct {
		at   rules.Square
		rule string
	}
	count, said := map[cause]int{}, map[cause]rules.Reason{}
	var causes []cause // in the order of the board, so that the same is said each time
	for to := range rules.Square(64) {
		r := p.Why(from, to)
		if r.Text == "" {
			return newReason(from, rules.NoSquare, r)
		}
		if to == from || generic(p, from, r) {
			continue
		}
		c := cause{r.At, r.Rule}
		count[c]++
		if count[c] == 1 {
			causes = append(causes, c)
		}
		if count[c] == 1 || to == r.At {
			said[c] = r
		}
	}
	best, most := rules.Reason{Rule: "1", At: rules.NoSquare, Text: noDestination, Code: noDestination}, 0
	for _, c := range causes {
		if count[c] > most {
			best, most = said[c], count[c]
		}
	}
	return newReason(from, rules.NoSquare, best)
}

// generic reports whether a reason says only how such a piece moves, which nobody asks of a piece that is stuck.
func generic(p *rules.Position, from rules.Square, r rules.Reason) bool {
	own := p.AppendStack(nil, from)
	return len(own) > 0 && own[len(own)-1].Color() == p.Turn() && r.At == from
}
