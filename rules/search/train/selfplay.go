// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
)

const (
	openPlies  = 6    // random moves before a game, and up to as many more
	sureScore  = 2000 // a game is over when both sides think so, in hundredths of a pawn
	surePlies  = 6    // for this many plies
	tableBytes = 4 << 20
)

// selfPlay returns the positions of a generation, read from its files, or played: as many files at once as there are
// jobs.
func (s *settings) selfPlay(ctx context.Context, v *rules.Variant, e *eval.Eval, generation int, dir string) ([]sample,
	error) {
	var all []sample
	for n := 0; len(all) < s.positions; n += s.jobs {
		files := make([][]byte, min(s.jobs, (s.positions-len(all)-1)/s.chunk+1))
		group, ctx := errgroup.WithContext(ctx)
		for i := range files {
			group.Go(func() (err error) {
				files[i], err = s.chunkFile(ctx, v, e, generation, n+i, dir)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
		for i, file := range files {
			if len(all) >= s.positions {
				break // with one job it would not have been played
			}
			var err error
			if all, err = readSamples(all, file); err != nil {
				return nil, fmt.Errorf("%s: %w", chunkName(dir, n+i), err)
			}
		}
		s.progress(v, generation, "self-play", min(1, float64(len(all))/float64(s.positions)),
			fmt.Sprintf("%d positions", len(all)))
	}
	return all, nil
}

// chunkName is where a file of positions is kept.
func chunkName(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("positions-%03d", n)) }

// chunkFile reads a file of positions. If it is not there, it is played and kept.
func (s *settings) chunkFile(ctx context.Context, v *rules.Variant, e *eval.Eval, generation, n int,
	dir string) ([]byte, error) {
	name := chunkName(dir, n)
	file, err := os.ReadFile(name)
	if !os.IsNotExist(err) {
		return file, err
	}
	if file, err = s.playChunk(ctx, v, e, generation, n); err != nil {
		return nil, err
	}
	return file, write(name, file)
}

// playChunk plays games until a file is full. The seed, the generation and the number of the file say what is drawn.
func (s *settings) playChunk(ctx context.Context, v *rules.Variant, e *eval.Eval, generation, n int) ([]byte, error) {
	r := rand.New(rand.NewPCG(s.seed, uint64(generation)<<32|uint64(n)))
	player := match.NewSearcher(e, tableBytes, search.Limits{Nodes: uint64(s.nodes), ClearTable: true})
	var file []byte
	for kept := 0; kept < s.chunk; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		samples := s.playGame(v, player, r)
		for i := range samples {
			file = appendSample(file, &samples[i])
			if len(samples[i].inputs) > 0 {
				kept++
			}
		}
	}
	return file, nil
}

// playGame plays a game against itself and returns its positions. It ends when one side has long been far ahead.
func (s *settings) playGame(v *rules.Variant, player match.Player, r *rand.Rand) []sample {
	var samples []sample
	sure, leader := 0, 0.0
	p := match.RandomOpening(v, r, openPlies+r.IntN(openPlies))
	result := match.Play(p, player, player, func(p *rules.Position, m rules.Move, score int) bool {
		won := 0.0 // White's, if the score is believed
		if score > 0 == (p.Turn() == rules.White) {
			won = 1
		}
		switch {
		case max(score, -score) < sureScore:
			sure = 0
		case sure == 0 || won == leader:
			sure, leader = sure+1, won
		}
		s := sample{ply: uint8(min(len(samples), 255)), turn: p.Turn(), stage: uint8(eval.Phase(p)), score: int16(score)}
		quiet := !p.InCheck() && !m.IsCapture() && m.Promotion() == rules.NoKind
		if quiet && search.MateIn(score) == 0 && sure == 0 {
			s.inputs = eval.AppendFeatures(nil, p)
		}
		samples = append(samples, s)
		return sure < surePlies
	})
	if sure >= surePlies {
		result = leader
	}
	for i := range samples {
		samples[i].result = uint8(2 * result)
		if samples[i].turn == rules.Black {
			samples[i].result = 2 - samples[i].result
		}
	}
	return samples
}

// write puts a file down whole or not at all.
func write(name string, data []byte) error {
	if err := os.WriteFile(name+".part", data, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}
