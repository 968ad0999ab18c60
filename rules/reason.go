// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Reason is why no legal move leads from one square to another. The zero Reason with At = NoSquare means that
// one does.
type Reason struct {
	Rule string // the section of RULES.md that forbids it; "1" is what all games keep of orthodox chess
	At   Square // the square that is to blame, NoSquare if none
	Text string // in words, lower case
	// which reason it is, for who says it in another language: its English form, with %s in place of each argument
	Code string
	// the arguments, with ; between them: a square e4, a side white, a kind =n, a piece P, a piece on a square P@e4
	Args string
}

// String is the reason in words, and "legal" if there is none.
func (r Reason) String() string {
	if r.Text == "" {
		return "legal"
	}
	return r.Text
}

// because makes a Reason.
func because(rule string, at Square, format string, args ...any) Reason {
	var words []string
	for _, a := range args {
		words = append(words, argument(a))
	}
	return Reason{rule, at, fmt.Sprintf(format, args...), format, strings.Join(words, ";")}
}

// argument is an argument of a reason in the form of [Reason].
func argument(a any) string {
	switch a := a.(type) {
	case Kind:
		return "=" + strings.ToLower(string(a.letter()))
	case Piece:
		return string(a.Letter())
	case counted:
		return strconv.Itoa(a.n)
	case placed:
		return string(a.piece.Letter()) + "@" + a.at.String()
	}
	return fmt.Sprint(a)
}

// placed is a piece where it stands, as in "black rook on e8".
type placed struct {
	piece Piece
	at    Square
}

func (p placed) String() string { return p.piece.String() + " on " + p.at.String() }

// strange is the reason of a piece that never moves like that.
const strange = "a %s does not go from %s to %s"

// mover is the piece that would move from a square, and what blocks its lines.
type mover struct {
	piece Piece
	occ   Bitboard
}

// Why says why no legal move leads from one square to the other. It asks in turn: Does such a move exist? Would it, if
// the king did not matter? Does the game forbid it? Can the piece move like that at all?
func (p *Position) Why(from, to Square) Reason {
	if from >= NoSquare || to >= NoSquare {
		return because("1", NoSquare, "there is no such square")
	}
	for _, m := range p.AppendMoves(nil) {
		if m.From() == from && m.To() == to {
			return Reason{At: NoSquare}
		}
	}
	loose := sink{list: true, loose: true}
	p.rules().moves(p, &loose)
	for _, m := range loose.moves {
		if m.From() == from && m.To() == to {
			return p.whyKing(m)
		}
	}
	who, r := p.rules().why(p, from, to)
	if r.Text != "" {
		return r
	}
	return p.whyPiece(who, from, to)
}

// whyKing says how a move that would be possible without the king endangers him.
func (p *Position) whyKing(m Move) Reason {
	game, king := p.rules(), p.KingSquare(p.turn)
	if now := p.Checkers(); m.IsCastling() && now != 0 {
		return because(game.checked, now.first(), "the king may not castle out of check from the %s",
			p.checker(p.turn, now.first()))
	}
	q := *p
	game.wood(&q, m)
	then := game.checkers(&q, p.turn)
	if then == 0 {
		return p.whyCareful(m)
	}
	at := then.first()
	checker := q.checker(p.turn, at)
	switch {
	case m.From() == king && p.KingSquare(p.turn) != q.KingSquare(p.turn):
		return because(game.checked, at, "the king would be in check from the %s", checker)
	case p.Checkers()&then != 0:
		return because(game.checked, at, "it leaves the king on %s in check from the %s", king, checker)
	case at == m.From():
		return because(game.checked, at, "it uncovers the %s, which would check the king on %s", checker, king)
	}
	return because(game.checked, at, "the piece is pinned: the king on %s would be in check from the %s", king, checker)
}

