// SPDX-License-Identifier: Apache-2.0

// Command report measures the generator against its peers in one run, as ratios: Stockfish's orthodox "go perft" and
// github.com/corentings/chess/v2. It measures CPU time, so that a busy machine disturbs it less. It takes the best of
// several rounds, in each of which every program runs once.
//
//	go run . [-stockfish /usr/games/stockfish] [-turns 5]
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"

	"boardd/rules"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func main() {
	path := flag.String("stockfish", "/usr/games/stockfish", "the Stockfish to compare with (Debian: apt-get install "+
		"stockfish)")
	turns := flag.Int("turns", 5, "how often each program runs; the best run counts")
	flag.Parse()
	if err := report(*path, *turns); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// report measures both positions and prints a table of each.
func report(path string, turns int) error {
	fmt.Printf("%s %s/%s, best of %d turns, millions of leaf nodes per second of CPU time\n", runtime.Version(),
		runtime.GOOS, runtime.GOARCH, turns)
	for _, at := range []struct {
		name, fen string
		depth     int // of Stockfish
	}{
		{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6},
		{"kiwipete", kiwipete, 5},
	} {
		rivals, err := contestants(path, at.fen, at.depth)
		if err != nil {
			return err
		}
		for range turns {
			for _, r := range rivals {
				if err := r.once(); err != nil {
					return fmt.Errorf("%s of %s: %w", r.name, at.name, err)
				}
			}
		}
		print(at.name, rivals)
	}
	return woods(turns)
}

// contestants is who runs on a position: the peers first.
func contestants(path, fen string, depth int) ([]*contestant, error) {
	list := []*contestant{
		{name: "stockfish", run: func() (uint64, float64, error) { return stockfish(path, fen, depth) }},
		{name: "corentings/chess", played: true, run: func() (uint64, float64, error) { return corentings(fen, depth-2) }},
	}
	for _, v := range rules.Variants() {
		p, err := v.ParseFEN(fen)
		if err != nil {
			return nil, err
		}
		list = append(list,
			&contestant{name: v.ID(), run: ours(p, rules.Perft, 20e6)},
			&contestant{name: v.ID(), played: true, run: ours(p, rules.PerftByPlaying, 4e6)})
	}
	return list, nil
}

// ours counts as deep as needed for this many leaves.
func ours(p rules.Position, perft func(rules.Position, int) uint64, leaves float64) func() (uint64, float64, error) {
	depth := 1
	for float64(rules.Perft(p, depth)) < leaves && depth < 6 {
		depth++
	}
	return func() (uint64, float64, error) {
		return timed(func() uint64 { return perft(p, depth) })
	}
}

// print prints one position's table, with the ratios that the goals are set in.
func print(name string, rivals []*contestant) {
	best := func(name string, played bool) float64 {
		i := slices.IndexFunc(rivals, func(r *contestant) bool { return r.name == name && r.played == played })
		return rivals[i].rate()
	}
	peer, other := best("stockfish", false), best("corentings/chess", true)
	fmt.Printf("\n%s\n%-18s %-7s %8s %10s %13s %8s\n", name, "game", "leaves", "Mnps", "/stockfish", "/corentings",
		"spread")
	for _, r := range rivals {
		kind, ratio := "bulk", ""
		if r.played {
			kind, ratio = "played", fmt.Sprintf("%.1f", r.rate()/other)
		}
		fmt.Printf("%-18s %-7s %8.1f %10.2f %13s %7.0f%%\n", r.name, kind, r.rate(), r.rate()/peer, ratio, r.spread())
	}
}
