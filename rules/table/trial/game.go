// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/rules/table/solo"
	"boardd/rules/table/trial/hands"
	"boardd/rules/table/trial/physics"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// Setting is what games are played with.
type Setting struct {
	Game   *rules.Variant
	Board  physics.Kind
	Habits hands.Habits // that people may have
	Alone  bool         // one of them, often; otherwise each of them now and then
	Factor float64      // of the bad figures: 1 as bought
	Fault  bool         // one sensor of each board fails in the first minutes
	Busy   bool         // now and then the computer has no time to read any sensor
	Copied bool         // Black plays at another board, and hands copy what it plays
	Sent   bool         // moves are taken as if each went to another board, and only when they are as sure as that
}

// game is one game that is being played.
type game struct {
	Setting
	dice     *rand.Rand
	often    [hands.Count]float64 // each habit
	stalls   *rand.Rand           // when the computer is busy; nil: never
	busy     [2]time.Duration     // from when until when it is the next time
	geometry wood.Geometry
	scene    *physics.Scene
	crew     *hands.Crew
	table    *solo.Table
	began    time.Time

	truth   []rules.Move
	places  []rules.Position // before each move, and now
	pending int              // moves that were made and not judged yet
	undone  rules.Move       // that is judged to be taken back, NoMove for none
	script  *hands.Script    // of the last one
	habits  hands.Habits
	equal   time.Duration // since when the table has the truth, -1 while it has not
	asked   time.Duration // since when a question is open, -1 while none is
	alarm   bool          // since this was reset
	early   bool          // the table has had a move that was not made, since the hands began
	leant   bool          // somebody leant on the board then
	unread  bool          // the computer was busy while the moves that are judged were made
	alarmed string        // when the first one was, and what it said
	broken  error         // of the world
	stuck   bool          // the table stays out of step, whatever it is told: nothing of what would follow is news
	count   *Count
	tape    *tape
}

// Play plays one game of at most this many moves, drawn from a seed, and counts. Failures are told as they come, with
// the trace of the game since the last one where traces are wanted; nil: nobody listens.
func Play(s Setting, seed uint64, moves int, fail func(Failure)) (count Count, err error) {
	count = Count{Games: 1, fail: fail}
	g := start(s, seed, &count)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s/%s seed %d, move %d: the table panics: %v", s.Game, s.Board, seed, len(g.truth), r)
			g.failed("panic", fmt.Sprint(r))
		}
	}()
	for g.broken == nil && !g.stuck && g.count.Moves < moves && len(g.truth) < longest {
		m, ok := g.choose()
		if !ok {
			break
		}
		if err := g.move(m); err != nil {
			return count, fmt.Errorf("%s/%s seed %d, move %d: %w", s.Game, s.Board, seed, len(g.truth), err)
		}
		if g.now().Result() != rules.Playing {
			break
		}
	}
	g.judge()
	return count, g.broken
}

// start sets a board up and begins a game.
func start(s Setting, seed uint64, count *Count) *game {
	g := &game{Setting: s, script: &hands.Script{}, dice: rand.New(rand.NewPCG(seed, 1)), began: time.Unix(0, 0),
		count: count, equal: -1, asked: -1}
	g.places = []rules.Position{s.Game.Start()}
	draw := physics.Draw{Rand: rand.New(rand.NewPCG(seed, 2)), Factor: s.Factor}
	g.scene = physics.New(s.Board, cubeHeight, draw)
	g.geometry = g.measured()
	var masses [128]float64
	for letter, mg := range g.geometry.Mass {
		masses[letter] = float64(mg) / 1000
	}
	lies := g.geometry.Lay(g.now())
	g.crew = hands.New(g.scene, &lies, masses, rand.New(rand.NewPCG(seed, 3)), s.Factor)
	if s.Sent {
		g.table = solo.NewSending(g.geometry, *g.now())
	} else {
		g.table = solo.New(g.geometry, *g.now())
	}
	if s.Fault {
		g.scene.Break(breaks)
	}
	if s.Busy {
		g.stalls = rand.New(rand.NewPCG(seed, 5))
		g.stall(settle)
	}
	g.draw(rand.New(rand.NewPCG(seed, 4)))
	if count.fail != nil {
		g.tape = newTape(g)
	}
	g.run(settle, nil)
	return g
}

