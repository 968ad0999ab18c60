// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/level"
	"boardd/rules/search/match"
	"boardd/rules/search/nets"
	"boardd/rules/search/searchtest"
	"boardd/sync/uci"
)

const tableBytes = 16 << 20

// speed says how many nodes a second the engine searches with its network, and how deep in a second. It starts from
// the array and from random positions.
func (s *settings) speed() error {
	fmt.Print("\n| game | million nodes a second | depth in a second |\n|---|---:|---:|\n")
	for _, v := range s.variants {
		player := search.New(nets.Of(v), tableBytes)
		end := time.Now().Add(time.Second)
		info := player.Run(v.Start(), nil, search.Limits{Stop: func() bool { return time.Now().After(end) }}, nil)
		fmt.Printf("| %s | %.2f | %d |\n", v, float64(info.Nodes)/1e6, info.Depth)
	}
	return nil
}

// fullNodes is how much the highest level looks at in the ladder; in play it has no limit but the clock.
const fullNodes = 27000

// varied is a level that leaves the opening to chance, with another seed in each game.
type varied struct {
	search *search.Search
	level  int
	seed   uint64
}

// Choose searches the position, and may vary.
func (p *varied) Choose(pos rules.Position, past []uint64) (rules.Move, int) {
	if len(past) < 2 {
		p.seed++
	}
	l := level.Limits(pos.Variant(), p.level)
	info := level.Vary(p.search, pos, past, p.level, p.seed, p.search.Run(pos, past, l, nil), nil)
	return info.Move(), info.Lines[0].Score
}

// player is a level as it plays.
func (s *settings) player(v *rules.Variant, n int) match.Player {
	if s.vary && n < level.Most {
		return &varied{search.New(level.Eval(v, n), tableBytes/4), n, s.seed + uint64(n)<<32}
	}
	l := level.Limits(v, n)
	if n == level.Most {
		l.Nodes, l.ClearTable = fullNodes, true
	}
	return match.NewSearcher(level.Eval(v, n), tableBytes/4, l)
}

// levels plays each level against the one below it.
func (s *settings) levels() error {
	fmt.Printf("\nScore of each level against the one below it, in per cent, with the interval of 95 %%; %d games "+
		"each; level %d at %d nodes.\n\n| game |", s.games, level.Most, fullNodes)
	for n := s.lowest; n <= s.highest; n++ {
		fmt.Printf(" %d v %d |", n, n-1)
	}
	fmt.Print("\n|---|" + strings.Repeat("---|", s.highest-s.lowest+1) + "\n")
	for _, v := range s.variants {
		fmt.Printf("| %s |", v)
		for n := s.lowest; n <= s.highest; n++ {
			t := s.match(v, fmt.Sprintf("level %d against %d", n, n-1), s.player(v, n), s.player(v, n-1))
			low, high := t.Bounds()
			fmt.Printf(" %.0f (%.0f to %.0f) |", 100*t.Score(), 100*low, 100*high)
		}
		fmt.Println()
	}
	return nil
}

// yardNodes is how much both sides look at against the yardstick.
const yardNodes = 10000

// material plays the engine against the frozen search that counts material.
func (s *settings) material() error {
	fmt.Printf("\nAgainst the frozen search with material alone, %d nodes a move each.\n\n| game | result |\n|---|---|\n",
		yardNodes)
	for _, v := range s.variants {
		one := match.NewSearcher(nets.Of(v), tableBytes, search.Limits{Nodes: yardNodes, ClearTable: true})
		fmt.Printf("| %s | %v |\n", v, s.match(v, "against material", one, searchtest.NewFrozen(yardNodes)))
	}
	return nil
}

// mated is the score of a position with a mate, in hundredths of a pawn: more than any other score.
const mated = 30000

// seated is a program that plays through a pipe. It is told the game so far, so that it knows what would repeat.
type seated struct {
	client *uci.Client
	time   time.Duration
	nodes  uint64
	start  rules.Position
	moves  []rules.Move
}

// Follow takes down the game so far.
func (p *seated) Follow(start rules.Position, moves []rules.Move) { p.start, p.moves = start, moves }

// Choose asks the program; without an answer there is nothing left to measure.
func (p *seated) Choose(rules.Position, []uint64) (rules.Move, int) {
	a, err := p.client.Ask(context.Background(), uci.Question{Start: p.start, Moves: p.moves, Time: p.time,
		Nodes: p.nodes})
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
	if a.Score.Mate != 0 {
		return a.Move, max(-mated, min(mated*a.Score.Mate, mated))
	}
	return a.Move, a.Score.Cents
}

// timed is our engine with a time a move.
type timed struct {
	search *search.Search
	time   time.Duration
}

// Choose thinks for the time.
func (p *timed) Choose(pos rules.Position, past []uint64) (rules.Move, int) {
	if len(past) < 2 { // a game begins
		p.search.ClearTable()
	}
	end := time.Now().Add(p.time)
	info := p.search.Run(pos, past, search.Limits{Stop: func() bool { return time.Now().After(end) }}, nil)
	return info.Move(), info.Lines[0].Score
}

// stockfish plays orthodox chess against Debian's Stockfish, held to a rating.
func (s *settings) stockfish() error {
	chess := rules.Variants()[0]
	c := uci.New(uci.Options{Command: []string{"/usr/games/stockfish"}, Ordinary: true,
		Settings: map[string]string{"UCI_LimitStrength": "true", "UCI_Elo": strconv.Itoa(s.elo)}})
	defer c.Close()
	t := s.pairs(chess, "against Stockfish", &timed{search.New(nets.Of(chess), tableBytes), s.think},
		&seated{client: c, time: s.think}, (*match.Tally).PlayJudgedPair)
	fmt.Printf("\nChess against Stockfish at UCI_Elo %d, %v a move: %v\n", s.elo, s.think, t)
	return nil
}

// fairyNodes is how much both sides look at against Fairy-Stockfish.
const fairyNodes = 20000

// fairy plays orthodox chess against the hand-made evaluation of Debian's Fairy-Stockfish.
func (s *settings) fairy() error {
	chess := rules.Variants()[0]
	c := uci.New(uci.Options{Command: []string{"/usr/games/fairy-stockfish"}})
	defer c.Close()
	one := match.NewSearcher(nets.Of(chess), tableBytes, search.Limits{Nodes: fairyNodes})
	t := s.match(chess, "against Fairy-Stockfish", one, &seated{client: c, nodes: fairyNodes})
	fmt.Printf("\nChess against Fairy-Stockfish, %d nodes a move each: %v\n", fairyNodes, t)
	return nil
}

// keeps is the option that has a build of boardd go on from its last search, as our side does and other programs do.
func keeps(program string) map[string]string {
	if !strings.HasSuffix(program, "boardd engine") {
		return nil
	}
	return map[string]string{"Forget": "false"}
}

// against plays another build of boardd, or any UCI program: how a change of the search is judged.
func (s *settings) against() error {
	for _, v := range s.variants {
		c := uci.New(uci.Options{Command: strings.Fields(s.program), Settings: keeps(s.program)})
		one := match.NewSearcher(nets.Of(v), tableBytes, search.Limits{Nodes: s.nodes})
		t := s.match(v, "against "+s.program, one, &seated{client: c, nodes: s.peer})
		c.Close()
		fmt.Printf("\n%s, %d nodes a move, against %s with %d: %v\n", v, s.nodes, s.program, s.peer, t)
	}
	return nil
}
