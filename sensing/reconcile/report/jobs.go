// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// job is a scene and how many moves to play in it.
type job struct {
	scene scene
	moves int
}

// result is what became of a scene.
type result struct {
	scene scene
	tally *tally
}

func (r *result) line() string {
	t := r.tally
	return fmt.Sprintf("%-42s %7d moves  wrong %d  asked %d  needless %d  misasked %d  stalled %d  said %d  "+
		"straightened %d  provisional %d  alarms %d  given up %d  clear %.3f %%  %.2f ms CPU a move  p50/p99 presence "+
		"%v/%v height %v/%v weight %v/%v goes on %v/%v lit %v/%v wrong %v/%v",
		r.scene, t.moves, t.wrong, t.asked, t.needless, t.misasked, t.stalled, t.blind, t.straightened, t.provisional,
		t.alarms, t.givenUp, 100*t.clear(), t.cpu.Seconds()*1000/float64(max(1, t.moves)),
		t.commits[byPresence].quantile(0.5), t.commits[byPresence].quantile(0.99),
		t.commits[byHeight].quantile(0.5), t.commits[byHeight].quantile(0.99),
		t.commits[byWeight].quantile(0.5), t.commits[byWeight].quantile(0.99),
		t.commits[goesOn].quantile(0.5), t.commits[goesOn].quantile(0.99),
		t.lit[0].quantile(0.5), t.lit[0].quantile(0.99), t.wrongShown.quantile(0.5),
		t.wrongShown.quantile(0.99))
}

// boardsOf are the boards that a game is played on.
func boardsOf(game string) []string {
	if game == "chess" {
		return []string{"stack", "twin", "scale", "reeds"}
	}
	return []string{"stack", "twin", "scale"}
}

var games = []string{"chess", "locking", "meirav", "pillar", "pillar-liberal", "superchess", "flying"}

// scenes lists all scenes. They are every game on every board at every level, and every fault alone in every game.
// Every pair of faults is played in one game for each board. A scene that tells less gets fewer moves.
func (o *options) scenes() (jobs []job) {
	add := func(s scene, moves int) {
		if !s.canFollow() {
			return
		}
		if strings.HasPrefix(s.String(), o.only) && (o.level == "" || s.level == o.level) {
			jobs = append(jobs, job{s, max(1, moves)})
		}
	}
	for _, game := range games {
		for _, board := range boardsOf(game) {
			add(scene{game, board, "club", nil}, o.moves)
			add(scene{game, board, "clean", nil}, o.moves/20)
			add(scene{game, board, "rough", nil}, o.moves/20)
			for _, f := range faultNames(board) {
				add(scene{game, board, "club", []string{f}}, o.moves/100)
			}
		}
	}
	for _, board := range []string{"stack", "twin"} {
		names := faultNames(board)
		for i, a := range names {
			for _, b := range names[i+1:] {
				add(scene{"locking", board, "club", []string{a, b}}, o.moves/400)
			}
		}
	}
	// the long ones first, so that all workers end together
	slices.SortStableFunc(jobs, func(a, b job) int { return b.moves - a.moves })
	return jobs
}

// play plays all jobs, game by game, on all workers. The next game is always of the scene that is farthest behind,
// until all have their moves or the time is over. A game depends only on the seed and its number.
func (o *options) playAll(jobs []job) []result {
	q := newQueue(jobs, o.time)
	var wg sync.WaitGroup
	for range o.workers {
		wg.Go(func() {
			runtime.LockOSThread() // CPU time is that of a thread
			for {
				i, n, ok := q.next()
				if !ok {
					return
				}
				t := &tally{}
				newMatch(jobs[i].scene, o.seed, n, t).play(o.limit)
				q.done(i, t)
			}
		})
	}
	wg.Wait()
	return q.results
}

// queue says which game is played next.
type queue struct {
	mu         sync.Mutex
	jobs       []job
	games      []uint64 // begun
	moves      []int    // made, games under way counted as expected
	results    []result
	end        time.Time // zero: no limit
	reportedAt time.Time
	far        io.Writer // is told how far it is
}

// expectedMoves is about how many moves a game has. A game under way counts so much until it is over.
const expectedMoves = 100

func newQueue(jobs []job, limit time.Duration) *queue {
	q := &queue{jobs: jobs, games: make([]uint64, len(jobs)), moves: make([]int, len(jobs)), far: os.Stderr}
	if limit > 0 {
		q.end = time.Now().Add(limit)
	}
	for _, j := range jobs {
		q.results = append(q.results, result{j.scene, &tally{}})
	}
	return q
}

func (q *queue) next() (i int, game uint64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.end.IsZero() && time.Now().After(q.end) {
		return 0, 0, false
	}
	best, least := -1, 1.0
	for i := range q.jobs {
		if part := float64(q.moves[i]) / float64(q.jobs[i].moves); part < least {
			best, least = i, part
		}
	}
	if best < 0 {
		return 0, 0, false
	}
	if now := time.Now(); now.Sub(q.reportedAt) > progressEvery {
		q.reportedAt = now
		fmt.Fprintf(q.far, "%.1f %% of all moves made\n", 100*least)
	}
	q.games[best]++
	q.moves[best] += expectedMoves
	return best, q.games[best] - 1, true
}

func (q *queue) done(i int, t *tally) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.results[i].tally.add(t)
	q.moves[i] += t.moves - expectedMoves
}
