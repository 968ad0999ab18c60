// SPDX-License-Identifier: Apache-2.0

package games

import (
	"fmt"
	"strconv"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/sync/seal"
)

// A board's key may have signed one game in two ways, a different one for each reader. Each file of it verifies. The
// two together show it.

// copies compares the records of games that came from several readers.
type copies struct {
	kept map[turn]*record
	two  map[string]bool // ids of games of which two records differ
}

// turn is a game after so many takebacks. Lists from before a takeback and after it may differ.
type turn struct {
	id        string
	takebacks int
}

// record is how a file tells a game.
type record struct {
	file  string
	check *checker
	moves int // how many of its moves were signed after so many takebacks
}

// add says how a record differs from those before it, in words; "" if each may be a part of the same game. Only
// records that are signed as they stand are compared.
func (c *copies) add(file string, k *checker, signed bool) string {
	id := k.game.ID
	if !signed || id == "" || c.two[id] {
		return ""
	}
	for takebacks, n := range k.reach() {
		at := turn{id, takebacks}
		mine := &record{file, k, n}
		was := c.kept[at]
		if was == nil {
			c.kept[at] = mine
			continue
		}
		if text := was.differs(mine); text != "" {
			c.two[id] = true
			return fmt.Sprintf("game %s is told in two ways: %s", id, text)
		}
		if n > was.moves || was.check.game.Outcome == "" {
			c.kept[at] = mine
		}
	}
	return ""
}

// reach is how many of the moves were signed after each number of takebacks.
func (c *checker) reach() map[int]int {
	moves := map[int]int{c.game.Takebacks: len(c.game.Moves)}
	for i, ply := range c.pgn.Plies {
		if m := stampForm.FindStringSubmatch(ply.Comment); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				moves[n] = max(moves[n], i+1)
			}
		}
	}
	return moves
}

// differs says what two records of a game, after as many takebacks, say differently; "" for nothing.
func (r *record) differs(o *record) string {
	a, b := &r.check.game, &o.check.game
	if a.Variant != b.Variant || a.White != b.White || a.Black != b.Black || a.Start != b.Start {
		return fmt.Sprintf("in %s and in %s it begins differently%s", r.file, o.file, r.signers(o, "white", "black"))
	}
	p := r.check.pgn.Start
	for i := range min(r.moves, o.moves) {
		if a.Moves[i] != b.Moves[i] {
			side := string(game.SideOf(p.Turn()))
			return fmt.Sprintf("%s has %s, %s has %s%s", r.file, moveName(&p, &r.check.pgn.Plies[i]), o.file,
				moveName(&p, &o.check.pgn.Plies[i]), r.signers(o, side))
		}
		p.Play(r.check.pgn.Plies[i].Move)
	}
	if a.Takebacks == b.Takebacks && a.Outcome != "" && b.Outcome != "" &&
		(a.Outcome != b.Outcome || a.Reason != b.Reason) {
		return fmt.Sprintf("%s has %s by %s, %s has %s by %s%s", r.file, a.Outcome, dash(a.Reason), o.file, b.Outcome,
			dash(b.Reason), r.signers(o, "white", "black"))
	}
	return ""
}

// signers says who signed both records, of these sides. Nobody has if the keys differ.
func (r *record) signers(o *record, sides ...string) string {
	text := ""
	for _, side := range sides {
		a, b := r.check.seals[side], o.check.seals[side]
		if a.Key.Equal(b.Key) {
			text += fmt.Sprintf("; %s signed both by the key %s", side, seal.Fingerprint(a.Key))
		} else {
			text += fmt.Sprintf("; %s signed by the keys %s and %s", side, seal.Fingerprint(a.Key), seal.Fingerprint(b.Key))
		}
	}
	return text
}

// label names a game of a file that may have more than one.
func label(file string, number, of int) string {
	if of == 1 {
		return file
	}
	return fmt.Sprintf("%s (game %d)", file, number)
}

// newCopies is before any record came.
func newCopies() *copies { return &copies{kept: map[turn]*record{}, two: map[string]bool{}} }

// moveName is a move with its number, as a game file has it.
func moveName(p *rules.Position, ply *pgn.Ply) string {
	dots := "."
	if p.Turn() == rules.Black {
		dots = "..."
	}
	return fmt.Sprintf("%d%s%s", p.MoveNumber(), dots, p.SAN(ply.Move))
}
