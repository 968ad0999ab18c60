// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardd/cmd/boardd/page"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/sensing"
	"boardd/sensing/sweep"
	"boardd/sync/broker"
	"boardd/sync/mirror"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// flood is for make soak: how long the pace is measured for each flood, with and without it in turn.
var flood = flag.Duration("flood", 0, "measure the sensors' pace under each flood for so long; 0 only looks that "+
	"nothing is lost")

// paced is a bank of sensors whose readings are timed as the board takes them.
type paced struct {
	sensing.Source
	news chan struct{} // capacity 1: one more pause, or several, that nobody has looked at
	mu   sync.Mutex
	last time.Time
	seen pace
}

// pace is how fast sensors were read.
type pace struct {
	gaps   []time.Duration // from one reading to the next
	sweeps []time.Duration // of reeds: to ask all chips once
}

// add appends another's figures.
func (p *pace) add(q pace) {
	p.gaps, p.sweeps = append(p.gaps, q.gaps...), append(p.sweeps, q.sweeps...)
}

// Run passes on readings and keeps the time between each and the one before, and how long the sweep took.
func (p *paced) Run(ctx context.Context, out chan<- sensing.Reading) error {
	in := make(chan sensing.Reading) // capacity 0: a reading waits here as it would wait in the board
	passed := make(chan struct{})
	inner, stop := context.WithCancel(ctx)
	go func() {
		defer close(passed)
		for {
			select {
			case r := <-in:
				select {
				case out <- r:
				case <-inner.Done():
					return
				}
				p.mu.Lock()
				now := time.Now()
				if !p.last.IsZero() {
					p.seen.gaps = append(p.seen.gaps, now.Sub(p.last))
				}
				p.last = now
				if r.Kind == sensing.Reeds {
					p.seen.sweeps = append(p.seen.sweeps, p.Source.Health()[0].Sweep)
				}
				p.mu.Unlock()
				select {
				case p.news <- struct{}{}:
				default:
				}
			case <-inner.Done():
				return
			}
		}
	}()
	after := func() {}
	if p.Source.Health()[0].Name == "reeds" {
		after, _ = sweep.First() // as on a real board
	}
	err := p.Source.Run(ctx, in)
	after()
	stop()
	<-passed
	return err
}

// take returns what was seen since its last call. The next pause begins with the next reading, or with the last if
// there was none yet. Otherwise who takes after each reading would never see one.
func (p *paced) take() pace {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := p.seen
	if len(seen.gaps) > 0 {
		p.seen, p.last = pace{}, time.Time{}
	}
	return seen
}

