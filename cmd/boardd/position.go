// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"boardd/cmd/boardd/engine"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/rules/search/mate"
	"boardd/rules/search/problems"
)

// variantFlag adds --variant to the flags; the function gives the rule set after parsing.
func variantFlag(f *flag.FlagSet) func() (*rules.Variant, error) {
	id := f.String("variant", "", "the rule set: "+variantIDs())
	return func() (*rules.Variant, error) {
		if *id == "" {
			return nil, misuse("--variant is missing: it is one of %s", variantIDs())
		}
		v, err := rules.ByID(*id)
		if err != nil {
			return nil, usage{err}
		}
		return v, nil
	}
}

func variantIDs() string {
	var ids []string
	for _, v := range rules.Variants() {
		ids = append(ids, v.ID())
	}
	return strings.Join(ids, " ")
}

// positionOf reads a FEN given as one argument or as its fields; without one it is the opening position.
func positionOf(v *rules.Variant, fen []string) (rules.Position, error) {
	text := strings.TrimSpace(strings.Join(fen, " "))
	if text == "" || text == "startpos" {
		return v.Start(), nil
	}
	return v.ParseFEN(text)
}

// moves prints the legal moves, sorted.
func moves(_ context.Context, s std, args []string) error {
	f := flag.NewFlagSet("moves", flag.ContinueOnError)
	variant := variantFlag(f)
	fen, err := parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	p, err := positionOf(v, fen)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.out)
	for _, m := range sortedMoves(&p) {
		fmt.Fprintln(out, m)
	}
	return out.Flush()
}

func sortedMoves(p *rules.Position) []string {
	var names []string
	for _, m := range p.AppendMoves(nil) {
		names = append(names, p.Coord(m))
	}
	slices.Sort(names)
	return names
}

// maxDepth bounds perft: no machine finishes a greater one, and a slip of the finger should say so at once.
const maxDepth = 30

// perft prints the number of leaf nodes.
func perft(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("perft", flag.ContinueOnError)
	variant := variantFlag(f)
	depth := f.Int("depth", -1, "plies, 0 to 30")
	divide := f.Bool("divide", false, "list the count of each first move")
	fen, err := parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	if *depth < 0 || *depth > maxDepth {
		return misuse("--depth is missing or out of range: give 0 to %d", maxDepth)
	}
	p, err := positionOf(v, fen)
	if err != nil {
		return err
	}
	return printPerft(ctx, s.out, p, *depth, *divide)
}

func printPerft(ctx context.Context, w io.Writer, p rules.Position, depth int, divide bool) error {
	if !divide || depth == 0 {
		_, err := fmt.Fprintln(w, rules.Perft(p, depth))
		return err
	}
	var sum uint64
	for _, name := range sortedMoves(&p) {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := p.ParseMove(name)
		if err != nil {
			return err
		}
		q := p
		q.Play(m)
		n := rules.Perft(q, depth-1)
		sum += n
		fmt.Fprintf(w, "%s: %d\n", name, n)
	}
	_, err := fmt.Fprintln(w, sum)
	return err
}

// play plays moves and prints what came of it.
func play(_ context.Context, s std, args []string) error {
	f := flag.NewFlagSet("play", flag.ContinueOnError)
	variant := variantFlag(f)
	fen := f.String("fen", "", "the position to start from, as stack FEN")
	words, err := parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	start, err := positionOf(v, []string{*fen})
	if err != nil {
		return fmt.Errorf("--fen: %w", err)
	}
	var text io.Reader = strings.NewReader(strings.Join(words, " "))
	if slices.Contains(words, "-") {
		if len(words) > 1 {
			return misuse("give the moves either as arguments or, with -, on standard input")
		}
		text = s.in
	}
	g, err := pgn.ReadMoves(text, start)
	if err != nil {
		return err
	}
	return printGame(s.out, &g)
}

func printGame(w io.Writer, g *pgn.Game) error {
	san := make([]string, len(g.Plies))
	for i := range g.Plies {
		san[i] = g.Plies[i].SAN
	}
	end := g.End()
	_, err := fmt.Fprintf(w, "san: %s\nfen: %s\nresult: %s\n", strings.Join(san, " "), end.FEN(), resultOf(g))
	return err
}

// resultOf is the word for how a line of moves stands: by its last position, or by what repeated on the way (RULES 8).
func resultOf(g *pgn.Game) rules.Result {
	end := g.End()
	if r := end.Result(); r != rules.Playing {
		return r
	}
	if end.HalfMoves() >= 150 {
		return rules.SeventyFiveMoves
	}
	times, p := 0, g.Start
	for i := range len(g.Plies) + 1 {
		if p.Key() == end.Key() && repetitionFields(&p) == repetitionFields(&end) {
			times++
		}
		if i < len(g.Plies) {
			p.Play(g.Plies[i].Move)
		}
	}
	if times >= 5 {
		return rules.FivefoldRepetition
	}
	return rules.Playing
}

// repetitionFields is the first four fields of the FEN: what counts for repetition (RULES 2.1).
func repetitionFields(p *rules.Position) string {
	f := strings.Fields(p.FEN())
	return strings.Join(f[:4], " ")
}

// playEngine is the command engine.
func playEngine(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("engine", flag.ContinueOnError)
	if rest, err := parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return misuse("%q is too much: what is to be done comes on standard input, in UCI", rest[0])
	}
	return engine.Run(ctx, s.in, s.out, version)
}

// proverBytes is the table of the prover.
const proverBytes = 64 << 20

// proveMate prints every first move that mates in so many moves, and in how many it does.
func proveMate(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("mate", flag.ContinueOnError)
	variant := variantFlag(f)
	n := f.Int("in", 0, fmt.Sprintf("moves of the side to move, 1 to %d; each one more takes some forty times as long", mate.Most))
	fen, err := parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	if *n < 1 || *n > mate.Most {
		return misuse("--in is missing or out of range: give 1 to %d", mate.Most)
	}
	if strings.TrimSpace(strings.Join(fen, " ")) == "" {
		return misuse("the position is missing: give a stack FEN, or startpos")
	}
	p, err := positionOf(v, fen)
	if err != nil {
		return err
	}
	solver := mate.New(proverBytes)
	solver.Stop = func() bool { return ctx.Err() != nil }
	found, whole := solver.Mates(p, *n)
	for _, m := range found {
		fmt.Fprintf(s.out, "mate in %d: %s\n", m.In, p.Coord(m.Move))
	}
	if !whole {
		return fmt.Errorf("stopped before all was proven: %w", ctx.Err())
	}
	if len(found) == 0 {
		_, err = fmt.Fprintf(s.out, "no mate in %d\n", *n)
	}
	return err
}

// printProblems prints the problems that come with the program.
func printProblems(_ context.Context, s std, args []string) error {
	f := flag.NewFlagSet("problems", flag.ContinueOnError)
	variant := variantFlag(f)
	if rest, err := parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return misuse("%q is too much", rest[0])
	}
	v, err := variant()
	if err != nil {
		return err
	}
	list, err := problems.Of(v)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.out)
	for _, p := range list {
		fmt.Fprintln(out, p)
	}
	return out.Flush()
}
