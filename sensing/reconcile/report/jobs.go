package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
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
	return fmt.Sprintf("%-42s %7d moves  wrong %d  asked %d  needless %d  misasked %d  stalled %d  straightened %d  provisional %d  given up %d  clear %.3f %%  %.2f ms CPU a move  p50/p99 presence %v/%v height %v/%v weight %v/%v goes on %v/%v lit %v/%v wrong %v/%v",
		r.scene, t.moves, t.wrong, t.asked, t.needless, t.misasked, t.stalled, t.straightened, t.provisional, t.given, 100*t.clear(), t.cpu.Seconds()*1000/float64(max(1, t.moves)),
		t.commit[byPresence].at(0.5), t.commit[byPresence].at(0.99), t.commit[byHeight].at(0.5), t.commit[byHeight].at(0.99), t.commit[byWeight].at(0.5), t.commit[byWeight].at(0.99),
		t.commit[goesOn].at(0.5), t.commit[goesOn].at(0.99), t.lit.at(0.5), t.lit.at(0.99), t.wrongly.at(0.5), t.wrongly.at(0.99))
}

// boardsOf are the boards that a game is played on.
func boardsOf(game string) []string {
	if game == "chess" {
		return []string{"stack", "twin", "reeds"}
	}
	return []string{"stack", "twin"}
}

var games = []string{"chess", "locking", "meirav", "pillar", "pillar-liberal", "superchess", "flying"}

// plan lists all scenes: every game on every board at every level; every fault alone in every game; every pair of faults
// in one game for each board. The share of the moves is smaller where a scene says less.
func (o *options) plan() (jobs []job) {
	add := func(s scene, moves int) {
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
	slices.SortStableFunc(jobs, func(a, b job) int { return b.moves - a.moves }) // the long ones first, so that all workers end together
	return jobs
}

// play plays all jobs, game by game on all workers. What is played depends on the seed alone.
func (o *options) play(jobs []job) []result {
	var wg sync.WaitGroup
	results := make([]result, len(jobs))
	queue := make(chan int)
	for i := range jobs {
		results[i] = result{jobs[i].scene, &tally{}}
	}
	var mu sync.Mutex
	for range o.workers {
		wg.Go(func() {
			runtime.LockOSThread() // CPU time is that of a thread
			for i := range queue {
				t := o.share(jobs[i].scene, jobs[i].moves)
				mu.Lock()
				results[i].tally.add(t)
				mu.Unlock()
				if o.only == "" {
					fmt.Fprintln(os.Stderr, results[i].line())
				}
			}
		})
	}
	for i := range jobs {
		queue <- i
	}
	close(queue)
	wg.Wait()
	return results
}

// share plays games of a scene until enough moves are made.
func (o *options) share(s scene, moves int) *tally {
	t := &tally{}
	for n := uint64(0); t.moves < moves; n++ {
		t.add(o.one(s, n, moves-t.moves))
	}
	return t
}

func (o *options) one(s scene, n uint64, limit int) *tally {
	t := &tally{}
	newMatch(s, o.seed, n, t).play(min(limit, o.limit))
	return t
}