// draw draws how often people have each habit. Those that former reports did not have are drawn from later, so that
// their games with one other habit stay what they were.
func (g *game) draw(later *rand.Rand) {
	for i := range g.often {
		dice, most := g.dice, mostAll
		if i >= former {
			dice = later
		}
		if hands.Long.Has(1 << i) {
			most = mostLong
		}
		if g.often[i] = dice.Float64() * most; g.Alone {
			g.often[i] = alone
		}
	}
}

// measured is what the daemon knows of the board: the reference figures, and half of the boards have been measured
// by their builder.
func (g *game) measured() wood.Geometry {
	w := wood.Reference()
	w = Senses(w, g.Board)
	if w.Scale { // nobody plays on one that was not measured: it would know no place
		w.CellNoise = int32(g.scene.CornerNoise() * 1000)
	}
	if g.dice.IntN(2) == 0 {
		return w
	}
	g.scene.Calibrate()
	for i := range 64 {
		if w.Weights {
			w.CellNoises[i] = int32(g.scene.Noise(i) * 1000)
		}
		if w.Heights {
			w.RangeNoises[i] = int32(g.scene.RangeNoise(i) * 1000)
		}
	}
	return w
}

// Senses is a geometry with the sensors of a kind of board.
func Senses(w wood.Geometry, kind physics.Kind) wood.Geometry {
	w.TwoDecks, w.Heights = kind == physics.Twin, kind == physics.Twin
	w.Weights, w.Scale = kind == physics.Stack, kind == physics.Scale
	return w
}

func (g *game) now() *rules.Position { return &g.places[len(g.places)-1] }

// run lets time go on until a time, or until something is so.
func (g *game) run(until time.Duration, enough func() bool) {
	for g.scene.Now < until {
		if g.stalls != nil && g.scene.Now >= g.busy[0] {
			g.unread = true
			if g.scene.Advance(min(until, g.scene.Now+stallStep)); g.scene.Now >= g.busy[1] {
				g.stall(g.scene.Now)
			}
			continue
		}
		next := min(until, g.scene.Next())
		if again := g.table.Again(); !again.IsZero() {
			next = min(next, max(again.Sub(g.began), g.scene.Now+time.Millisecond))
		}
		g.scene.Advance(next)
		heard := false
		g.scene.Sweep(g.began, func(r *sensing.Reading) {
			heard = true
			if g.tape != nil {
				g.tape.w.Reading(r)
			}
			g.table.Observe(r)
			g.watch()
		})
		if !heard {
			if again := g.table.Again(); !again.IsZero() && again.Sub(g.began) <= next {
				g.table.Look(g.began.Add(next))
				g.watch()
			}
		}
		if g.Board == physics.Twin {
			g.scene.Await(g.table.Decoder.HeightsNeeded())
		}
		if enough != nil && enough() {
			return
		}
	}
}

// stall draws when the computer is busy the next time: mostly for a moment, seldom for seconds.
func (g *game) stall(after time.Duration) {
	from := after + time.Duration(g.stalls.ExpFloat64()*float64(stallsEvery))
	g.busy = [2]time.Duration{from, from + time.Duration(float64(stallLow)*math.Pow(stallMost, g.stalls.Float64()))}
}

