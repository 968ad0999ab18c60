// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"strconv"
	"strings"
)

// This is a second implementation of RULES.md, written from its text alone: strings for stacks, and one move after
// another tried out. It shares only the names of the variants with the generator under test. It is slow and means to
// be obvious.

// nboard is a position. A square's string is its pieces from bottom to top; in flying it is "" or two letters, ground
// and air, with '-' for nothing.
type nboard struct {
	v          string // variant id
	sq         [64]string
	turn       byte // 'w' or 'b'
	rights     string
	ep         int // the square passed by the last double step, -1 for none; kept whether or not it can be used
	half, full int
	rare       map[string]int // counts what was exercised; shared by all positions of a walk
}

// nmove is one move and what it leaves.
type nmove struct {
	coord string
	edits [4]nedit
	n     int
	ep    int  // square passed, -1
	reset bool // of the fifty-move count
	king  bool // it captures a king
	inEP  bool // it is a capture or an overlay in passing
	tag   string
}

type nedit struct {
	sq int
	s  string
}

func (m *nmove) set(sq int, s string) { m.edits[m.n] = nedit{sq, s}; m.n++ }

func isWhite(c byte) bool { return c >= 'A' && c <= 'Z' }

func isPiece(c byte) bool { return c != '-' }

// own reports whether a piece belongs to the side to move.
func (b *nboard) own(c byte) bool { return isPiece(c) && isWhite(c) == (b.turn == 'w') }

func (b *nboard) enemy(c byte) bool { return isPiece(c) && isWhite(c) != (b.turn == 'w') }

func kindOf(c byte) byte { return c | 0x20 }

func name(sq int) string { return string([]byte{'a' + byte(sq%8), '1' + byte(sq/8)}) }

func parseName(s string) int { return int(s[0]-'a') + 8*int(s[1]-'1') }

