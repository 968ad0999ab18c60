// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"boardd/rules/say"
)

// ParseMove reads a move in coordinate form or in SAN, and tolerates what RULES 2.3 names. '+', '#', '*', '^', '_',
// 'x' and '=' may be missing where no other legal move could be meant. It accepts more of the square of departure
// than needed, 0-0, a dash between two squares, '!' and '?'. The error of an illegal move says why it is illegal and
// which legal moves are near it.
func (p *Position) ParseMove(s string) (Move, error) {
	text := cleanMove(s)
	n := p.notation()
	for _, reading := range []func(string) string{exact, bare} {
		found := n.reading(p, text, reading)
		if len(found) > 1 {
			found = n.meant(p, text, found)
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return NoMove, say.Error("move %q could be any of %s", s, n.list(p, found))
		}
	}
	return NoMove, p.refusal(s, text, &n)
}

// cleanMove takes away what carries no information.
func cleanMove(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), "+#!?")
	s = strings.TrimSpace(strings.TrimSuffix(s, "e.p."))
	if strings.HasPrefix(s, "0-0") {
		s = strings.ReplaceAll(s, "0", "O")
	}
	if !strings.HasPrefix(s, "O-O") {
		s = strings.ReplaceAll(s, "-", "") // e2-e4, Ng1-f3
	}
	return s
}

func exact(s string) string { return s }

// meant narrows several readings of a text down to the one that is written exactly so, if there is one.
func (n *notation) meant(p *Position, text string, found []Move) []Move {
	for i, m := range n.moves {
		if slices.Contains(found, m) && (p.Coord(m) == text || n.text(p, i) == text) {
			return []Move{m}
		}
	}
	return found
}

// bare takes away the marks that may be missing.
func bare(s string) string {
	return strings.NewReplacer("*", "", "^", "", "_", "", "x", "", "=", "", "/", "").Replace(s)
}

// reading finds the legal moves that some form of notation, read so, writes like the text read so.
func (n *notation) reading(p *Position, text string, read func(string) string) (found []Move) {
	text = read(text)
	for i, m := range n.moves {
		w := n.words[i]
		forms := []string{p.Coord(m)}
		for origin := noOrigin; origin <= squareOrigin; origin++ {
			forms = append(forms, w.text(m, origin))
			if len(w.link) == 2 && w.link[0] == 'x' {
				plain := w
				plain.link = "x"
				forms = append(forms, plain.text(m, origin))
			}
		}
		if slices.ContainsFunc(forms, func(f string) bool { return read(f) == text }) {
			found = append(found, m)
		}
	}
	return found
}

func (n *notation) list(p *Position, moves []Move) string {
	var texts []string
	for i, m := range n.moves {
		if slices.Contains(moves, m) {
			texts = append(texts, n.text(p, i)+" ("+p.Coord(m)+")")
		}
	}
	return strings.Join(texts, ", ")
}

// refusal says why no legal move is written like that.
func (p *Position) refusal(s, text string, n *notation) error {
	if wrong := noSquare(text); wrong != "" {
		return say.Error("move %q is not legal: %s is no square: files are a to h, ranks 1 to 8", s, wrong)
	}
	from, to := squaresOf(text)
	switch king := p.KingSquare(p.turn); strings.TrimRight(text, "*") {
	case "O-O":
		from, to = king, wings[p.turn][0].kingTo
	case "O-O-O":
		from, to = king, wings[p.turn][1].kingTo
	}
	near := func(m Move) bool { return m.To() == to || m.From() == from }
	why := fmt.Sprintf("no legal move of %s is written like that", p.turn)
	m := p.looseMove(text)
	switch {
	case m != NoMove:
		why = p.whyKing(m).String()
	case from != NoSquare && p.Why(from, to).Text == "":
		why = fmt.Sprintf("the %s can go to %s, but its move is written otherwise", p.topAt(from), to)
		near = func(m Move) bool { return m.To() == to && m.From() == from }
	case from != NoSquare:
		why = p.Why(from, to).String()
	case to != NoSquare:
		if r := p.whyNone(text, to); r != "" {
			why = r
		}
	}
	legal := slices.DeleteFunc(slices.Clone(n.moves), func(m Move) bool { return !near(m) })
	no := say.That("move %q is not legal: %v", s, say.Said{English: why}) // a catalogue leaves the reason out
	if len(legal) > 0 {
		no = no.And("; ", say.That("legal near it: %s", n.list(p, legal)))
	}
	return no.Refusal()
}

// besideBoard is what is written like a square: a letter and a number, where x and o stand for what a move does.
var besideBoard = regexp.MustCompile(`[a-np-wyz][0-9]+`)

// noSquare finds what is written like a square and lies beside the board, as e9 or j4; "" for nothing.
func noSquare(text string) string {
	for _, word := range besideBoard.FindAllString(text, -1) {
		if _, err := ParseSquare(word); err != nil {
			return word
		}
	}
	return ""
}

// looseMove is the move whose coordinate form is the text, if only the king forbids it.
func (p *Position) looseMove(text string) Move {
	loose := sink{list: true, loose: true}
	p.rules().moves(p, &loose)
	for _, m := range loose.moves {
		if p.Coord(m) == text {
			return m
		}
	}
	return NoMove
}

// whyNone says why no piece of the kind that the text names can go to the square. Pieces with the same obstacle are
// named together. Those that do not move like that at all are named only if there are no others.
func (p *Position) whyNone(text string, to Square) string {
	kind := Pawn
	for k := Knight; k <= King; k++ {
		if strings.IndexByte(text, k.letter()) >= 0 {
			kind = k
			break
		}
	}
	var reasons []string
	stopped := map[string][]string{} // by reason, the squares of the pieces
	var far []string
	pc := NewPiece(p.turn, kind)
	for s := range NoSquare {
		if p.lower.at(s) != pc && p.upper.at(s) != pc {
			continue
		}
		r := p.Why(s, to)
		if top := p.upper.at(s); r.Text == "" && p.lower.at(s) == pc && top != NoPiece && top != pc {
			r.Text = fmt.Sprintf("the %s is under the %s, which moves in its place", kind, top)
		}
		switch r.Text {
		case "":
		case fmt.Sprintf(strange, kind, s, to):
			far = append(far, s.String())
		default:
			if stopped[r.Text] == nil {
				reasons = append(reasons, r.Text)
			}
			stopped[r.Text] = append(stopped[r.Text], s.String())
		}
	}
	switch {
	case len(reasons) == 0 && len(far) == 0:
		return fmt.Sprintf("%s has no %s", p.turn, kind)
	case len(reasons) == 0 && len(far) == 1:
		return fmt.Sprintf("%s %s: "+strange, kind, far[0], kind, far[0], to)
	case len(reasons) == 0:
		return fmt.Sprintf("no %s of %s goes to %s, from none of %s", kind, p.turn, to, strings.Join(far, ", "))
	}
	for i, r := range reasons {
		reasons[i] = fmt.Sprintf("%s %s: %s", kind, strings.Join(stopped[r], ", "), r)
	}
	return strings.Join(reasons, "; ")
}

// squaresOf finds the last two squares written in a text, from NoSquare if there is but one.
func squaresOf(text string) (from, to Square) {
	from, to = NoSquare, NoSquare
	for i := 0; i+2 <= len(text); i++ {
		if s, err := ParseSquare(text[i : i+2]); err == nil {
			from, to = to, s
		}
	}
	return from, to
}
