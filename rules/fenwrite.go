// SPDX-License-Identifier: Apache-2.0

package rules

import "strconv"

// FEN writes the position in stack FEN (RULES 2.1).
func (p *Position) FEN() string {
	b := make([]byte, 0, 96)
	for rank := 7; rank >= 0; rank-- {
		b = p.appendRank(b, rank)
		if rank > 0 {
			b = append(b, '/')
		}
	}
	b = append(b, ' ', "wb"[p.turn], ' ')
	if p.rights == 0 {
		b = append(b, '-')
	}
	for i := range 4 {
		if p.rights>>i&1 != 0 {
			b = append(b, "KQkq"[i])
		}
	}
	b = append(append(append(b, ' '), p.passed.String()...), ' ')
	b = strconv.AppendUint(b, uint64(p.half), 10)
	return string(strconv.AppendUint(append(b, ' '), uint64(p.full), 10))
}

func (p *Position) appendRank(b []byte, rank int) []byte {
	empty := 0
	flush := func() {
		if empty > 0 {
			b = append(b, '0'+byte(empty))
		}
		empty = 0
	}
	var buf [32]Piece
	for file := range 8 {
		stack := p.AppendStack(buf[:0], SquareAt(file, rank))
		if len(stack) == 0 {
			empty++
			continue
		}
		flush()
		b = appendLetters(b, stack)
	}
	flush()
	return b
}

// appendLetters writes one piece as its letter and more in brackets.
func appendLetters(b []byte, stack []Piece) []byte {
	if len(stack) == 1 {
		return append(b, stack[0].Letter())
	}
	b = append(b, '[')
	for _, pc := range stack {
		b = append(b, pc.Letter())
	}
	return append(b, ']')
}
