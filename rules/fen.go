// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"boardd/rules/say"
)

// ParseFEN reads a position in stack FEN (RULES 2.1). Collections of positions often leave out the two counters; they
// are then those of the beginning of a game. The error of an impossible position joins all its faults, each
// naming the field and the square.
func (v *Variant) ParseFEN(fen string) (Position, error) {
	p := Position{game: v.number(), liberal: v.liberal, passed: NoSquare, full: 1}
	fields := strings.Fields(fen)
	if len(fields) == 4 {
		fields = append(fields, "0", "1")
	}
	if len(fields) != 6 {
		return Position{}, flaw("fen %q: %s, want placement, turn, castling and en passant, and perhaps half-move clock "+
			"and move number", fen, counted{len(fields), "field"})
	}
	r := reader{p: &p}
	r.placement(fields[0])
	r.side(fields[1])
	placed := len(r.faults) == 0
	r.castling(fields[2])
	r.passed(fields[3])
	r.counters(fields[4], fields[5])
	if placed {
		r.check()
	}
	if len(r.faults) != 0 {
		return Position{}, fmt.Errorf("fen %q of %s: %w", fen, v.id, errors.Join(r.faults...))
	}
	p.settle()
	return p, nil
}

// reader reads one FEN and collects its faults.
type reader struct {
	p      *Position
	faults []error
	unsure Bitboard // squares of which it is not known what should stand there
}

func (r *reader) flaw(format string, args ...any) { r.faults = append(r.faults, flaw(format, args...)) }

// placement reads the first field.
func (r *reader) placement(field string) {
	ranks := strings.Split(field, "/")
	if len(ranks) != 8 {
		r.flaw("placement: %s, want eight", counted{len(ranks), "rank"})
		r.unsure = ^Bitboard(0)
		return
	}
	var kings [2]int
	for i, text := range ranks {
		r.rank(7-i, text, &kings)
	}
	for c, n := range kings {
		if n != 1 {
			r.flaw("placement: %d %s kings, want one", n, Color(c))
		}
	}
}

// rank reads one rank, 0 to 7.
func (r *reader) rank(rank int, text string, kings *[2]int) {
	file := 0
	for text != "" {
		if text[0] >= '1' && text[0] <= '8' {
			file += int(text[0] - '0')
			text = text[1:]
			continue
		}
		word, rest, err := cutStack(text)
		if err != nil {
			r.flaw("placement, rank %d: %v", rank+1, err)
			r.unsure |= rankOf(White, rank)
			return
		}
		if text = rest; file < 8 {
			r.stack(SquareAt(file, rank), word, kings)
		}
		file++
	}
	if file != 8 {
		r.flaw("placement, rank %d: %s, want eight", rank+1, counted{file, "square"})
		r.unsure |= rankOf(White, rank)
	}
}

// cutStack cuts what stands on one square off the text: a letter, or letters in brackets, which stay.
func cutStack(text string) (word, rest string, err error) {
	if text[0] != '[' {
		return text[:1], text[1:], nil
	}
	end := strings.IndexByte(text, ']')
	if end < 0 {
		return "", "", flaw("a stack %q without its closing bracket", text)
	}
	return text[:end+1], text[end+1:], nil
}

// stack reads what stands on a square and sets it up.
func (r *reader) stack(s Square, word string, kings *[2]int) {
	letters := word
	if word[0] == '[' {
		letters = word[1 : len(word)-1]
	}
	stack := make([]Piece, 0, len(letters))
	for i := range len(letters) {
		pc, err := ParsePiece(letters[i])
		if err != nil {
			r.unsure |= s.Bit()
			r.flaw("placement, %s: %v", s, err)
			return
		}
		if pc.Kind() == King {
			kings[pc.Color()]++
		}
		stack = append(stack, pc)
	}
	if f := r.stackFault(s, word, stack); f != nil {
		r.unsure |= s.Bit()
		r.flaw("placement, %s: %v", s, f)
		return
	}
	if r.p.below.total()+len(stack)-1 > pileRoom {
		r.flaw("placement, %s: more than %d pieces lie under others", s, pileRoom)
		return
	}
	r.p.rules().setup.put(r.p, s, stack)
}

