// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"boardd/rules/say"
	"boardd/sensing"
)

// The first pause before a part is started again, and the longest: it doubles while the part goes on failing.
const (
	firstPause   = time.Second
	longestPause = time.Minute
)

// steadyAfter is how long a part has to run until its last fault no longer counts.
const steadyAfter = time.Minute

// Parts are the parts of one board.
type Parts struct {
	log *slog.Logger
	all sync.WaitGroup

	mu  sync.Mutex
	why map[string]error // by name: of those that do not run
}

// New returns the parts of a board, of which none runs yet.
func New(log *slog.Logger) *Parts { return &Parts{log: log, why: map[string]error{}} }

// Go runs a part until ctx ends or the part ends by itself without an error. After an error or a panic it is started
// again. The part calls up when it works; a part that has run for a minute counts as working too.
func (p *Parts) Go(ctx context.Context, name string, run func(ctx context.Context, up func()) error) {
	p.all.Go(func() {
		for wait := firstPause; ; wait = min(2*wait, longestPause) {
			began, up := time.Now(), func() { p.note(name, nil) }
			lasts := time.AfterFunc(steadyAfter, up)
			err := guarded(ctx, run, up)
			lasts.Stop()
			if err == nil || ctx.Err() != nil {
				return
			}
			if time.Since(began) >= steadyAfter {
				wait = firstPause
			}
			p.note(name, err)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
	})
}

// Run is Go for a part that tells its own troubles.
func (p *Parts) Run(ctx context.Context, name string, run func(context.Context)) {
	p.Go(ctx, name, func(ctx context.Context, _ func()) error {
		run(ctx)
		return nil
	})
}

// guarded runs a part and returns its error. A panic becomes an error, because a fault of a part must not cost a game.
func guarded(ctx context.Context, run func(context.Context, func()) error, up func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a fault of the program, please report it: %v\n%s", r, debug.Stack())
		}
	}()
	return run(ctx, up)
}

// note keeps why a part does not run, and logs it if it is news.
func (p *Parts) note(name string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch before, failed := p.why[name]; {
	case err == nil && failed:
		delete(p.why, name)
		p.log.Info("a part runs again", "part", name)
	case err != nil && (before == nil || before.Error() != err.Error()):
		p.why[name] = err
		p.log.Error("a part does not run: the game goes on without it, and it is tried again", "part", name, "error", err)
	}
}

// Wait returns when all parts have ended.
func (p *Parts) Wait() { p.all.Wait() }

// Health lists the parts that do not run, and why, by name.
func (p *Parts) Health() (list []sensing.Part) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, why := range p.why {
		part := sensing.Fixed(name)
		part.Tell(say.Of(why))
		part.Detail, _, _ = strings.Cut(part.Detail, "\n") // the rest is for the log
		list = append(list, part)
	}
	slices.SortFunc(list, func(a, b sensing.Part) int { return strings.Compare(a.Name, b.Name) })
	return list
}
