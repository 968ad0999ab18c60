// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"boardd/rules"
	"boardd/rules/search/eval"
	"boardd/rules/search/nets"
)

// settings are what the command line says.
type settings struct {
	dir         string
	seed        uint64
	from        int // the generation that the networks of the program count as; 0 begins by hand
	generations int
	positions   int
	nodes       int
	epochs      int
	games       int
	play        int
	jobs        int       // files of positions that are played at once
	chunk       int       // positions in a file: what is lost when the command is stopped
	far         io.Writer // is told how far the work has come
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := settings{chunk: 20000, far: os.Stderr}
	ids := flag.String("variants", "chess,locking,meirav,pillar,superchess,flying",
		"the games, in the order in which they are trained")
	flag.StringVar(&s.dir, "dir", "build/train", "where everything is kept")
	flag.Uint64Var(&s.seed, "seed", 1, "the seed of all that is drawn")
	flag.IntVar(&s.from, "from", 0, "begin after this generation, which is the networks that come with the program; 0 "+
		"begins by hand")
	flag.IntVar(&s.generations, "generations", 4, "the last generation that is made")
	flag.IntVar(&s.positions, "positions", 1000000, "positions of self-play in each generation")
	flag.IntVar(&s.nodes, "nodes", 1000, "nodes a move in self-play")
	flag.IntVar(&s.epochs, "epochs", 16, "how often the network sees each position")
	flag.IntVar(&s.games, "games", 400, "games of the match against the generation before")
	flag.IntVar(&s.play, "play", 2000, "nodes a move in that match")
	flag.IntVar(&s.jobs, "jobs", 1, "files of positions that are played at once; "+
		"the networks are the same with any number")
	flag.Parse()
	if s.jobs < 1 {
		fmt.Fprintf(os.Stderr, "train: -jobs %d: want 1 or more\n", s.jobs)
		os.Exit(2)
	}
	if err := s.run(ctx, strings.Split(*ids, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func (s *settings) run(ctx context.Context, ids []string) error {
	for generation := s.from + 1; generation <= s.generations; generation++ {
		for _, id := range ids {
			v, err := rules.ByID(id)
			if err != nil {
				return err
			}
			if err := s.generation(ctx, v, generation); err != nil {
				return fmt.Errorf("%s, generation %d: %w", v, generation, err)
			}
		}
	}
	return nil
}

// generation makes one generation of one game, or leaves it if it is there already.
func (s *settings) generation(ctx context.Context, v *rules.Variant, n int) error {
	dir := filepath.Join(s.dir, v.ID(), fmt.Sprint(n))
	if _, err := os.Stat(filepath.Join(dir, "match.txt")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	before, err := s.best(v, n-1)
	if err != nil {
		return err
	}
	samples, err := s.selfPlay(ctx, v, before, n, dir)
	if err != nil {
		return err
	}
	w, err := s.fit(ctx, v, samples, n, dir)
	if err != nil {
		return err
	}
	return s.judge(ctx, v, eval.Net(v, w), before, n, dir)
}

// best is the evaluation that stands after this many generations: the last network that won its match, or that with
// which the run began.
func (s *settings) best(v *rules.Variant, n int) (*eval.Eval, error) {
	for ; n > s.from; n-- {
		dir := filepath.Join(s.dir, v.ID(), fmt.Sprint(n))
		verdict, err := os.ReadFile(filepath.Join(dir, "match.txt"))
		if err != nil || !strings.HasPrefix(string(verdict), accepted) {
			continue
		}
		file, err := os.ReadFile(filepath.Join(dir, netFile))
		if err != nil {
			return nil, err
		}
		w, err := eval.ReadWeights(v, file)
		if err != nil {
			return nil, err
		}
		return eval.Net(v, w), nil
	}
	if s.from > 0 {
		return nets.Of(v), nil
	}
	return eval.Handcrafted(v), nil
}

// netFile is the name of a generation's network.
const netFile = "net"

// progress draws a bar for a step that is done to a part, 0 to 1.
func (s *settings) progress(v *rules.Variant, generation int, step string, part float64, note string) {
	const width = 30
	full := int(part * width)
	fmt.Fprintf(s.far, "\r%-11s %d %-9s [%s%s] %3.0f %% %s\033[K", v, generation, step,
		strings.Repeat("#", full), strings.Repeat(".", width-full), 100*part, note)
	if part >= 1 {
		fmt.Fprintln(s.far)
	}
}
