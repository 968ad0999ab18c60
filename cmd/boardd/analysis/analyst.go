// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sync/uci"
	"boardd/sync/web"
)

// The figures of this package. Chosen, not measured.
const (
	perPosition = 500 * time.Millisecond // of thought; a game of 80 plies takes 40 s
	keepEvery   = 10                     // positions between two writes of the file, because cards wear out
	mostWaiting = 50                     // games that may wait
)

// Engine is the engine that is asked.
type Engine interface {
	Ask(context.Context, uci.Question) (uci.Answer, error)
	Close()
}

// Analyst analyses games, one after the other. Its methods may be called from several goroutines.
type Analyst struct {
	dir    string
	engine Engine
	log    *slog.Logger
	tell   func(web.AnalysisProgress) // is told the progress
	done   chan Finished              // capacity mostWaiting: further ones are dropped
	wake   chan struct{}              // capacity 1: there is something to do

	mu      sync.Mutex
	why     string // why nothing may be asked now, in the words of the table; "" if it may
	jobs    []*job // the first one is under way
	trouble error
	rest    context.CancelFunc // withdraws the open question; nil: none is open
}

// job is a game that is to be analysed.
type job struct {
	id    string
	game  Game
	sheet *Sheet
	kept  int // positions in the file
}

// Finished is a game all of whose positions are analysed. The sheet must not be changed.
type Finished struct {
	Game  string
	Sheet *Sheet
}

// Finished returns the channel of games that are finished.
func (a *Analyst) Finished() <-chan Finished { return a.done }

// New returns an analyst that keeps its sheets in a folder.
func New(dir string, e Engine, tell func(web.AnalysisProgress), log *slog.Logger) *Analyst {
	return &Analyst{dir: dir, engine: e, log: log, tell: tell, done: make(chan Finished, mostWaiting),
		wake: make(chan struct{}, 1)}
}

// Permit sets why nothing may be asked now, "" if it may. If not, an open question is withdrawn.
func (a *Analyst) Permit(why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.why == why {
		return
	}
	a.why = why
	if why != "" && a.rest != nil {
		a.rest()
	}
	a.changed()
}

// Shown reports whether analyses may be shown now. They may not during a game against somebody far away.
func (a *Analyst) Shown() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !remote(a.why)
}

// remote reports whether why is a game against somebody far away.
func remote(why string) bool { return why == table.AgainstRemote || why == table.AgainstLichess }

// changed wakes Run and tells the progress.
func (a *Analyst) changed() {
	state := web.AnalysisStopped(a.trouble)
	if len(a.jobs) > 0 {
		j := a.jobs[0]
		state.Game, state.Done, state.Total, state.Waits, state.Queue = j.id, len(j.sheet.Judged), j.game.positions(), a.why,
			len(a.jobs)-1
	}
	a.tell(state)
	select {
	case a.wake <- struct{}{}:
	default: // it is awake already
	}
}

// Begin begins the analysis of a game. Positions that are known already are not asked again.
func (a *Analyst) Begin(game string, g Game) error {
	sheet, err := Read(a.dir, game)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case remote(a.why):
		return say.Error("a game against somebody who is not here goes on: nothing is analysed until it has ended")
	case slices.ContainsFunc(a.jobs, func(j *job) bool { return j.id == game }):
		return nil
	case len(a.jobs) >= mostWaiting:
		return say.Error("%d games wait to be analysed already: wait until some are done", len(a.jobs))
	}
	if sheet == nil {
		sheet = &Sheet{}
	}
	sheet.fits(&g)
	a.trouble = nil
	a.jobs = append(a.jobs, &job{id: game, game: g, sheet: sheet, kept: len(sheet.Judged)})
	a.changed()
	return nil
}

// Leave ends the analysis of a game. What was found is kept.
func (a *Analyst) Leave(game string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, j := range a.jobs {
		if j.id != game {
			continue
		}
		if i == 0 && a.rest != nil {
			a.rest()
		}
		a.keep(j)
		a.jobs = slices.Delete(a.jobs, i, i+1)
		a.changed()
		return
	}
}

// Sheet is what is known of a game, nil for nothing. It must not be changed.
func (a *Analyst) Sheet(game string) (*Sheet, error) {
	a.mu.Lock()
	for _, j := range a.jobs {
		if j.id == game {
			s := *j.sheet // a copy: later appends do not show in it
			a.mu.Unlock()
			return &s, nil
		}
	}
	a.mu.Unlock()
	return Read(a.dir, game)
}

// keep writes a sheet. The caller holds mu.
func (a *Analyst) keep(j *job) {
	if j.kept == len(j.sheet.Judged) {
		return
	}
	if err := j.sheet.keep(a.dir, j.id); err != nil {
		a.log.Warn("what was found out about a game is not kept", "game", j.id, "error", err)
	}
	j.kept = len(j.sheet.Judged)
}

// Run asks the engine until ctx ends.
func (a *Analyst) Run(ctx context.Context) {
	defer a.engine.Close()
	if err := prune(a.dir); err != nil {
		a.log.Warn("old analyses are not removed", "error", err)
	}
	for {
		j, p, question, ok := a.next(ctx)
		if !ok {
			select {
			case <-a.wake:
			case <-ctx.Done():
				a.leaveAll()
				return
			}
			continue
		}
		answer, err := a.engine.Ask(question.ctx, question.Question)
		back := question.ctx.Err() != nil
		question.end()
		a.take(j, &p, &answer, err, back)
	}
}

type question struct {
	uci.Question
	ctx context.Context
	end context.CancelFunc
}

// next is the next position to ask about.
func (a *Analyst) next(ctx context.Context) (j *job, p rules.Position, q question, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.jobs) > 0 && a.jobs[0].sheet.whole() {
		a.finish()
	}
	if len(a.jobs) == 0 || a.why != "" || ctx.Err() != nil {
		return nil, p, q, false
	}
	j = a.jobs[0]
	ply := len(j.sheet.Judged)
	q.Start, q.Moves, q.Time = j.game.Start, j.game.Moves[:ply], perPosition
	q.ctx, q.end = context.WithCancel(ctx)
	a.rest = q.end
	return j, j.game.at(ply), q, true
}

// take adds an answer to the sheet. back says that the question was withdrawn.
func (a *Analyst) take(j *job, p *rules.Position, answer *uci.Answer, err error, back bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rest = nil
	switch {
	case len(a.jobs) == 0 || a.jobs[0] != j || back: // the analysis was ended, or the question is asked again
		return
	case errors.Is(err, uci.ErrNoMove):
		j.sheet.Judged = append(j.sheet.Judged, web.Evaluation{Lines: []web.Line{}})
	case err != nil:
		a.log.Warn("a game is not analysed", "game", j.id, "error", err)
		a.trouble = err
		a.keep(j)
		a.jobs = a.jobs[1:]
	default:
		j.sheet.Judged = append(j.sheet.Judged, judged(p, answer))
		if len(j.sheet.Judged)-j.kept >= keepEvery {
			a.keep(j)
		}
	}
	a.changed()
}

// finish ends the first job. The caller holds mu.
func (a *Analyst) finish() {
	j := a.jobs[0]
	a.keep(j)
	a.jobs = a.jobs[1:]
	a.changed()
	select {
	case a.done <- Finished{j.id, j.sheet}:
	default:
	}
}

func (a *Analyst) leaveAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, j := range a.jobs {
		a.keep(j)
	}
}
