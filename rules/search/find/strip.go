// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/mate"
	"boardd/rules/search/problems"
)

// mostPieces is how many pieces a problem may have, so that it is soon set up by hand.
const mostPieces = 16

// finder makes problems of positions.
type finder struct {
	variant  *rules.Variant
	solver   *mate.Solver
	material *search.Search
	known    map[string]bool // placements there are already
}

func newFinder(v *rules.Variant, list []problems.Problem) *finder {
	f := &finder{variant: v, solver: mate.New(16 << 20), material: search.New(eval.Material(v), 1<<20),
		known: map[string]bool{}}
	for _, p := range list {
		f.known[placementOf(p.FEN)] = true
	}
	return f
}

func placementOf(fen string) string { p, _, _ := strings.Cut(fen, " "); return p }

// makeProblem makes a problem of a position, if exactly one first move mates in this many moves and none sooner.
func (f *finder) makeProblem(p rules.Position, in int) (problems.Problem, bool) {
	key, ok := f.onlyKey(&p, in)
	if !ok {
		return problems.Problem{}, false
	}
	d := diagramOf(&p)
	p, d = f.strip(p, d, in, key)
	if d.countPieces() > mostPieces || f.known[placementOf(p.FEN())] || takesQueen(&p, key) {
		return problems.Problem{}, false
	}
	f.known[placementOf(p.FEN())] = true
	return problems.Problem{FEN: p.FEN(), In: in, Key: p.Coord(key), Effort: f.effort(p, key)}, true
}

// onlyKey is the only first move that mates in this many moves, if there is just one and none mates sooner.
func (f *finder) onlyKey(p *rules.Position, in int) (rules.Move, bool) {
	if k, _ := f.solver.MateIn(*p, in); k != in {
		return rules.NoMove, false
	}
	found, _ := f.solver.Mates(*p, in)
	return found[0].Move, len(found) == 1
}

// strip takes pieces and rights away as long as the mate, its key and the position's legality stay.
func (f *finder) strip(p rules.Position, d diagram, in int, key rules.Move) (rules.Position, diagram) {
	d.rest = "- - 0 1"
	if q, ok := f.keepsKey(&d, in, p.Coord(key)); ok {
		p = q
	} else {
		d = diagramOf(&p)
	}
	for again := true; again; {
		again = false
		for s := range rules.NoSquare {
			for i := len(d.stacks[s]) - 1; i >= 0; i-- {
				less, ok := d.without(s, i)
				if !ok {
					continue
				}
				if q, ok := f.keepsKey(&less, in, p.Coord(key)); ok {
					p, d, again = q, less, true
				}
			}
		}
	}
	return p, d
}

// keepsKey reads the diagram, and reports whether it is legal and has the same single key.
func (f *finder) keepsKey(d *diagram, in int, key string) (rules.Position, bool) {
	p, err := f.variant.ParseFEN(d.fen())
	if err != nil {
		return p, false
	}
	m, ok := f.onlyKey(&p, in)
	return p, ok && p.Coord(m) == key
}

// takesQueen reports whether the key is too plain: it takes a queen.
func takesQueen(p *rules.Position, key rules.Move) bool {
	if !key.IsCapture() {
		return false
	}
	for _, pc := range p.AppendStack(nil, key.To()) {
		if pc == rules.NewPiece(p.Turn().Other(), rules.Queen) {
			return true
		}
	}
	return false
}

// effort is how many positions a search that counts material looks at until it finds the key and stays with it.
func (f *finder) effort(p rules.Position, key rules.Move) int {
	found := 0
	f.material.Run(p, nil, search.Limits{Nodes: 1_000_000, ClearTable: true}, func(i search.Info) bool {
		switch {
		case i.Move() != key:
			found = 0
		case found == 0:
			found = int(i.Nodes)
		}
		return true
	})
	if found == 0 {
		return 1_000_000
	}
	return found
}

// diagram is a position whose pieces can be taken away.
type diagram struct {
	stacks [64][]rules.Piece
	turn   string
	rest   string // castling, en passant and the counters
	gaps   bool   // flying: a piece may fly above nothing
}

func diagramOf(p *rules.Position) (d diagram) {
	for s := range rules.NoSquare {
		d.stacks[s] = p.AppendStack(nil, s)
	}
	f := strings.Fields(p.FEN())
	d.turn, d.rest = f[1], strings.Join(f[2:], " ")
	d.gaps = p.Variant().Pedestals()
	return d
}

// without is the diagram without a piece; kings and gaps stay.
func (d diagram) without(s rules.Square, i int) (diagram, bool) {
	stack := d.stacks[s]
	if i >= len(stack) || stack[i] == rules.NoPiece || stack[i].Kind() == rules.King {
		return d, false
	}
	var less []rules.Piece
	for j, pc := range stack {
		switch {
		case j != i:
			less = append(less, pc)
		case d.gaps && i == 0 && len(stack) > 1:
			less = append(less, rules.NoPiece)
		}
	}
	if d.gaps && len(less) == 1 && less[0] == rules.NoPiece {
		less = nil
	}
	d.stacks[s] = less
	return d, true
}

func (d *diagram) countPieces() (n int) {
	for _, stack := range d.stacks {
		for _, pc := range stack {
			if pc != rules.NoPiece {
				n++
			}
		}
	}
	return n
}

// fen is the diagram as stack FEN (RULES 2.1).
func (d *diagram) fen() string {
	var ranks []string
	for rank := 7; rank >= 0; rank-- {
		text, empty := "", 0
		for file := range 8 {
			stack := d.stacks[rules.SquareAt(file, rank)]
			if len(stack) == 0 {
				empty++
				continue
			}
			if empty > 0 {
				text, empty = text+fmt.Sprint(empty), 0
			}
			letters := ""
			for _, pc := range stack {
				letters += string(pc.Letter())
			}
			if len(stack) > 1 {
				letters = "[" + letters + "]"
			}
			text += letters
		}
		if empty > 0 {
			text += fmt.Sprint(empty)
		}
		ranks = append(ranks, text)
	}
	return strings.Join(ranks, "/") + " " + d.turn + " " + d.rest
}