// whyCareful says why a king's move is forbidden that leaves him out of check: what he would pass, or the royal
// approach of Locking Chess.
func (p *Position) whyCareful(m Move) Reason {
	if m.IsCastling() {
		for s := range wingTo(p.turn, m.To()).path.Squares() {
			q := *p
			p.rules().wood(&q, move(m.From(), s))
			if at := p.rules().checkers(&q, p.turn); at != 0 {
				return because(p.rules().checked, at.first(), "the king may not castle over or onto %s, which the %s attacks", s,
					q.checker(p.turn, at.first()))
			}
		}
	}
	them := p.KingSquare(p.turn.Other())
	return because("3.8", them, "the king may not stand alone beside the king on %s: the %s could land on him", them,
		p.topAt(them))
}

// checker names the piece of the enemy of c on a square that checks c's king.
func (p *Position) checker(c Color, s Square) placed {
	pc := p.upper.at(s)
	if pc == NoPiece || pc.Color() == c {
		pc = p.lower.at(s)
	}
	return placed{pc, s}
}

// topAt is the topmost piece of a square.
func (p *Position) topAt(s Square) placed {
	pc := p.upper.at(s)
	if pc == NoPiece {
		pc = p.lower.at(s)
	}
	return placed{pc, s}
}

// ours is the mover if the piece belongs to the side to move, and otherwise the reason that it does not.
func (p *Position) ours(pc Piece, s Square, occ Bitboard) (mover, Reason) {
	switch {
	case pc == NoPiece:
		return mover{}, because("1", s, "no piece stands on %s", s)
	case pc.Color() != p.turn:
		return mover{}, because("1", s, "the %s on %s may not move: it is %s's turn", pc, s, p.turn)
	}
	return mover{pc, occ}, Reason{}
}

// whyPiece says why the piece cannot go like that even if the king is no matter, as in orthodox chess.
func (p *Position) whyPiece(w mover, from, to Square) Reason {
	if from == to {
		return because("1", from, "the %s stands on %s already", w.piece.Kind(), from)
	}
	if home := rankOf(p.turn, 0) & (e1.bit() | e8.bit()); w.piece.Kind() == King && home.Has(from) &&
		(to == from+2 || to == from-2) {
		return p.whyCastling(to)
	}
	if w.piece.Kind() == Pawn {
		return p.whyPawn(w, from, to)
	}
	if !reach(w.piece.Kind(), p.turn, from, 0).Has(to) {
		return because("1", from, strange, w.piece.Kind(), from, to)
	}
	if mid := between[from][to] & w.occ; mid != 0 {
		at := mid.first()
		if to < from {
			at = mid.last()
		}
		return because("1", at, "the way to %s is blocked by the %s", to, p.topAt(at))
	}
	return because("1", to, "the %s is in its way", p.topAt(to))
}

func (p *Position) whyPawn(w mover, from, to Square) Reason {
	up := p.turn.forward()
	switch step := int(to) - int(from); {
	case pawnAttacks[p.turn][from].Has(to):
		return because("1", to, "a pawn goes diagonally only to capture, and nothing on %s can be taken by it", to)
	case step == up:
		return because("1", to, "the pawn is blocked by the %s", p.topAt(to))
	case step == 2*up && !rankOf(p.turn, 1).Has(from) && !(p.rules().setup.early && rankOf(p.turn, 0).Has(from)):
		return because("1", from, "a pawn goes two squares only from its second rank")
	case step == 2*up:
		at := to
		if mid := Square(int(from) + up); w.occ.Has(mid) {
			at = mid
		}
		return because("1", at, "the pawn is blocked by the %s", p.topAt(at))
	}
	return because("1", from, strange, Pawn, from, to)
}

func (p *Position) whyCastling(to Square) Reason {
	w := wingTo(p.turn, to)
	if p.rights&w.right == 0 {
		return because("1", w.rook, "the right to castle with the rook of %s is lost", w.rook)
	}
	for s := range (w.empty & p.Occupied()).Squares() {
		if !p.rules().gaps || p.lower.at(s) != NoPiece {
			return because("1", s, "castling is blocked by the %s", p.topAt(s))
		}
	}
	return because("1", w.rook, "king and rook must stand free to castle, and the %s is in the way", p.topAt(w.rook))
}