// top is the piece that controls a square, 0 when it is empty.
func (b *nboard) top(sq int) byte {
	s := b.sq[sq]
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// parseNaive reads a FEN that is known to be good.
func parseNaive(v, fen string) nboard {
	f := strings.Fields(fen)
	b := nboard{v: v, turn: f[1][0], rights: f[2], ep: -1}
	if f[3] != "-" {
		b.ep = parseName(f[3])
	}
	b.half, _ = strconv.Atoi(f[4])
	b.full, _ = strconv.Atoi(f[5])
	for i, row := range strings.Split(f[0], "/") {
		sq := 8 * (7 - i)
		for len(row) > 0 {
			switch c := row[0]; {
			case c >= '1' && c <= '8':
				sq += int(c - '0')
				row = row[1:]
				continue
			case c == '[':
				end := strings.IndexByte(row, ']')
				b.sq[sq], row = row[1:end], row[end+1:]
			default:
				b.sq[sq], row = row[:1], row[1:]
				if v == "flying" {
					b.sq[sq] += "-"
				}
			}
			sq++
		}
	}
	return b
}

// fen writes the position; the en passant field only where a legal capture in passing exists (2.1).
func (b *nboard) fen() string {
	var s strings.Builder
	for r := 7; r >= 0; r-- {
		gap := 0
		for f := range 8 {
			c := b.sq[8*r+f]
			if b.v == "flying" && len(c) == 2 && c[1] == '-' {
				c = c[:1]
			}
			if c == "" {
				gap++
				continue
			}
			if gap > 0 {
				s.WriteByte('0' + byte(gap))
				gap = 0
			}
			if len(c) > 1 {
				c = "[" + c + "]"
			}
			s.WriteString(c)
		}
		if gap > 0 {
			s.WriteByte('0' + byte(gap))
		}
		if r > 0 {
			s.WriteByte('/')
		}
	}
	ep := "-"
	if b.ep >= 0 {
		for _, m := range b.legal() {
			if m.inEP {
				ep = name(b.ep)
			}
		}
	}
	return s.String() + " " + string(b.turn) + " " + b.rights + " " + ep + " " + strconv.Itoa(b.half) + " " +
		strconv.Itoa(b.full)
}

// after is the position after a move.
func (b *nboard) after(m *nmove) nboard {
	a := *b
	for _, e := range m.edits[:m.n] {
		a.sq[e.sq] = e.s
	}
	a.ep = m.ep
	a.half++
	if m.reset {
		a.half = 0
	}
	if b.turn == 'b' {
		a.full++
	}
	a.turn = 'w' + 'b' - b.turn
	a.rights = a.keptRights()
	return a
}

// keptRights drops the letters whose king or rook is no longer at its first place. That is: as the lowest piece
// (locking, superchess), on the ground (flying), alone (the others).
func (b *nboard) keptRights() string {
	at := func(sq int, c byte) bool {
		s := b.sq[sq]
		switch b.v {
		case "locking", "superchess", "flying":
			return s != "" && s[0] == c
		}
		return s == string(c)
	}
	kept := ""
	for _, r := range b.rights {
		if r == 'K' && at(4, 'K') && at(7, 'R') || r == 'Q' && at(4, 'K') && at(0, 'R') ||
			r == 'k' && at(60, 'k') && at(63, 'r') || r == 'q' && at(60, 'k') && at(56, 'r') {
			kept += string(r)
		}
	}
	if kept == "" {
		return "-"
	}
	return kept
}

// pseudo lists all moves that would be legal if the king were no matter, castling apart.
func (b *nboard) pseudo() []nmove {
	g := ngen{b: b, moves: make([]nmove, 0, 64)}
	g.generate()
	return g.moves
}

// generate goes through the squares, on a hunt until a king is found.
func (g *ngen) generate() {
	b := g.b
	for sq := 0; sq < 64 && !g.found; sq++ {
		switch b.v {
		case "chess":
			g.chess(sq)
		case "locking":
			g.locking(sq)
		case "meirav":
			g.meirav(sq)
		case "pillar", "pillar-liberal":
			g.pillar(sq)
		case "superchess":
			g.superchess(sq)
		case "flying":
			g.flying(sq)
		}
	}
}

// attacked reports whether the side not to move has a king that the side to move could capture.
func (b *nboard) attacked() bool {
	g := ngen{b: b, hunt: true}
	g.generate()
	return g.found
}

// passed is the position with the other side to move, to ask whether the king of the side to move is in check.
func (b *nboard) passed() *nboard {
	p := *b
	p.turn = 'w' + 'b' - b.turn
	p.ep = -1
	return &p
}

func (b *nboard) inCheck() bool { return b.passed().attacked() }

// strikesFrom reports whether what now stands on a square gives check to the side to move.
func (b *nboard) strikesFrom(square string) bool {
	for _, m := range b.passed().pseudo() {
		if m.king && m.coord[:2] == square {
			return true
		}
	}
	return false
}

// legal lists the legal moves.
func (b *nboard) legal() []nmove {
	all := append(b.pseudo(), b.castling()...)
	out := make([]nmove, 0, len(all))
	for i := range all {
		m := &all[i]
		a := b.after(m)
		if a.attacked() {
			continue
		}
		if b.v == "locking" && b.royalApproach(&a) {
			b.rare["locking REJ-royal-approach"]++
			continue
		}
		out = append(out, *m)
	}
	return out
}

// castling lists castling and castlock (3.5), the squares passed and reached not being attacked.
func (b *nboard) castling() []nmove {
	var out []nmove
	for _, c := range []struct {
		right            string
		turn             byte
		king, rook, over int
		to               int
		empty            []int
	}{
		{"K", 'w', 4, 7, 5, 6, []int{5, 6}}, {"Q", 'w', 4, 0, 3, 2, []int{1, 2, 3}},
		{"k", 'b', 60, 63, 61, 62, []int{61, 62}}, {"q", 'b', 60, 56, 59, 58, []int{57, 58, 59}},
	} {
		if c.turn != b.turn || !strings.Contains(b.rights, c.right) {
			continue
		}
		k, r := b.sq[c.king], b.sq[c.rook]
		if !b.unburdened(k) || !b.unburdened(r) {
			continue
		}
		free := true
		for _, e := range c.empty {
			free = free && b.vacant(e)
		}
		if !free || b.inCheck() || !b.safeAt(c.king, c.over) || !b.safeAt(c.king, c.to) {
			continue
		}
		m := nmove{coord: name(c.king) + name(c.to), ep: -1, tag: "castle"}
		b.slide(&m, c.king, c.to)
		b.slide(&m, c.rook, c.over)
		out = append(out, m)
		if b.v == "locking" {
			l := nmove{coord: name(c.king) + name(c.to) + "*", ep: -1, tag: "castlock"}
			l.set(c.king, "")
			l.set(c.rook, "")
			l.set(c.to, k+r)
			out = append(out, l)
		}
	}
	return out
}

// unburdened reports whether king or rook has nothing on it or under it. In flying the air does not matter.
func (b *nboard) unburdened(s string) bool { return b.v == "flying" || len(s) == 1 }

// vacant reports whether nothing stands on the square; in flying, on its ground.
func (b *nboard) vacant(sq int) bool { return b.sq[sq] == "" || b.v == "flying" && b.sq[sq][0] == '-' }

// slide moves king or rook of castling; in flying what flies over the squares stays.
func (b *nboard) slide(m *nmove, from, to int) {
	if b.v != "flying" {
		m.set(from, "")
		m.set(to, b.sq[from])
		return
	}
	m.set(from, levels('-', b.air(from)))
	m.set(to, levels(b.sq[from][0], b.air(to)))
}

// safeAt reports whether the king, moved there, could not be captured.
func (b *nboard) safeAt(from, to int) bool {
	var m nmove
	m.ep = -1
	b.slide(&m, from, to)
	a := b.after(&m)
	return !a.attacked()
}
