// SPDX-License-Identifier: Apache-2.0

// Package rules plays six chess variants whose pieces stand on one another, exactly and fast. It has positions, legal
// moves, both notations, results, and the reason why a move is not legal. It does no I/O, starts no goroutine and
// knows no history (rules/game does).
//
// # A tour
//
//	v, err := rules.ByID("locking")            // one of Variants
//	p := v.Start()                             // or v.ParseFEN(stack FEN); a Position is a value
//	for _, m := range p.AppendMoves(nil) {     // legal moves
//		fmt.Println(p.Coord(m), p.SAN(m))      // e2e4 and e4; f3g1* and Ng1*
//	}
//	m, err := p.ParseMove("Qe8*")              // either notation; the error says why not
//	p.Play(m)                                  // take it back by keeping a copy of p
//	fmt.Println(p.FEN(), p.Result())
//
// Sections in comments, as in "(3.7)", are those of RULES.md beside this file, the reading of the inventors' texts
// that this package follows. Each game stands in one file, to be read with its section beside it:
//
//	chess.go       orthodox chess, which the others change
//	locking.go     3  Locking Chess (Luciano Imoto)
//	meirav.go      4  Meirav, on two boards (Dotan Cohen)
//	pillar.go      5  Pillar Chess (Sergey Sirotkin), and its liberal split rule, a setting
//	superchess.go  6  Superchess (John Montagna)
//	flying.go      7  Flying Chess (David Eltis)
//
// # Words
//
//   - square: one of the 64; what stands on it is a stack, be it of one piece.
//   - deck: one of the two physical boards of a twin board. This package has levels instead; which level lies on which
//     deck is the affair of sensing.
//   - level: lower or upper. On the lower one, pieces stand on the board: singles and what is locked (locking,
//     superchess), what is buried (meirav), the ground (flying), the tops of all stacks (pillar). On the upper one
//     stand overlaid pieces, the top board, flyers.
//   - stack: all pieces of one square, from bottom to top; its top is the piece that controls it.
//   - free: alone on its square. Locked: under another piece. Overlaid: on another piece.
//   - lift, place, rest: what hands do to the wood; here only AppendWoods speaks of the wood, the pieces themselves.
//   - ply: one move of one side.
//   - plain and marked: a move whose coordinate form has no mark, and one that ends in '*' or '_' (2.2).
//
// # How it is built
//
// Speed comes from words of 64 bits, one bit a square, and legality from masks; reading comes from there being one
// text for each rule. Four things let both be had.
//
// A [Position] is a flat value. Each level is four words, the four bits of the piece on each square (level). The
// stacks of Pillar Chess are one row of 32 half-bytes (pile). A move copies 120 bytes and turns a few bits.
//
// A rule set speaks to a sink in sets: "the knight on g1 may go to these squares". To count, the sink adds up the
// sizes of the sets, and no move is ever built. To list, it takes them apart. With the loose sink the same text lists
// the moves that fail only because of the king, from which Why finds its reasons. So counting at the last ply is fast,
// and there is no second text of the rules that could differ from the first.
//
// Legality is computed before the moves. It has three parts. Which enemies check says where a move must go. Which
// pieces are pinned, and along which line, says where these may go. The third part is what a piece uncovers by
// leaving. Some cases are too rare to be worth a mask, such as a capture in passing or a piece climbing on its own
// king. They are tried on a copy.
//
// A [Variant] is data and a few functions. There are moves, wood (what a move does to the pieces and the rights),
// passing (the answers to a double step) and checkers. Some more are for notation and set-up. Position.Play, FEN, SAN,
// parsing, results and reasons are the same for all. A seventh game is one file and one line in variants.
//
// # Chosen readings
//
// Where a source is silent, RULES.md chooses, and a test pins it (chosen_test.go):
//
//   - 2.3: in Flying Chess a rook, bishop or knight that rises straight up to take a flyer is written Re1xe1^, and its
//     headbutt Rxe1^.
//   - 3.4: in Locking Chess a pawn that climbed with its double step cannot be taken in passing.
//   - 4.4: in Meirav a pawn taken in passing is buried under its capturer, on the square passed.
//   - 4.5: in Meirav a pawn promotes on the bottom board too.
//   - 5.5: bare kings are no dead position in Pillar Chess.
//   - 6.2: in Superchess a pawn occupies an enemy rook by its capturing move, an own rook by its advance.
//   - 6.6: in Superchess occupying, or taking only a superpiece, does not promote; capture in passing is for free
//     pawns and for superpawns that leave, not for units, and only after a free pawn's double step onto an empty
//     square.
//   - 7.3: in Flying Chess a knight may descend with its knight's move, whatever flies over the target.
//
// Where RULES.md is silent too, this package chooses:
//
//   - A move that still shares its notation after its whole square of departure was written is written in coordinates.
//   - A free pawn that occupies a rook is written with its file, as the source's own "doe5": eoe4, doe5, dxoe5.
//   - A pawn's diagonal step without capture (Locking Chess) names its file only if another pawn could be meant.
package rules
