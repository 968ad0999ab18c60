// SPDX-License-Identifier: Apache-2.0

package rules

// words holds the parts of a move in SAN (RULES 2.3), except the origin. That is written only if another legal move
// would read the same.
type words struct {
	piece string // "N", "BR", "oP", "2R"; empty for a pawn
	air   bool   // flying: the piece leaves the air
	caret string // "^" after the departure, where a piece leaves the air and another of its kind could be meant
	pawn  bool   // its file is always written before a link
	link  string // "x", "o", "xo", or "x" and the piece taken
	to    string
	tail  string // "=Q", "*", "_"
}

// plainWords returns the words of orthodox chess.
func plainWords(pc Piece, m Move) words {
	w := words{to: m.To().String(), pawn: pc.Kind() == Pawn}
	if !w.pawn {
		w.piece = string(pc.Kind().letter())
	}
	if m.IsCapture() {
		w.link = "x"
	}
	if k := m.Promotion(); k != NoKind {
		w.tail = "=" + string(k.letter())
	}
	if m.IsCastling() {
		w = words{to: "O-O"}
		if m.To().File() == 2 {
			w.to = "O-O-O"
		}
	}
	return w
}

// How much of the square of departure is written.
const (
	noOrigin = iota
	fileOrigin
	rankOrigin
	squareOrigin
)

// text returns the words with so much of the square of departure.
func (w *words) text(m Move, origin int) string {
	if m.IsCastling() {
		return w.to + w.tail
	}
	from := m.From().String()
	switch {
	case origin == noOrigin && w.pawn && w.link != "", origin == fileOrigin:
		from = from[:1]
	case origin == noOrigin:
		from = ""
	case origin == rankOrigin && !(w.pawn && w.link != ""):
		from = from[1:]
	}
	return w.piece + from + w.caret + w.link + w.to + w.tail
}

// notation holds the legal moves of a position in words.
type notation struct {
	moves []Move
	words []words
}

func (p *Position) notation() notation {
	n := notation{moves: p.AppendMoves(nil)}
	for _, m := range n.moves {
		n.words = append(n.words, p.rules().words(p, m))
	}
	n.markFlyers()
	return n
}

// markFlyers writes '^' after the letter or the origin of a piece in the air if another of its kind could be meant
// (flying).
func (n *notation) markFlyers() {
	for i := range n.words {
		w := &n.words[i]
		if !w.air {
			continue
		}
		for j, v := range n.words {
			other := n.moves[i].From() != n.moves[j].From() || !v.air
			if other && v.piece == w.piece && v.to == w.to && v.tail == w.tail {
				w.caret = "^"
				break
			}
		}
	}
}

// text is the shortest notation of the i-th move that no other legal move shares. If even the origin leaves a doubt,
// it is the coordinate form (flying: headbutt and rise of one piece, with others about).
func (n *notation) text(p *Position, i int) string {
	for origin := noOrigin; origin <= squareOrigin; origin++ {
		text := n.words[i].text(n.moves[i], origin)
		if !n.shared(text, i, origin) {
			return text
		}
	}
	return p.Coord(n.moves[i])
}

func (n *notation) shared(text string, i, origin int) bool {
	for j := range n.moves {
		if j != i && n.words[j].text(n.moves[j], origin) == text {
			return true
		}
	}
	return false
}

// SAN is the notation for people of a legal move of this position (RULES 2.3), with '+' for check and '#' for mate.
// A move that is not legal has none: "".
func (p *Position) SAN(m Move) string {
	n := p.notation()
	for i := range n.moves {
		if n.moves[i] == m {
			return n.text(p, i) + p.checkMark(m)
		}
	}
	return ""
}

func (p *Position) checkMark(m Move) string {
	q := *p
	q.Play(m)
	switch {
	case !q.InCheck():
		return ""
	case q.CountMoves() == 0:
		return "#"
	}
	return "+"
}
