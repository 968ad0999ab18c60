// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/level"
	"boardd/rules/search/mate"
)

// thought is one search, which runs in a goroutine of its own until it has said bestmove.
type thought struct {
	limits  *limits
	pos     rules.Position
	stopped *flag // the client said stop
	ponder  *flag // the client said ponderhit, or did not ask to ponder
	over    chan struct{}
	begun   atomic.Int64 // when the clock began to run, in nanoseconds after start
	start   time.Time
	bounded bool // it ends by itself, unless it is infinite or ponders
	level   int
	seed    uint64 // 0: nothing is left to chance
}

func (t *thought) end() { t.stopped.raise() }

func (t *thought) hit() {
	t.begun.Store(int64(time.Since(t.start)))
	t.ponder.raise()
}

// endless reports whether the thought ends only at a word of the client.
func (t *thought) endless() bool {
	return t.limits.infinite || !t.bounded || t.limits.ponder && !t.ponder.up.Load()
}

// mateless is how deep is searched at most for a move when no mate is proven, and the client has set no other limit.
const mateless = 8

// think begins to think about the position.
func (e *Engine) think(l *limits) error {
	t := &thought{limits: l, pos: e.pos, stopped: newFlag(), ponder: newFlag(), over: make(chan struct{}),
		start: time.Now()}
	if !l.ponder {
		t.ponder.raise()
	}
	var only []rules.Move
	for _, text := range l.only {
		m, err := coordinate(&e.pos, text)
		if err != nil {
			return fmt.Errorf("go: searchmoves: %w", err)
		}
		only = append(only, m)
	}
	if e.search == nil {
		e.search = search.New(level.Eval(e.variant, e.numbers[levelOption].value), e.numbers[hash].value<<20)
	}
	s := level.Limits(e.variant, e.numbers[levelOption].value)
	if l.nodes > 0 {
		if s.Nodes == 0 || l.nodes < s.Nodes {
			s.Nodes = l.nodes
		}
		s.ClearTable = s.ClearTable || !e.keep
	}
	if l.depth > 0 && (s.Depth == 0 || l.depth < s.Depth) {
		s.Depth = l.depth
	}
	t.bounded = s.Nodes > 0 || s.Depth > 0 || l.moveTime > 0 || l.clock
	if l.mate != 0 && !t.bounded && !l.infinite {
		s.Depth, t.bounded = min(2*max(l.mate, -l.mate), mateless), true
	}
	s.MultiPV, s.SearchMoves = e.numbers[multiPV].value, only
	e.thought = t
	t.level, t.seed = e.numbers[levelOption].value, uint64(e.numbers[seed].value)
	if l.infinite || l.nodes > 0 || l.depth > 0 || len(only) > 0 {
		t.seed = 0 // this is an analysis
	}
	go e.run(t, e.search, e.past, s)
	return nil
}

// run thinks, and says bestmove when it may.
func (e *Engine) run(t *thought, s *search.Search, past []uint64, l search.Limits) {
	defer close(t.over)
	soft, hard := t.limits.budget(t.pos.Turn())
	spent := func() time.Duration { return time.Since(t.start) - time.Duration(t.begun.Load()) } // by no wall clock
	l.Stop = func() bool {
		return t.stopped.up.Load() || hard > 0 && t.ponder.up.Load() && spent() >= hard
	}
	best, next := e.prove(t, l.Stop)
	if t.limits.mate < 0 {
		best = e.defend(t, s, past, l)
	}
	if best == "" {
		info := s.Run(t.pos, past, l, func(i search.Info) bool {
			e.report(t, &i, l.MultiPV > 1)
			return !e.forced(t, &i, l.MultiPV) && !(soft > 0 && t.ponder.up.Load() && spent() >= soft)
		})
		chosen := level.Vary(s, t.pos, past, t.level, t.seed, info, l.Stop)
		if chosen.Move() != info.Move() {
			e.report(t, &chosen, false)
		}
		best, next = name(&t.pos, &chosen)
	}
	if t.limits.infinite {
		<-t.stopped.ch
	}
	select {
	case <-t.ponder.ch:
	case <-t.stopped.ch:
	}
	if next != "" {
		e.say("bestmove %s ponder %s", best, next)
		return
	}
	e.say("bestmove %s", best)
}

// forcedDepth is how deep a forced move is searched. It is deep enough for a score that means something.
const forcedDepth = 8

