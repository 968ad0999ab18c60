// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
)

// accepted begins the verdict on a network that takes its predecessor's place.
const accepted = "accepted"

// sure is the log-likelihood ratio at which the match ends (match.Tally).
const sure = 2.94

// judge plays the new evaluation against the one before, and writes the verdict. It ends when the sequential test at 0
// to 20 points of Elo is sure, or the games are over. Not sure is not accepted.
func (s *settings) judge(ctx context.Context, v *rules.Variant, after, before *eval.Eval, generation int,
	dir string) error {
	limits := search.Limits{Nodes: uint64(s.play), ClearTable: true}
	one, two := match.NewSearcher(after, tableBytes, limits), match.NewSearcher(before, tableBytes, limits)
	r := rand.New(rand.NewPCG(s.seed, uint64(generation)<<48))
	var t match.Tally
	for t.Games() < s.games {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.PlayPair(match.RandomOpening(v, r, openPlies), one, two)
		s.progress(v, generation, "match", float64(t.Games())/float64(s.games+1), t.String())
		if e := t.LogLikelihoodRatio(0, 20); e > sure || e < -sure {
			break
		}
	}
	verdict := "refused"
	if t.LogLikelihoodRatio(0, 20) > sure {
		verdict = accepted
	}
	s.progress(v, generation, "match", 1, verdict+" "+t.String())
	text := fmt.Sprintf("%s\t%v\t%+.0f Elo\tat %d nodes a move\n", verdict, t, match.Elo(t.Score()), s.play)
	return write(filepath.Join(dir, "match.txt"), []byte(text))
}
