// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
	"boardd/rules/search/problems"
)

// settings are what the command line says.
type settings struct {
	dir     string
	seed    uint64
	wanted  map[int]int // how many problems of each length
	perGame time.Duration
	far     io.Writer // is told how far it is
}

func main() {
	s := settings{far: os.Stderr}
	ids := flag.String("variants", "chess,locking,meirav,pillar,pillar-liberal,superchess,flying", "the games")
	flag.StringVar(&s.dir, "dir", "rules/search/problems", "where the files are")
	flag.Uint64Var(&s.seed, "seed", 1, "the seed of all that is drawn")
	two := flag.Int("two", 200, "how many mates in two each game gets")
	three := flag.Int("three", 50, "how many mates in three")
	flag.DurationVar(&s.perGame, "budget", 10*time.Minute, "how long to look in each game")
	flag.Parse()
	s.wanted = map[int]int{2: *two, 3: *three}
	for _, id := range strings.Split(*ids, ",") {
		v, err := rules.ByID(id)
		if err == nil {
			err = s.findProblems(v)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "find:", err)
			os.Exit(1)
		}
	}
}

// findProblems looks for the problems of one game and writes its file.
func (s *settings) findProblems(v *rules.Variant) error {
	name := filepath.Join(s.dir, v.ID()+".tsv")
	var list []problems.Problem
	if file, err := os.ReadFile(name); err == nil {
		if list, err = problems.Parse(string(file)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	have := map[int]int{}
	for _, p := range list {
		have[p.In]++
	}
	r := rand.New(rand.NewPCG(s.seed, uint64(len(list))))
	f := newFinder(v, list)
	end := time.Now().Add(s.perGame)
	for games := 0; time.Now().Before(end) && (have[2] < s.wanted[2] || have[3] < s.wanted[3]); games++ {
		for _, p := range f.playGame(r) {
			for in := 3; in >= 2; in-- {
				if have[in] >= s.wanted[in] {
					continue
				}
				if found, ok := f.makeProblem(p, in); ok {
					list = append(list, found)
					have[in]++
					break
				}
			}
		}
		if games%20 == 0 {
			fmt.Fprintf(s.far, "\r%-15s %6d games, %d in two, %d in three\033[K", v, games, have[2], have[3])
		}
	}
	fmt.Fprintln(s.far)
	slices.SortFunc(list, func(a, b problems.Problem) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Effort, b.Effort), cmp.Compare(a.FEN, b.FEN))
	})
	var text strings.Builder
	for _, p := range list {
		fmt.Fprintf(&text, "%v\t%d\n", p, p.Effort)
	}
	return os.WriteFile(name, []byte(text.String()), 0o644)
}

// nodesPerMove is how many nodes a move the games are played with: enough to mate, few enough to let it happen.
const nodesPerMove = 120

// playGame plays a game and returns the positions two and three moves before its mate, with the winner to move.
func (f *finder) playGame(r *rand.Rand) (list []rules.Position) {
	var game []rules.Position
	player := match.NewSearcher(eval.Handcrafted(f.variant), 1<<16, search.Limits{Nodes: nodesPerMove, ClearTable: true})
	result := match.Play(match.RandomOpening(f.variant, r, 6+r.IntN(8)), player, player,
		func(p *rules.Position, _ rules.Move, _ int) bool {
			game = append(game, *p)
			return true
		})
	if result == 0.5 {
		return nil
	}
	for _, back := range []int{5, 3} {
		if len(game) >= back {
			list = append(list, game[len(game)-back])
		}
	}
	return list
}
