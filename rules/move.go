// SPDX-License-Identifier: Apache-2.0

package rules

// Move is one move in the position it was listed for. It is a number, so moves are compared with ==; NoMove is 0.
//
//	bits  0-5  from      15-19  how many top pieces of a stack move, 0 the whole stack (RULES 2.2 ":k")
//	bits  6-11 to        20-27  the marks below
//	bits 12-14 kind promoted to
type Move uint32

// NoMove is no move.
const NoMove Move = 0

const (
	capture    Move = 1 << (20 + iota) // an enemy piece is taken
	castle                             // the king goes two squares
	enPassant                          // the pawn on the square just beyond is concerned
	doubleStep                         // a pawn goes two squares
	mark                               // '*' of locking and superchess, '_' of meirav
	fromAir                            // '^' of flying, at the departure
	toAir                              // '^' of flying, at the arrival
	headbutt                           // flying 7.4: the piece stays and takes what flies above it
)

// From is the square the piece leaves (of a headbutt, where it stays).
func (m Move) From() Square { return Square(m & 63) }

// To is the square the piece arrives on; of castling, where the king arrives.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Promotion is the kind a pawn becomes by this move, NoKind if it stays what it is.
func (m Move) Promotion() Kind { return Kind(m >> 12 & 7) }

// Count is how many of the top pieces of the stack move, 1 or more; 0 if the whole stack moves.
func (m Move) Count() int { return int(m >> 15 & 31) }

// IsCapture reports whether the move takes a piece.
func (m Move) IsCapture() bool { return m&capture != 0 }

// IsCastling reports whether the move is castling or castlock.
func (m Move) IsCastling() bool { return m&castle != 0 }

// IsEnPassant reports whether the move is a capture in passing or an overlay in passing (locking).
func (m Move) IsEnPassant() bool { return m&enPassant != 0 }

// IsMarked reports whether the coordinate form ends in '*' or in '_'. '*' is for locking and superchess: a piece that
// stood on the destination still stands there. '_' is for meirav: a capture on the bottom board.
func (m Move) IsMarked() bool { return m&mark != 0 }

// FromAir and ToAir report whether the piece flies before and after the move (flying).
func (m Move) FromAir() bool { return m&fromAir != 0 }

// ToAir reports whether the piece flies after the move (flying).
func (m Move) ToAir() bool { return m&toAir != 0 }

// IsHeadbutt reports whether the piece takes the flyer above it and stays where it is (flying).
func (m Move) IsHeadbutt() bool { return m&headbutt != 0 }

func move(from, to Square) Move { return Move(from) | Move(to)<<6 }

func promote(k Kind) Move { return Move(k) << 12 }

func count(k int) Move { return Move(k) << 15 }

// Coord is the coordinate form of a move of this position (RULES 2.2), which is unique among its legal moves.
func (p *Position) Coord(m Move) string {
	b := make([]byte, 0, 12)
	b = append(b, m.From().String()...)
	switch {
	case m.IsHeadbutt():
		b = append(b, 'x')
	case m.FromAir():
		b = append(b, '^')
	}
	b = append(b, m.To().String()...)
	if m.ToAir() || m.IsHeadbutt() {
		b = append(b, '^')
	}
	if k := m.Promotion(); k != NoKind {
		b = append(b, k.letter()+'a'-'A')
	}
	if k := m.Count(); k != 0 {
		b = append(b, ':')
		if k > 9 {
			b = append(b, '0'+byte(k/10))
		}
		b = append(b, '0'+byte(k%10))
	}
	if m.IsMarked() {
		b = append(b, p.rules().mark)
	}
	return string(b)
}
