// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/rules/search/mate"
	"boardd/rules/search/problems"
)

// positionOf reads a FEN given as one argument or as its fields; without one it is the opening position.
func positionOf(v *rules.Variant, fen []string) (rules.Position, error) {
	text := strings.TrimSpace(strings.Join(fen, " "))
	if text == "" || text == "startpos" {
		return v.Start(), nil
	}
	return v.ParseFEN(text)
}

// List prints the legal moves, sorted.
func List(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("moves", flag.ContinueOnError)
	variant := cli.VariantFlag(f)
	fen, err := cli.Parse(f, s, args)
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
	out := bufio.NewWriter(s.Out)
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

// Perft prints the number of leaf nodes.
func Perft(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("perft", flag.ContinueOnError)
	variant := cli.VariantFlag(f)
	depth := f.Int("depth", -1, "plies, 0 to 30")
	divide := f.Bool("divide", false, "list the count of each first move")
	fen, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	if *depth < 0 || *depth > maxDepth {
		return cli.Misuse("--depth is missing or out of range: give 0 to %d", maxDepth)
	}
	p, err := positionOf(v, fen)
	if err != nil {
		return err
	}
	return printPerft(ctx, s.Out, p, *depth, *divide)
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

// Play plays moves and prints what came of it.
func Play(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("play", flag.ContinueOnError)
	variant := cli.VariantFlag(f)
	fen := f.String("fen", "", "the position to start from, as stack FEN")
	words, err := cli.Parse(f, s, args)
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
			return cli.Misuse("give the moves either as arguments or, with -, on standard input")
		}
		text = s.In
	}
	g, err := pgn.ReadMoves(text, start)
	if err != nil {
		return err
	}
	return printGame(s.Out, &g)
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

// proverBytes is the table of the prover.
const proverBytes = 64 << 20

// ProveMate prints every first move that mates in so many moves, and in how many it does.
func ProveMate(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("mate", flag.ContinueOnError)
	variant := cli.VariantFlag(f)
	n := f.Int("in", 0, fmt.Sprintf("moves of the side to move, 1 to %d; each one more takes some forty times as long", mate.Most))
	fen, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	if *n < 1 || *n > mate.Most {
		return cli.Misuse("--in is missing or out of range: give 1 to %d", mate.Most)
	}
	if strings.TrimSpace(strings.Join(fen, " ")) == "" {
		return cli.Misuse("the position is missing: give a stack FEN, or startpos")
	}
	p, err := positionOf(v, fen)
	if err != nil {
		return err
	}
	solver := mate.New(proverBytes)
	solver.Stop = func() bool { return ctx.Err() != nil }
	found, whole := solver.Mates(p, *n)
	for _, m := range found {
		fmt.Fprintf(s.Out, "mate in %d: %s\n", m.In, p.Coord(m.Move))
	}
	if !whole {
		return fmt.Errorf("stopped before all was proven: %w", ctx.Err())
	}
	if len(found) == 0 {
		_, err = fmt.Fprintf(s.Out, "no mate in %d\n", *n)
	}
	return err
}

// PrintProblems prints the problems that come with the program.
func PrintProblems(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("problems", flag.ContinueOnError)
	variant := cli.VariantFlag(f)
	if rest, err := cli.Parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return cli.Misuse("%q is too much", rest[0])
	}
	v, err := variant()
	if err != nil {
		return err
	}
	list, err := problems.Of(v)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	for _, p := range list {
		fmt.Fprintln(out, p)
	}
	return out.Flush()
}
