// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"io"
	"math/rand/v2"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/rules/table/solo"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
	"boardd/sensing/wood"
)

// longest is the number of moves after which a game is ended.
const longest = 160

// match is one game by virtual hands on one board.
type match struct {
	scene  scene
	number uint64
	seed   uint64
	t      *tally
	say    io.Writer // tells every move when one game is played alone; nil: silent
	record *trace.Writer

	g     wood.Geometry
	rand  *rand.Rand
	style hands.Style
	table hands.Table
	feel  *physics.Sampler
	ref   *solo.Table
	plain plain
	wired string // what is broken

	pos    rules.Position // what hands have made
	truth  []rules.Move
	biased bool

	acting    bool
	first     time.Duration // the first touch of this move
	from      wood.Place    // where it was
	lit       bool
	contact   [3]time.Duration // the last contact, as a reed, a load cell and a height sensor see it
	touched   wood.Set
	wrong     bool // the wood is called wrong
	last      solo.Event
	asked     bool
	choices   []reconcile.Choice
	before    wood.Wood
	after     wood.Wood
	stalls    int
	misplaced bool                                      // hands are empty, and the move is not done
	shown     [2]struct{ Known, Closed rules.Bitboard } // by the reeds, as last seen
	changed   bool
	hasty     bool // the reply began before the move was accepted
	recorded  int  // moves that the trace holds
	here      bool // those that it does not hold yet were recognised
}

// lineTime is how long a picture is on the LED line: 12 bytes a light at 2.5 MHz, as hardware/report measures it.
func lineTime(g *wood.Geometry) time.Duration {
	lights := 64
	if g.TwoDecks {
		lights = 128
	}
	return time.Duration(12*lights+6) * 8 * 400 * time.Nanosecond
}

// newMatch prepares one game.
func newMatch(s scene, seed, number uint64, t *tally) *match {
	level, _ := physics.LevelByName(s.level)
	m := &match{scene: s, number: number, seed: seed, t: t, g: s.geometry(&level), style: hands.StyleByName(s.level)}
	m.rand = rand.New(rand.NewPCG(seed, number^s.seedOffset()))
	m.biased = number%2 == 1
	v, _ := rules.ByID(s.game)
	m.pos = v.Start()
	decks := 1
	if m.g.TwoDecks {
		decks = 2
	}
	o := physics.Options{Level: level, Seed: m.rand.Uint64(), Decks: decks, Cube: m.g.CubeHeight, Scale: m.g.Scale}
	for i, mg := range m.g.Mass {
		o.Mass[i] = float64(mg)
	}
	m.table.World = physics.New(o)
	rig := physics.Reference(decks, m.g.Weights, m.g.Heights)
	rig.Scale = m.g.Scale
	rig.Calm = 300 * ms // readings that show only noise are computed less often
	if rig.Eager = 600 * ms; s.level == "rough" {
		rig.Eager = eager
	}
	m.feel = physics.NewSampler(m.table.World, rig, time.Unix(1000, 0))
	m.ref = solo.New(m.g, m.pos)
	m.ref.Tell = m.handle
	m.plain = plain{layered: v.Layered(), twoDecks: m.g.TwoDecks, tally: t}
	wood := m.g.Lay(&m.pos)
	m.table.Stand(0, &wood)
	for _, f := range s.faults {
		m.wired += breakPart(f, m.table.World, m.feel, m.rand, decks, s.board) + "; "
	}
	return m
}

// recordTo writes the game's trace.
func (m *match) recordTo(w io.Writer) (finish func() error) {
	z := gzip.NewWriter(w)
	m.record = trace.New(z, time.Unix(1000, 0), &m.pos)
	rerun.WriteGeometry(m.record, &m.g)
	return func() error {
		if err := m.record.Flush(); err != nil {
			return err
		}
		return z.Close()
	}
}

// play plays the game.
func (m *match) play(limit int) {
	m.t.games++
	m.settle()
	m.pass(m.feel.Now() + 600*ms)
	var moves []rules.Move
	for len(m.truth) < min(longest, limit) && m.stalls < 3 {
		if moves = m.pos.AppendMoves(moves[:0]); m.pos.Result() != rules.Playing {
			break
		}
		m.make(m.choose(moves))
	}
	if m.stalls >= 3 {
		m.t.given++
	}
	m.pass(m.feel.Now() + 500*ms)
	m.write(m.here)
}

// settle straightens pieces that do not close their reed when the array is set up, as people do when the board asks
// for it.
func (m *match) settle() {
	for q := range wood.Place(wood.Places) {
		if m.table.World.Pile(q.Deck(), q.Square()) != "" && !m.table.World.Stands(q.Deck(), q.Square()) {
			m.table.Straighten(m.feel.Now(), q)
		}
	}
}

func (m *match) positionBefore() *rules.Position { return &m.plain.pos }

// write adds to the trace what was recognised, and what was not.
func (m *match) write(here bool) {
	if m.record == nil {
		return
	}
	v := m.pos.Variant()
	p := v.Start()
	at := m.feel.Time(m.feel.Now())
	for i, x := range m.truth {
		if i >= m.recorded {
			m.record.Move(at, p.Coord(x), here)
		}
		p.Play(x)
	}
	m.recorded = len(m.truth)
}