// forced reports whether there is but one move, and nothing more to be found out with the time that is given.
func (e *Engine) forced(t *thought, i *search.Info, lines int) bool {
	given := t.limits.clock || t.limits.moveTime > 0
	return given && lines == 1 && i.Depth >= forcedDepth && !t.endless() && t.pos.CountMoves() == 1
}

// name is the first two moves of the best line.
func name(p *rules.Position, info *search.Info) (best, next string) {
	m := info.Move()
	if m == rules.NoMove {
		return "(none)", ""
	}
	if best = p.Coord(m); len(info.Lines[0].Moves) > 1 {
		q := *p
		q.Play(m)
		next = q.Coord(info.Lines[0].Moves[1])
	}
	return best, next
}

// report says what the search has found so far.
func (e *Engine) report(t *thought, i *search.Info, numbered bool) {
	span := max(time.Since(t.start), time.Microsecond)
	for n, line := range i.Lines {
		number := ""
		if numbered {
			number = fmt.Sprintf(" multipv %d", n+1)
		}
		e.say("info depth %d seldepth %d%s score %s nodes %d nps %d hashfull %d time %d pv %s", i.Depth,
			max(i.SelDepth, i.Depth), number,
			score(line.Score), i.Nodes, int64(float64(i.Nodes)/span.Seconds()), i.HashFull, span.Milliseconds(),
			coords(t.pos, line.Moves))
	}
}

func score(s int) string {
	if n := search.MateIn(s); n != 0 {
		return fmt.Sprintf("mate %d", n)
	}
	return fmt.Sprintf("cp %d", s)
}

// coords returns the coordinate forms of a line of moves.
func coords(p rules.Position, moves []rules.Move) string {
	var words []string
	for _, m := range moves {
		words = append(words, p.Coord(m))
		p.Play(m)
	}
	return strings.Join(words, " ")
}

// solverBytes is the table of the prover.
const solverBytes = 8 << 20

// prove answers "go mate": the first move of a proven mate, "" if there is none or nobody asked for it.
func (e *Engine) prove(t *thought, stop func() bool) (best, next string) {
	if t.limits.mate <= 0 {
		return "", ""
	}
	solver := mate.New(solverBytes)
	solver.Stop = stop
	for n := 1; n <= min(t.limits.mate, mate.Most); n++ {
		if in, whole := solver.MateIn(t.pos, n); in == 0 && whole {
			continue
		}
		line := solver.Line(t.pos, n)
		if len(line) == 0 {
			break
		}
		words := coords(t.pos, line)
		e.say("info depth %d score mate %d nodes %d nps %d time %d pv %s", 2*n-1, n, solver.Nodes,
			int64(float64(solver.Nodes)/max(time.Since(t.start), time.Microsecond).Seconds()),
			time.Since(t.start).Milliseconds(), words)
		best, next, _ = strings.Cut(words, " ")
		next, _, _ = strings.Cut(next, " ")
		return best, next
	}
	if !stop() {
		e.say("info string no mate in %d", t.limits.mate)
	}
	return "", ""
}

// wishNodes is how many positions are searched for a good move, before it is proven that it holds. Chosen, not
// measured.
const wishNodes = 20_000

// defend answers "go mate -N": whether the side to move is mated in N moves of its opponent, whatever it plays. Its
// move is the one that the search likes, if that holds, else another one that does. Without any, it is the one that
// holds out longest. It is "" if no move is legal.
func (e *Engine) defend(t *thought, s *search.Search, past []uint64, l search.Limits) string {
	if l.Nodes == 0 || l.Nodes > wishNodes {
		l.Nodes = wishNodes
	}
	info := s.Run(t.pos, past, l, func(search.Info) bool { return true })
	if info.Move() == rules.NoMove {
		return ""
	}
	solver := mate.New(solverBytes)
	solver.Stop = l.Stop
	n := min(-t.limits.mate, mate.Most)
	m, in, whole := solver.Defence(t.pos, n, info.Move())
	switch {
	case !whole:
		e.say("info string it is not proven in time whether there is a mate in %d", n)
		m = info.Move()
	case in == 0:
		e.say("info string no mate in %d", n)
	default:
		e.say("info depth %d score mate -%d nodes %d time %d pv %s", 2*n, in, solver.Nodes,
			time.Since(t.start).Milliseconds(), t.pos.Coord(m))
	}
	return t.pos.Coord(m)
}