// stackFault says why the stack is impossible there.
func (r *reader) stackFault(s Square, word string, stack []Piece) error {
	bracketed := word[0] == '['
	if bracketed != (len(stack) > 1) {
		return flaw("%q, want one letter, or two or more in brackets", word)
	}
	for i, pc := range stack {
		if pc == NoPiece && !(r.p.rules().gaps && i == 0 && len(stack) == 2 && stack[1] != NoPiece) {
			return flaw("%q, a gap is written only under a flyer, as in [-N]", word)
		}
	}
	return r.p.rules().setup.fault(s, stack)
}

// side reads the second field.
func (r *reader) side(field string) {
	switch field {
	case "w":
		r.p.turn = White
	case "b":
		r.p.turn = Black
	default:
		r.flaw("turn %q: want w or b", field)
	}
}

// castling reads the third field.
func (r *reader) castling(field string) {
	if field == "-" {
		return
	}
	for i := range len(field) {
		n := strings.IndexByte("KQkq", field[i])
		if n < 0 || strings.IndexByte(field[:i], field[i]) >= 0 {
			r.flaw("castling %q: want - or some of KQkq, each once", field)
			return
		}
		c, w := Color(n/2), &wings[n/2][n%2]
		r.p.rights |= w.right
		for _, home := range [2]struct {
			s Square
			k Kind
		}{{w.king, King}, {w.rook, Rook}} {
			if !r.unsure.Has(home.s) && r.p.rules().setup.home(r.p, home.s) != NewPiece(c, home.k) {
				r.flaw("castling: %s, but no %s %s stands ready on %s", field[i:i+1], c, home.k, home.s)
			}
		}
	}
}

// passed reads the fourth field.
func (r *reader) passed(field string) {
	if field == "-" {
		return
	}
	s, err := ParseSquare(field)
	if err != nil {
		r.flaw("en passant: %v", err)
		return
	}
	mover := r.p.turn.Other()
	ranks, want := rankOf(mover, 2), say.Word("third")
	if r.p.rules().setup.early {
		ranks, want = ranks|rankOf(mover, 1), say.Word("second or third")
	}
	if !ranks.Has(s) {
		r.flaw("en passant: %s is not on the %s rank of %s, who has just moved", s, want, mover)
		return
	}
	if r.unsure&(s.Bit()<<8|s.Bit()|s.Bit()>>8) == 0 {
		if f := r.p.rules().setup.passable(r.p, mover, s); f != nil {
			r.flaw("en passant: %v", f)
			return
		}
	}
	r.p.passed = s
}

// counters reads the fifth and the sixth field.
func (r *reader) counters(half, full string) {
	n, err := strconv.ParseUint(half, 10, 31)
	if err != nil {
		r.flaw("half-move clock %q: want a number from 0", half)
	}
	r.p.half = uint32(n)
	n, err = strconv.ParseUint(full, 10, 31)
	if err != nil {
		r.flaw("move number %q: want a number from 1", full)
	}
	r.p.full = max(1, uint32(n))
}

// check refuses a position in which the side to move could take the king.
func (r *reader) check() {
	waiting := r.p.turn.Other()
	for s := range r.p.rules().checkers(r.p, waiting).Squares() {
		r.flaw("side not to move in check: %s king %s attacked by the %s", waiting, r.p.KingSquare(waiting),
			r.p.checker(waiting, s))
	}
}

// settle drops a passed square that no legal move answers, and computes the key.
func (p *Position) settle() {
	if p.passed != NoSquare {
		var answers sink
		p.rules().passing(p, &answers)
		if answers.n == 0 {
			p.passed = NoSquare
		}
	}
	p.key = p.keyFromScratch()
}

// keyFromScratch is the key computed from what stands where, as Key says.
func (p *Position) keyFromScratch() (key uint64) {
	for s := range NoSquare {
		key ^= keys.lower[p.lower.at(s)][s] ^ keys.upper[p.upper.at(s)][s] ^ p.below.key(s)
	}
	key ^= keys.rights[p.rights] ^ keys.passed[p.passed]
	if p.turn == Black {
		key ^= keys.black
	}
	return key
}
