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
	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
	"boardd/sensing/wood"
)

// mostMoves is the number of moves after which a game is ended.
const mostMoves = 160

// match is one game by virtual hands on one board.
type match struct {
	scene   scene
	number  uint64
	seed    uint64
	tally   *tally
	verbose io.Writer // tells every move when one game is played alone; nil: silent
	record  *trace.Writer

	geometry wood.Geometry
	rand     *rand.Rand
	style    hands.Style
	table    hands.Table
	sampler  *physics.Sampler
	referee  *solo.Table // takes what is recognised for the game
	plain    plain       // recognises the same moves in a simpler way
	broken   string      // the faults of this board

	position rules.Position // what hands have made
	made     []rules.Move
	biased   bool

	acting         bool
	firstTouch     time.Duration    // the first touch of this move
	firstPlace     wood.Place       // where it was
	lit            bool             // a light has answered it
	lastContact    [3]time.Duration // the last contact, as a reed, a load cell and a height sensor see it
	touched        wood.Set
	calledWrong    bool // the wood is called wrong
	lastMove       solo.Event
	before         wood.Wood
	after          wood.Wood
	stalledInARow  int
	misplaced      bool                                      // hands are empty, and the move is not done
	lastReeds      [2]struct{ Known, Closed rules.Bitboard } // by the reeds, as last seen
	reedsChanged   bool
	early          bool // the reply began before the move was accepted
	recorded       int  // moves that the trace holds
	recognisedHere bool // the moves that the trace does not hold yet were recognised by the board
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
	m := &match{scene: s, number: number, seed: seed, tally: t, geometry: s.geometry(&level),
		style: hands.StyleByName(s.level)}
	m.rand = rand.New(rand.NewPCG(seed, number^s.seedOffset()))
	m.biased = number%2 == 1
	v, _ := rules.ByID(s.game)
	m.position = v.Start()
	decks := 1
	if m.geometry.TwoDecks {
		decks = 2
	}
	o := physics.Options{Level: level, Seed: m.rand.Uint64(), Decks: decks, Cube: m.geometry.CubeHeight,
		Scale: m.geometry.Scale}
	for i, mg := range m.geometry.Mass {
		o.Mass[i] = float64(mg)
	}
	m.table.World = physics.New(o)
	rig := physics.Reference(decks, m.geometry.Weights, m.geometry.Heights)
	rig.Scale = m.geometry.Scale
	rig.Calm = 300 * ms // readings that show only noise are computed less often
	if rig.Eager = 600 * ms; s.level == "rough" {
		rig.Eager = roughEager
	}
	m.sampler = physics.NewSampler(m.table.World, rig, time.Unix(1000, 0))
	m.referee = solo.New(m.geometry, m.position)
	m.referee.Tell = m.hear
	m.plain = plain{layered: v.Layered(), twoDecks: m.geometry.TwoDecks, tally: t}
	wood := m.geometry.Lay(&m.position)
	m.table.Stand(0, &wood)
	for _, f := range s.faults {
		m.broken += breakPart(f, m.table.World, m.sampler, m.rand, decks, s.board) + "; "
	}
	return m
}

// recordTo writes the game's trace.
func (m *match) recordTo(w io.Writer) (finish func() error) {
	z := gzip.NewWriter(w)
	m.record = trace.New(z, time.Unix(1000, 0), &m.position)
	rerun.WriteGeometry(m.record, &m.geometry)
	return func() error {
		if err := m.record.Flush(); err != nil {
			return err
		}
		return z.Close()
	}
}

// play plays the game.
func (m *match) play(limit int) {
	m.tally.games++
	m.settle()
	m.pass(m.sampler.Now() + 600*ms)
	var moves []rules.Move
	for len(m.made) < min(mostMoves, limit) && m.stalledInARow < 3 {
		if moves = m.position.AppendMoves(moves[:0]); m.position.Result() != rules.Playing {
			break
		}
		m.makeMove(m.chooseMove(moves))
	}
	if m.stalledInARow >= 3 {
		m.tally.givenUp++
	}
	m.pass(m.sampler.Now() + 500*ms)
	m.writeTrace(m.recognisedHere)
}

// settle straightens pieces that do not close their reed when the array is set up, as people do when the board asks
// for it.
func (m *match) settle() {
	for q := range wood.Place(wood.Places) {
		if m.table.World.Pile(q.Deck(), q.Square()) != "" && !m.table.World.Stands(q.Deck(), q.Square()) {
			m.table.Straighten(m.sampler.Now(), q)
		}
	}
}

func (m *match) positionBefore() *rules.Position { return &m.plain.position }

// writeTrace adds to the trace what was recognised, and what was not.
func (m *match) writeTrace(here bool) {
	if m.record == nil {
		return
	}
	v := m.position.Variant()
	p := v.Start()
	at := m.sampler.Time(m.sampler.Now())
	for i, x := range m.made {
		if i >= m.recorded {
			m.record.Move(at, p.Coord(x), here)
		}
		p.Play(x)
	}
	m.recorded = len(m.made)
}
