package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/trace"
)

// replayTrace feeds a recorded sensor trace through recognition and prints the game.
func replayTrace(_ context.Context, s std, args []string) error {
	f := flag.NewFlagSet("replay", flag.ContinueOnError)
	kind := f.String("board", "stack", "the kind of board that was recorded: stack, twin or reeds")
	files, err := parse(f, s, args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return misuse("name one trace")
	}
	if !slices.Contains([]string{"stack", "twin", "reeds"}, *kind) {
		return misuse("--board %q: it is stack, twin or reeds", *kind)
	}
	file, err := os.Open(files[0])
	if err != nil {
		return fmt.Errorf("cannot read the trace: %w", err)
	}
	defer file.Close()
	t, err := trace.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	g := reconcile.Reference()
	g.TwoDecks, g.Weights, g.Heights = *kind == "twin", *kind == "stack", *kind == "twin"
	r := newReplayer(s.out, g, t)
	r.run()
	fmt.Fprintf(s.out, "%d moves by hand, %d differ from the record\n", r.moves, r.differ)
	if r.differ > 0 {
		return fmt.Errorf("recognition differs from the record in %d places", r.differ)
	}
	return nil
}

// replayer walks through a trace in virtual time.
type replayer struct {
	out     io.Writer
	t       *trace.Trace
	d       *reconcile.Decoder
	line    []rules.Position // positions so far, the last one is the game
	begin   time.Time
	now     time.Time
	held    map[string]sensing.Reading // the newest reading of each bank
	weights time.Time                  // when the analog banks are due
	found   []string                   // moves recognised that the record has still to name
	moves   int
	differ  int
}

// The cadence at which held readings are given again: a bank goes on sweeping while nothing changes.
const (
	replayReeds  = 2 * time.Millisecond
	replayAnalog = 12500 * time.Microsecond
	grace        = 50 * time.Millisecond   // by which the replay may be later than the board was
	replayTail   = 1500 * time.Millisecond // after so long without news nothing more can follow
)

func newReplayer(out io.Writer, g reconcile.Geometry, t *trace.Trace) *replayer {
	r := &replayer{out: out, t: t, d: reconcile.New(g, reconcile.DefaultTiming()), line: []rules.Position{t.Start},
		begin: time.Unix(0, 0), now: time.Unix(0, 0), held: map[string]sensing.Reading{}}
	r.expect()
	return r
}

func (r *replayer) run() {
	for i := range r.t.Entries {
		e := &r.t.Entries[i]
		r.until(r.begin.Add(e.At))
		switch {
		case e.Reading != nil:
			e.Reading.At = r.now
			r.held[e.Reading.Kind.String()+e.Reading.Deck.String()] = *e.Reading
			r.d.Observe(e.Reading)
			r.look()
		case e.Back > 0:
			r.line = r.line[:max(1, len(r.line)-e.Back)]
			r.expect()
		case e.Move != "":
			r.recorded(e)
		}
	}
	r.until(r.now.Add(replayTail))
	for _, m := range r.found {
		r.differ++
		fmt.Fprintf(r.out, "%8.3f s  %s is not in the record\n", r.seconds(), m)
	}
}

// until lets the held readings be swept on, as long as that can change anything.
func (r *replayer) until(end time.Time) {
	quiet := r.now.Add(replayTail)
	for r.now.Add(replayReeds).Before(end) && r.now.Before(quiet) {
		r.now = r.now.Add(replayReeds)
		analog := !r.now.Before(r.weights)
		if analog {
			r.weights = r.now.Add(replayAnalog)
		}
		for _, h := range r.held {
			if h.Kind == sensing.Reeds || analog {
				h.At = r.now
				r.d.Observe(&h)
			}
		}
		r.look()
	}
	if end.After(r.now) {
		r.now = end
	}
}

func (r *replayer) position() *rules.Position { return &r.line[len(r.line)-1] }

func (r *replayer) seconds() float64 { return r.now.Sub(r.begin).Seconds() }

func (r *replayer) expect() {
	bases := []reconcile.Base{{Position: *r.position(), Moves: true}}
	if n := len(r.line); n > 1 {
		bases = append(bases, reconcile.Base{Position: r.line[n-2], Moves: true, Back: true})
	}
	r.d.Expect(bases)
}

// look acts on what the decoder finds, as the daemon does.
func (r *replayer) look() {
	e := r.d.Explain(r.now)
	if e.State != reconcile.Moved {
		return
	}
	r.line = r.line[:len(r.line)-e.Base]
	p := *r.position()
	name := p.Coord(e.Move)
	fmt.Fprintf(r.out, "%8.3f s  %-8s %-10s margin %5.1f  after %v of rest\n", r.seconds(), name, p.SAN(e.Move), e.Margin, e.Waited)
	r.moves++
	r.found = append(r.found, name)
	p.Play(e.Move)
	r.line = append(r.line, p)
	r.expect()
}

// recorded compares a move of the record with what was found, and goes on from the record.
func (r *replayer) recorded(e *trace.Entry) {
	r.look()
	if e.Here && len(r.found) == 0 {
		r.until(r.now.Add(grace)) // the board may have looked between two sweeps
	}
	if len(r.found) > 0 && r.found[0] == e.Move {
		r.found = r.found[1:]
		return
	}
	if e.Here {
		r.differ++
		fmt.Fprintf(r.out, "%8.3f s  the record has %s, which was not recognised\n", r.seconds(), e.Move)
	}
	p := *r.position()
	m, err := p.ParseMove(e.Move)
	if err != nil {
		r.differ++
		fmt.Fprintf(r.out, "%8.3f s  the record has %s: %v\n", r.seconds(), e.Move, err)
		return
	}
	p.Play(m)
	r.line = append(r.line, p)
	r.expect()
}