// TestFlood floods the page and the broker of a board that is played on: every move counts, whatever comes. With
// -flood it measures the pace of the sensors, quiet and flooded in turn. It runs without the race detector: the NATS
// server closes a flooded connection while its own parsers look at it unlocked.
func TestFlood(t *testing.T) {
	looked(t)
	c := config.Default()
	c.Board, c.StateDir, c.Virtual, c.Variant = "flooded", t.TempDir(), true, "chess"
	b, err := newBoard(c, rig.Open, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var banks []*paced
	news := make(chan struct{}, 1)
	for i, s := range b.rig.Sources {
		p := &paced{Source: s, news: news}
		b.rig.Sources[i], banks = p, append(banks, p)
	}
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir(),
		Users: []broker.User{{Name: c.Board, Password: "b", Board: c.Board},
			{Name: "passing", Password: "o", Board: "passing"}, {Name: "away", Password: "o", Board: "away"},
			{Name: "kept", Password: "o", Board: "kept"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	b.mirror = mirror.New(mirror.Options{Board: c.Board, URL: br.URL(), User: c.Board, Password: "b"})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sweep.Spare() // as for a daemon
	ctx, stop := context.WithCancel(t.Context())
	var daemon sync.WaitGroup
	defer daemon.Wait()
	defer stop()
	daemon.Go(func() { must(t, b.run(ctx)) })
	l, err := page.Listen("127.0.0.1:0", false, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	pages := web.Handler(web.Options{Access: web.Access{Visitors: web.Spectator}}, b.page())
	daemon.Go(func() { must(t, page.Serve(ctx, l, pages, slog.New(slog.DiscardHandler))) })
	rounds, span := mostRounds, *flood/(2*mostRounds)
	if span == 0 {
		rounds = 1
	}
	seen := func() (all pace) {
		for _, p := range banks {
			all.add(p.take())
		}
		return all
	}
	// listen returns what is seen in a while; without -flood it waits only until there is something of both.
	listen := func() (all pace) {
		if span > 0 {
			select {
			case <-time.After(span):
			case <-t.Context().Done():
			}
		}
		late := time.After(soonEnough) // on a busy machine a reading takes its time
		for all = seen(); len(all.gaps) == 0 || len(all.sweeps) == 0; all.add(seen()) {
			select {
			case <-news:
			case <-late:
				return pace{}
			}
		}
		return all
	}
	line := strings.Fields("a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 " +
		"b3b4 b6b5 c3c4 c6c5 d3d4 d6d5")
	played := 0
	var taken atomic.Int64
	flows := make(chan struct{}, 1) // capacity 1: some more was taken
	took := func() {
		taken.Add(aSign)
		select {
		case flows <- struct{}{}:
		default:
		}
	}
	for _, name := range slices.Sorted(maps.Keys(floods("", "", nil))) {
		var quiet, flooded []pace // by round
		for round := range rounds {
			seen()
			quiet = append(quiet, listen())
			end := flooding(t, name, l.Addr().String(), br.URL(), took)
			late, enough := context.WithTimeout(ctx, soonEnough)
			for range 2 { // the first may be of the flood before
				select {
				case <-flows:
				case <-late.Done():
					t.Errorf("%s: there is no flood", name)
				}
			}
			if round < len(line)/8 {
				r := b.ask(late, wire.Command{ID: fmt.Sprint(played), Do: wire.DoMove, Move: line[played]}, atPage)
				if !r.OK {
					t.Errorf("%s: move %d: %s", name, played+1, r.Error)
				}
				played++
			}
			enough()
			flooded = append(flooded, listen())
			end()
		}
		for _, what := range []struct {
			name string
			of   func(pace) []time.Duration
		}{
			{"from reading to reading", func(p pace) []time.Duration { return p.gaps }},
			{"a sweep of the reeds", func(p pace) []time.Duration { return p.sweeps }},
		} {
			var calm, busy [][]time.Duration
			for i := range quiet {
				calm, busy = append(calm, what.of(quiet[i])), append(busy, what.of(flooded[i]))
			}
			n := len(slices.Concat(busy...))
			if *flood > 0 {
				verdict, told := judge(calm, busy)
				if verdict != "" {
					t.Errorf("%s: %s: %s: %s", name, what.name, verdict, told)
				}
				t.Logf("%-30s %-23s %s (%d and %d), %d taken", name, what.name, told, len(slices.Concat(calm...)), n, taken.Load())
			}
			if n == 0 {
				t.Errorf("%s: %s: the sensors were not read", name, what.name)
			}
		}
		taken.Store(0)
	}
	g, err := wire.DecodeGame(b.feed.Get("game"))
	if err != nil || len(g.Moves) != played {
		t.Errorf("%d moves are played of %d that were acknowledged: %v", len(g.Moves), played, err)
	}
}

// mostRatio is how much slower sensors may be read under a flood (docs/safety.md has what was measured).
const mostRatio = 2

// mostRounds is how often quiet and flood take turns.
const mostRounds = 12

// judge compares quiet rounds with the flooded ones that follow each. What else the machine does disturbs some
// rounds, a flood disturbs all of its own. So the median of the rounds' ratios must hold, however busy the machine is.
// The ratio over all rounds must hold only where the quiet rounds agree with each other. Otherwise other work may have
// caused it.
func judge(quiet, flooded [][]time.Duration) (verdict, told string) {
	var ratios, calm []float64
	for i := range quiet {
		q := p99(slices.Clone(quiet[i]))
		calm = append(calm, float64(q))
		ratios = append(ratios, float64(p99(slices.Clone(flooded[i])))/float64(max(q, 1)))
	}
	q, f := p99(slices.Concat(quiet...)), p99(slices.Concat(flooded...))
	median, ratio := medianOf(ratios), float64(f)/float64(max(q, 1))
	agree := slices.Max(calm) <= mostRatio*medianOf(calm)
	told = fmt.Sprintf("p99 quiet %v, flooded %v, ratio %.2f, median of the rounds' ratios %.2f", q, f, ratio, median)
	if !agree {
		told += ", the machine has other work"
	}
	switch {
	case median > mostRatio:
		return fmt.Sprintf("in most rounds the flooded times are more than %d times the quiet ones", mostRatio), told
	case ratio > mostRatio && agree:
		return fmt.Sprintf("the flooded times are more than %d times the quiet ones", mostRatio), told
	}
	return "", told
}

// medianOf is the median.
func medianOf(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// p99 is what 99 of 100 are below.
func p99(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)*99/100]
}

// TestJudge: a flood that slows the sensors is found on a busy machine as on a quiet one. Other work that stalls some
// rounds is not taken for a flood, and on a quiet machine a single stall under the flood is found.
func TestJudge(t *testing.T) {
	ms := func(list ...int) (rounds [][]time.Duration) {
		for _, n := range list {
			rounds = append(rounds, []time.Duration{41 * time.Millisecond, time.Duration(n) * time.Millisecond})
		}
		return rounds
	}
	calm, busy := ms(41, 42, 41, 43, 41, 42, 41), ms(41, 42, 180, 43, 300, 42, 41)
	for _, c := range []struct {
		name           string
		quiet, flooded [][]time.Duration
		found          bool
	}{
		{"no effect", calm, calm, false},
		{"busy in both", busy, ms(41, 160, 41, 41, 350, 42, 43), false},
		{"a stall of other work while it is flooded", busy, ms(41, 42, 41, 41, 2000, 42, 43), false},
		{"a flood that slows", calm, ms(90, 91, 90, 95, 99, 98, 120), true},
		{"a flood that slows, and other work", busy, ms(190, 191, 190, 195, 199, 198, 120), true},
		{"a flood that stalls once, and no other work", calm, ms(41, 42, 41, 41, 2000, 42, 43), true},
	} {
		if verdict, told := judge(c.quiet, c.flooded); (verdict != "") != c.found {
			t.Errorf("%s: %q, %s", c.name, verdict, told)
		}
	}
}
