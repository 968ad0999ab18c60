// SPDX-License-Identifier: Apache-2.0

package rules_test

import "strings"

// ngen collects the moves of one position.
type ngen struct {
	b     *nboard
	hunt  bool // only whether a king can be captured is asked for
	found bool // one can
	moves []nmove
	none  nmove   // what a move that is not asked for is written to
	space [28]int // what reach lists; no list is read when the next one is made
}

// idle reports whether a move is not asked for, because the hunt is for kings and it takes none.
func (g *ngen) idle(captured string) bool { return g.hunt && !strings.ContainsAny(captured, "Kk") }

var (
	straight = [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	diagonal = [][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	eight    = append(append([][2]int{}, straight...), diagonal...)
	leaps    = [][2]int{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}
)

// step is the square this many files and ranks away, -1 off the board.
func step(sq, df, dr int) int {
	f, r := sq%8+df, sq/8+dr
	if f < 0 || f > 7 || r < 0 || r > 7 {
		return -1
	}
	return 8*r + f
}

// reach lists the squares to which a kind of piece (not a pawn) can go, up to and with the first that blocks its line.
func (g *ngen) reach(kind byte, from int, blocks func(int) bool) []int {
	var dirs [][2]int
	far := true
	switch kind {
	case 'r':
		dirs = straight
	case 'b':
		dirs = diagonal
	case 'q':
		dirs = eight
	case 'k':
		dirs, far = eight, false
	case 'n':
		dirs, far = leaps, false
	}
	out := g.space[:0]
	for _, d := range dirs {
		for sq := step(from, d[0], d[1]); sq >= 0; sq = step(sq, d[0], d[1]) {
			out = append(out, sq)
			if !far || blocks(sq) {
				break
			}
		}
	}
	return out
}

func (b *nboard) occupied(sq int) bool { return b.sq[sq] != "" }

// up is the direction of the pawns of the side to move; home their second rank, end their last, as 0 to 7.
func (b *nboard) up() int {
	if b.turn == 'w' {
		return 1
	}
	return -1
}

func (b *nboard) home() int {
	if b.turn == 'w' {
		return 1
	}
	return 6
}

func (b *nboard) end() int {
	if b.turn == 'w' {
		return 7
	}
	return 0
}

// on is one square as a move leaves it.
func on(sq int, s string) nedit { return nedit{sq, s} }

// say adds a move: from and to by name, a suffix, what was captured, and the squares as the move leaves them.
func (g *ngen) say(from, to int, suffix, captured, tag string, reset bool, edits ...nedit) *nmove {
	if g.hunt {
		g.found = g.found || !g.idle(captured)
		g.none = nmove{}
		return &g.none
	}
	m := nmove{coord: name(from) + name(to) + suffix, ep: -1, reset: reset || captured != "", tag: tag}
	for _, c := range []byte(captured) {
		m.king = m.king || kindOf(c) == 'k'
	}
	m.n = copy(m.edits[:], edits)
	g.moves = append(g.moves, m)
	return &g.moves[len(g.moves)-1]
}

// becomes lists what a piece becomes on arrival, with the letter of the notation. A pawn on its last rank is promoted;
// everything else stays what it is.
func (b *nboard) becomes(c byte, to int) [][2]string {
	if kindOf(c) != 'p' || to/8 != b.end() {
		return [][2]string{{string(c), ""}}
	}
	var out [][2]string
	for _, k := range []byte("qrbn") {
		p := k
		if isWhite(c) {
			p -= 0x20
		}
		out = append(out, [2]string{string(p), string(k)})
	}
	return out
}

// diagonals are the squares diagonally in front of a pawn.
func (b *nboard) diagonals(from int) []int {
	var out []int
	for _, df := range []int{-1, 1} {
		if to := step(from, df, b.up()); to >= 0 {
			out = append(out, to)
		}
	}
	return out
}

// ---- orthodox chess

func (g *ngen) chess(from int) {
	b := g.b
	c := b.top(from)
	if c == 0 || !b.own(c) {
		return
	}
	arrive := func(to int, ep int) {
		if g.idle(b.sq[to]) {
			return
		}
		for _, p := range b.becomes(c, to) {
			m := g.say(from, to, p[1], b.sq[to], "", kindOf(c) == 'p', on(from, ""), on(to, p[0]))
			m.ep = ep
		}
	}
	if kindOf(c) != 'p' {
		for _, to := range g.reach(kindOf(c), from, b.occupied) {
			if !b.occupied(to) || b.enemy(b.top(to)) {
				arrive(to, -1)
			}
		}
		return
	}
	one := step(from, 0, b.up())
	if !b.occupied(one) {
		arrive(one, -1)
		if two := step(one, 0, b.up()); from/8 == b.home() && !b.occupied(two) {
			arrive(two, one)
		}
	}
	for _, to := range b.diagonals(from) {
		if b.occupied(to) && b.enemy(b.top(to)) {
			arrive(to, -1)
		}
		if to == b.ep {
			beyond := step(to, 0, -b.up())
			m := g.say(from, to, "", b.sq[beyond], "ep", true, on(from, ""), on(beyond, ""), on(to, string(c)))
			m.inEP = true
		}
	}
}

// ---- Locking Chess, section 3

// standing says what stands on a square, seen from the side to move: "" empty, "o" or "e" one piece, two letters a
// stack.
func (b *nboard) standing(sq int) string {
	out := ""
	for _, c := range []byte(b.sq[sq]) {
		if b.own(c) {
			out += "o"
		} else {
			out += "e"
		}
	}
	return out
}

func (g *ngen) locking(from int) {
	b := g.b
	s := b.sq[from]
	if s == "" || !b.own(s[len(s)-1]) {
		return
	}
	if len(s) == 1 {
		g.lockingFree(from, s[0])
	} else {
		g.lockingOverlaid(from, s[1], s[:1])
	}
}

// lockingTo says the arrival of a piece in one of the ways of sections 3.2 and 3.3.
func (g *ngen) lockingTo(from, to int, c byte, left, way string) {
	b := g.b
	there := b.sq[to]
	if g.idle(there) {
		return
	}
	for _, p := range b.becomes(c, to) {
		pawn := kindOf(c) == 'p'
		tag := way
		if p[1] != "" {
			tag = "promo " + way
		}
		if kindOf(c) == 'k' {
			tag = "king " + way
		}
		if kindOf(c) == 'n' {
			tag = "knight " + way
		}
		switch way {
		case "quiet", "down":
			g.say(from, to, p[1], "", tag, pawn, on(from, left), on(to, p[0]))
		case "climb", "land":
			if kindOf(there[0]) == 'k' {
				tag += " on king"
			}
			g.say(from, to, p[1]+"*", "", tag, pawn, on(from, left), on(to, there+p[0]))
		case "take all", "take all above", "choice":
			g.say(from, to, p[1], there, tag, pawn, on(from, left), on(to, p[0]))
		case "take locked":
			g.say(from, to, p[1]+"*", there[:1], tag, pawn, on(from, left), on(to, p[0]+there[1:]))
		case "take top", "take top above":
			g.say(from, to, p[1]+"*", there[1:], tag, pawn, on(from, left), on(to, there[:1]+p[0]))
		}
	}
}

func (g *ngen) lockingFree(from int, c byte) {
	b := g.b
	onto := func(to int) { // by an ordinary move, or a pawn's diagonal one when there is something
		switch b.standing(to) {
		case "o":
			g.lockingTo(from, to, c, "", "climb")
		case "e", "ee":
			g.lockingTo(from, to, c, "", "take all")
		case "eo":
			g.lockingTo(from, to, c, "", "take locked")
		case "oe":
			if kindOf(c) == 'n' {
				g.lockingTo(from, to, c, "", "take top")
			}
		}
	}
	if kindOf(c) != 'p' {
		for _, to := range g.reach(kindOf(c), from, b.occupied) {
			if !b.occupied(to) {
				g.lockingTo(from, to, c, "", "quiet")
			}
			onto(to)
		}
		return
	}
	one := step(from, 0, b.up())
	advance := func(to int) {
		switch b.standing(to) {
		case "":
			g.lockingTo(from, to, c, "", "quiet")
		case "o":
			g.lockingTo(from, to, c, "", "climb")
		}
	}
	advance(one)
	if two := step(one, 0, b.up()); from/8 == b.home() && !b.occupied(one) {
		n := len(g.moves)
		advance(two)
		for i := n; i < len(g.moves); i++ {
			if !b.occupied(two) { // 3.4: one that climbed cannot be taken in passing
				g.moves[i].ep = one
			} else {
				g.moves[i].tag = "pawn climbs with its double step"
			}
		}
	}
	for _, to := range b.diagonals(from) {
		onto(to)
		if to == b.ep {
			beyond := step(to, 0, -b.up())
			g.say(from, to, "", b.sq[beyond], "ep", true, on(from, ""), on(beyond, ""), on(to, string(c))).inEP = true
		}
	}
}

func (g *ngen) lockingOverlaid(from int, c byte, under string) {
	b := g.b
	stacked := func(sq int) bool { return len(b.sq[sq]) == 2 }
	onto := func(to int, straight bool) {
		switch b.standing(to) {
		case "":
			g.lockingTo(from, to, c, under, "down")
		case "o", "e":
			g.lockingTo(from, to, c, under, "land")
			if kindOf(c) == 'n' && b.standing(to) == "e" && b.own(under[0]) {
				g.lockingTo(from, to, c, under, "choice")
			}
		case "ee":
			if !straight {
				g.lockingTo(from, to, c, under, "take all above")
			}
		case "oe":
			if !straight {
				g.lockingTo(from, to, c, under, "take top above")
			}
		}
	}
	if kindOf(c) != 'p' {
		for _, to := range g.reach(kindOf(c), from, stacked) {
			onto(to, false)
		}
		return
	}
	onto(step(from, 0, b.up()), true)
	for _, to := range b.diagonals(from) {
		onto(to, false)
		if to == b.ep {
			beyond := step(to, 0, -b.up())
			g.say(from, to, "*", "", "epo", true, on(from, under), on(beyond, ""), on(to, b.sq[beyond]+string(c))).inEP = true
		}
	}
}

// royalApproach reports whether the mover's king now stands alone beside an enemy king in the way that is forbidden
// (3.8). That one is locked under a piece of his own color, which could legally land on the arrived king. Only a king
// that just moved is forbidden this, so the caller's position matters.
func (b *nboard) royalApproach(a *nboard) bool {
	mine, his := byte('K'), byte('k')
	if b.turn == 'b' {
		mine, his = his, mine
	}
	at, was, other := -1, -1, -1
	for sq := range 64 {
		if a.sq[sq] == string(mine) {
			at = sq
		}
		if len(b.sq[sq]) > 0 && (b.sq[sq][0] == mine || b.top(sq) == mine) {
			was = sq
		}
		if len(a.sq[sq]) == 2 && a.sq[sq][0] == his && isWhite(a.sq[sq][1]) == isWhite(his) {
			other = sq
		}
	}
	if at < 0 || at == was || other < 0 {
		return false
	}
	if df, dr := at%8-other%8, at/8-other/8; df < -1 || df > 1 || dr < -1 || dr > 1 {
		return false
	}
	for _, m := range a.pseudo() {
		if m.coord[:2] == name(other) && m.coord[2:4] == name(at) && m.coord[len(m.coord)-1] == '*' {
			if then := a.after(&m); !then.attacked() {
				return true
			}
		}
	}
	return false
}

// lockingResult is the word of 3.9 for a position without legal moves.
func (b *nboard) lockingResult() string {
	king, his := byte('K'), byte('k')
	if b.turn == 'b' {
		king, his = his, king
	}
	standing, under := "free", byte(0)
	for _, s := range b.sq {
		if len(s) == 2 && s[0] == king {
			standing, under = "locked", s[1]
		}
		if len(s) == 2 && s[1] == king {
			standing = "overlaid"
		}
	}
	if !b.inCheck() {
		switch {
		case standing == "locked" && b.enemy(under):
			return "lockout"
		case standing == "overlaid":
			return "deadlock"
		}
		return "stalemate"
	}
	for _, m := range b.passed().pseudo() {
		if from := b.sq[parseName(m.coord)]; m.king && from[len(from)-1] == his {
			if standing == "locked" {
				return "royal-lockmate"
			}
			return "royal-mate"
		}
	}
	return map[string]string{"free": "checkmate", "locked": "lockmate", "overlaid": "refugee-mate"}[standing]
}
