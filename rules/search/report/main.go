// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/search/level"
	"boardd/rules/search/match"
)

// settings are what the command line says.
type settings struct {
	games    int
	seed     uint64
	think    time.Duration
	elo      int
	program  string
	nodes    uint64
	peer     uint64 // positions a move of the peer
	variants []*rules.Variant
	lowest   int // of the levels that are played against the one below
	highest  int
	vary     bool      // levels leave their openings to chance
	far      io.Writer // is told how a match stands
}

func main() {
	s := settings{far: os.Stderr}
	ids := flag.String("variants", "chess,locking,meirav,pillar,superchess,flying", "the games")
	parts := flag.String("parts", "speed,levels,material,stockfish,fairy",
		"the tables, in the order in which they are made; peer as well")
	flag.IntVar(&s.games, "games", 400, "games of each match")
	flag.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "the seed of the openings")
	flag.StringVar(&s.program, "peer", "boardd engine", "the program of the table peer, such as an older build of this "+
		"one")
	flag.Uint64Var(&s.nodes, "nodes", 5000, "positions a move in the table peer")
	flag.Uint64Var(&s.peer, "peer-nodes", 0, "and of the peer, to give both the same time; 0 for as many")
	flag.DurationVar(&s.think, "think", time.Second, "time a move against Stockfish")
	flag.IntVar(&s.elo, "elo", 2300, "Stockfish's UCI_Elo")
	flag.IntVar(&s.lowest, "lowest", 2, "the first level of the table levels, played against the one below it")
	flag.IntVar(&s.highest, "highest", level.Most, "and the last")
	flag.BoolVar(&s.vary, "vary", false, "let the levels leave their openings to chance, as they do at a board")
	draw := flag.Bool("plot", false, "draw "+plotFile+" from "+historyFile+
		", in the root of the repository, and do nothing else")
	flag.Parse()
	if *draw {
		if err := drawPlot("rules/search/nets/"); err != nil {
			fmt.Fprintln(os.Stderr, "report:", err)
			os.Exit(1)
		}
		return
	}
	if s.peer == 0 {
		s.peer = s.nodes
	}
	if s.lowest < 2 || s.highest > level.Most {
		fmt.Fprintf(os.Stderr, "report: levels %d to %d: want 2 to %d, each is played against the one below it\n", s.lowest,
			s.highest, level.Most)
		os.Exit(2)
	}
	for _, id := range strings.Split(*ids, ",") {
		v, err := rules.ByID(id)
		if err != nil {
			fmt.Fprintln(os.Stderr, "report:", err)
			os.Exit(2)
		}
		s.variants = append(s.variants, v)
	}
	tables := map[string]func() error{
		"speed": s.speed, "levels": s.levels, "material": s.material, "stockfish": s.stockfish,
		"fairy": s.fairy, "peer": s.against}
	fmt.Printf("seed %d\n", s.seed)
	for _, name := range strings.Split(*parts, ",") {
		table, ok := tables[name]
		if !ok {
			fmt.Fprintf(os.Stderr, "report: there is no table %q\n", name)
			os.Exit(2)
		}
		if err := table(); err != nil {
			fmt.Fprintf(os.Stderr, "report: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// openingPlies is how many random moves a game begins with.
const openingPlies = 6

// match plays pairs of games from random openings.
func (s *settings) match(v *rules.Variant, what string, one, two match.Player) match.Tally {
	return s.pairs(v, what, one, two, (*match.Tally).PlayPair)
}

// pairs plays pairs of games and says after each how the match stands.
func (s *settings) pairs(v *rules.Variant, what string, one, two match.Player,
	play func(*match.Tally, rules.Position, match.Player, match.Player)) match.Tally {
	r := rand.New(rand.NewPCG(s.seed, 1))
	var t match.Tally
	for t.Games() < s.games {
		play(&t, match.RandomOpening(v, r, openingPlies), one, two)
		fmt.Fprintf(s.far, "\r%-11s %s: %v\033[K", v, what, t)
	}
	fmt.Fprint(s.far, "\r\033[K")
	return t
}

// The files beside the networks: what is drawn, and the drawing.
const (
	historyFile = "history.tsv"
	plotFile    = "strength.svg"
)

func drawPlot(dir string) error {
	text, err := os.ReadFile(dir + historyFile)
	if err != nil {
		return err
	}
	list, err := readHistory(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(dir+plotFile, []byte(plot(list)), 0o644)
}