// watch notes what the table makes of the wood.
func (g *game) watch() {
	if has := g.table.Moves(); !slices.Equal(has, g.truth) {
		g.equal = -1
		n := min(len(has), len(g.truth))
		g.early = g.early || !slices.Equal(has[:n], g.truth[:n]) || len(has) > n && g.undone == rules.NoMove
	} else if g.equal < 0 {
		g.equal = g.scene.Now
	}
	state := g.table.State()
	if state != table.Asking {
		g.asked = -1
	} else if g.asked < 0 {
		g.asked = g.scene.Now
	}
	if state == table.Wrong && !g.alarm {
		g.alarm = true
		_, rim := g.crew.Leant(g.scene.Now)
		g.leant = rim || slices.ContainsFunc(g.scene.Presses, func(p *physics.Press) bool { return p.Lasts(g.scene.Now) })
		g.alarmed = fmt.Sprintf("%v after the last touch: %v",
			(g.scene.Now - g.script.Release).Round(time.Millisecond), g.table.Last().Discrepancies)
	}
}

// move plays a move, and judges it unless the reply comes at once.
func (g *game) move(m rules.Move) error {
	if g.Copied && g.now().Turn() == rules.Black {
		return g.copy(m)
	}
	quick := g.pending == 1 && g.habits.Has(hands.Quick)
	begin := g.scene.Now + thinkLow + time.Duration(g.dice.Float64()*float64(thinkHigh-thinkLow))
	if quick {
		begin = g.script.Release + time.Duration(g.dice.Int64N(int64(replyLate)))
	} else if g.judge(); g.stuck {
		return nil
	} else if len(g.table.Moves()) != len(g.truth) {
		return fmt.Errorf("the table has %d moves after %d were played and said", len(g.table.Moves()), len(g.truth))
	}
	p := g.now()
	after := *p
	after.Play(m)
	g.habits = g.drawn()
	if err := g.perform(begin, p.Turn(), &after, m); err != nil {
		return fmt.Errorf("%s: %w", p.Coord(m), err)
	}
	g.truth, g.equal = append(slices.Clone(g.truth), m), -1
	g.places = append(g.places, after)
	g.pending++
	g.count.Moves++
	g.run(g.script.Release, nil)
	if !g.habits.Has(hands.Quick) || quick {
		g.judge()
		if g.habits.Has(hands.Takeback) && len(g.truth) > 0 && !g.stuck {
			return g.takeBack()
		}
	}
	return nil
}

// perform lets hands bring the wood to a position.
func (g *game) perform(begin time.Duration, side rules.Color, after *rules.Position, m rules.Move) error {
	lies := g.geometry.Lay(after)
	from := wood.Place(m.From())
	if g.geometry.TwoDecks && (g.Game.TopFirst() && !m.IsMarked() || m.FromAir()) {
		from += 64
	}
	script, err := g.crew.Play(begin, side, &lies, from, g.habits)
	if err != nil {
		return err
	}
	g.script = script
	g.scene.Hands = append(g.scene.Hands, script.Hands...)
	g.scene.Presses = append(g.scene.Presses, script.Presses...)
	g.scene.Knocks = append(g.scene.Knocks, script.Knocks...)
	g.scene.Tilts = append(g.scene.Tilts, script.Tilts...)
	g.run(script.First, nil)
	g.alarm, g.early = false, false
	g.unread = g.unread && g.pending > 0
	return nil
}

// takeBack takes the last move back by hand, and judges it like a move.
func (g *game) takeBack() error {
	n := len(g.truth) - 1
	before, m := g.places[n], g.truth[n]
	g.habits = g.drawn() &^ (hands.Quick | hands.Takeback | hands.TryOut | hands.ChangeMind) // people know the way back
	if err := g.perform(g.scene.Now+thinkLow, before.Turn(), &before, m); err != nil {
		return fmt.Errorf("back from %s: %w", before.Coord(m), err)
	}
	g.truth, g.places = g.truth[:n:n], g.places[:n+1]
	g.pending, g.equal, g.undone = 1, -1, m
	g.count.Moves++
	g.count.Takebacks++
	g.judge()
	return nil
}

// drawn returns the habits of one move.
func (g *game) drawn() (h hands.Habits) {
	for i := range hands.Count {
		if one := hands.Habits(1) << i; g.Habits.Has(one) && g.dice.Float64() < g.often[i] {
			h |= one
		}
	}
	return h
}
