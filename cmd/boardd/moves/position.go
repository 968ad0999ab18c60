// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/rules/search/mate"
	"boardd/rules/search/problems"
)

// List prints the legal moves, sorted.
func List(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("moves", flag.ContinueOnError)
	position, drawn := variantFlag(f), drawFlag(f)
	san := f.Bool("san", false, "print the SAN of each move after it")
	fen, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	board, err := drawn(s.Out)
	if err != nil {
		return err
	}
	p, err := position(s.Err, fen)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.Out)
	if board {
		draw(out, &p, p.Result(), cli.Colors(s.Out))
	}
	names := sortedMoves(&p)
	for _, m := range names {
		if *san {
			m += "\t" + sanOf(&p, m)
		}
		fmt.Fprintln(out, m)
	}
	if r := p.Result(); len(names) == 0 && !board {
		fmt.Fprintf(s.Err, "moves: none: %s: %s\n", outcome(&p, r), r)
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

// sanOf is how people write a legal move that is given in coordinate form.
func sanOf(p *rules.Position, coord string) string {
	m, err := p.ParseMove(coord)
	if err != nil {
		return ""
	}
	return p.SAN(m)
}

// maxDepth bounds perft: a slip of the finger should be told at once.
const maxDepth = 30

// Perft prints the number of leaf nodes.
func Perft(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("perft", flag.ContinueOnError)
	position := variantFlag(f)
	depth := f.Int("depth", -1, "plies, 0 to 30")
	divide := f.Bool("divide", false, "list the count of each first move")
	fen, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if *depth < 0 || *depth > maxDepth {
		return cli.Misuse("--depth is missing or out of range: give 0 to %d", maxDepth)
	}
	p, err := position(s.Err, fen)
	if err != nil {
		return err
	}
	return printPerft(ctx, s, p, *depth, *divide)
}

// printPerft counts one pair of moves after the other, so that it can be stopped and can show its progress.
func printPerft(ctx context.Context, s cli.Std, p rules.Position, depth int, divide bool) error {
	if depth == 0 {
		_, err := fmt.Fprintln(s.Out, 1)
		return err
	}
	far := cli.NewProgress(s.Err)
	defer far.Done()
	var sum uint64
	first := sortedMoves(&p)
	for i, name := range first {
		q, err := after(p, name)
		if err != nil {
			return err
		}
		n, err := counted(ctx, &q, depth-1, func() { far.Say("%d of %d first moves, %d positions", i, len(first), sum) })
		if err != nil {
			return err
		}
		sum += n
		if divide {
			fmt.Fprintf(s.Out, "%s: %d\n", name, n)
		}
	}
	far.Done()
	_, err := fmt.Fprintln(s.Out, sum)
	return err
}

// sure is the depth of a perft that no signal has to wait for: it takes a fraction of a second.
const sure = 4

// counted is perft, with a word after each move. It ends at a signal.
func counted(ctx context.Context, p *rules.Position, depth int, say func()) (sum uint64, err error) {
	if depth == 0 {
		return 1, nil
	}
	for _, m := range p.AppendMoves(nil) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		q := *p
		q.Play(m)
		n := uint64(0)
		if depth > sure {
			n, err = counted(ctx, &q, depth-1, say)
		} else {
			n = rules.Perft(q, depth-1)
		}
		if err != nil {
			return 0, err
		}
		sum += n
		say()
	}
	return sum, nil
}

// after is the position after a move.
func after(p rules.Position, name string) (rules.Position, error) {
	m, err := p.ParseMove(name)
	if err == nil {
		p.Play(m)
	}
	return p, err
}

// Play plays moves and prints the resulting position.
func Play(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("play", flag.ContinueOnError)
	position, drawn := variantFlag(f), drawFlag(f)
	fen := f.String("fen", "", "the position to start from, as stack FEN")
	words, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	board, err := drawn(s.Out)
	if err != nil {
		return err
	}
	start, err := position(s.Err, []string{*fen})
	if errors.As(err, new(cli.Usage)) {
		return err
	} else if err != nil {
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
	end := g.End()
	if wrong := (*pgn.Error)(nil); errors.As(err, &wrong) && moveLike.MatchString(wrong.What) {
		if r := resultOf(&g); r != rules.Playing {
			wrong.Err = fmt.Errorf("the game is over before it: %s: %s", outcome(&end, r), r)
		}
	}
	if err != nil {
		return err
	}
	if board {
		if err := draw(s.Out, &end, resultOf(&g), cli.Colors(s.Out)); err != nil {
			return err
		}
	}
	return printGame(s.Out, &g)
}

// moveLike finds what is written like a move: with a square that there is, or as castling. What is not written so is
// wrong because of that, also after the end of a game.
var moveLike = regexp.MustCompile(`^move .*([a-h][1-8]|[O0]-[O0])`)

func printGame(w io.Writer, g *pgn.Game) error {
	san := make([]string, len(g.Plies))
	for i := range g.Plies {
		san[i] = g.Plies[i].SAN
	}
	end := g.End()
	r, over := resultOf(g), ""
	if r != rules.Playing {
		over = "outcome: " + outcome(&end, r) + "\n"
	}
	_, err := fmt.Fprintf(w, "san: %s\nfen: %s\n%sresult: %s\n", strings.Join(san, " "), end.FEN(), over, r)
	return err
}

// resultOf is the result of a line of moves, from its last position or from a repetition on the way (RULES 8).
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

// ProveMate prints every first move that mates in this many moves, and in how many it does.
func ProveMate(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("mate", flag.ContinueOnError)
	position := variantFlag(f)
	n := f.Int("in", 0, fmt.Sprintf("moves of the side to move, 1 to %d; each one more takes some forty times as long",
		mate.Most))
	fen, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if *n < 1 || *n > mate.Most {
		return cli.Misuse("--in is missing or out of range: give 1 to %d", mate.Most)
	}
	if strings.TrimSpace(strings.Join(fen, " ")) == "" {
		return cli.Misuse("the position is missing: give a stack FEN, or startpos")
	}
	p, err := position(s.Err, fen)
	if err != nil {
		return err
	}
	solver := mate.New(proverBytes)
	far := cli.NewProgress(s.Err)
	if err := ctx.Err(); err != nil { // from here on a signal ends the proof, and not the program
		return err
	}
	solver.Stop = func() bool { far.Say("looking for mates in %d moves", *n); return ctx.Err() != nil }
	found, whole := solver.Mates(p, *n)
	far.Done()
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
