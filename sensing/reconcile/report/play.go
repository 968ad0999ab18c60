package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/referee"
	"boardd/sensing/trace"
)

const ms = time.Millisecond

// longest is after how many moves a game is ended.
const longest = 160

// match is one game by virtual hands on one board.
type match struct {
	scene  scene
	number uint64
	seed   uint64
	t      *tally
	say    io.Writer // tells every move when one game is played alone; nil: silent
	record *trace.Writer

	g     reconcile.Geometry
	rand  *rand.Rand
	style hands.Style
	table hands.Table
	feel  *physics.Sampler
	ref   *referee.Referee
	plain plain
	wired string // what is broken

	pos    rules.Position // what hands have made
	truth  []rules.Move
	biased bool

	acting    bool
	first     time.Duration   // the first touch of this move
	from      reconcile.Place // where it was
	lit       bool
	contact   [3]time.Duration // the last contact, as a reed, a load cell and a height sensor see it
	touched   reconcile.Set
	wrong     bool // the wood is called wrong
	last      referee.Happening
	asked     bool
	choices   []reconcile.Choice
	before    reconcile.Wood
	after     reconcile.Wood
	stalls    int
	misplaced bool                                      // hands are empty, and the move is not done
	shown     [2]struct{ Known, Closed rules.Bitboard } // by the reeds, as last seen
	changed   bool
	hasty     bool // the reply began before the move was accepted
	recorded  int  // moves that the trace holds
	here      bool // those that it does not hold yet were recognised
}

// lineTime is how long a picture is on the LED line: 12 bytes a light at 2.5 MHz, as hardware/report measures it.
func lineTime(g *reconcile.Geometry) time.Duration {
	lights := 64
	if g.TwoDecks {
		lights = 128
	}
	return time.Duration(12*lights+6) * 8 * 400 * time.Nanosecond
}

// newMatch sets the stage for one game.
func newMatch(s scene, seed, number uint64, t *tally) *match {
	level, _ := physics.LevelByName(s.level)
	m := &match{scene: s, number: number, seed: seed, t: t, g: s.geometry(&level), style: hands.StyleByName(s.level)}
	m.rand = rand.New(rand.NewPCG(seed, number^s.salt()))
	m.biased = number%2 == 1
	v, _ := rules.ByID(s.game)
	m.pos = v.Start()
	decks := 1
	if m.g.TwoDecks {
		decks = 2
	}
	o := physics.Options{Level: level, Seed: m.rand.Uint64(), Decks: decks, Cube: m.g.CubeHeight}
	for i, mg := range m.g.Mass {
		o.Mass[i] = float64(mg)
	}
	m.table.World = physics.New(o)
	rig := physics.Reference(decks, m.g.Weights, m.g.Heights)
	rig.Calm, rig.Idle = 300*ms, 300*ms
	m.feel = physics.NewSampler(m.table.World, rig, time.Unix(1000, 0))
	m.ref = referee.New(m.g, m.pos)
	m.ref.Tell = m.told
	m.plain = plain{layered: v.Layered(), twoDecks: m.g.TwoDecks, tally: t}
	wood := m.g.Lay(&m.pos)
	m.table.Stand(0, &wood)
	for _, f := range s.faults {
		m.wired += breakPart(f, m.table.World, m.feel, m.rand, decks) + "; "
	}
	return m
}

// recordTo writes the game's trace.
func (m *match) recordTo(w io.Writer) (finish func() error) {
	z := gzip.NewWriter(w)
	m.record = trace.New(z, time.Unix(1000, 0), &m.pos)
	m.record.Board(m.scene.board, trace.Figures{CellNoise: m.g.CellNoise, MassSpread: m.g.MassSpread, RangeNoise: m.g.RangeNoise, CubeHeight: m.g.CubeHeight})
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

// settle straightens what does not close its reed when the array is put up, as people do when the board asks for it.
func (m *match) settle() {
	for q := range reconcile.Place(reconcile.Places) {
		if m.table.World.Pile(q.Deck(), q.Square()) != "" && !m.table.World.Stands(q.Deck(), q.Square()) {
			m.table.Straighten(m.feel.Now(), q)
		}
	}
}

// choose draws a move: any, or in every second game rather a capture, a promotion or a stacking move.
func (m *match) choose(moves []rules.Move) rules.Move {
	if !m.biased {
		return moves[m.rand.IntN(len(moves))]
	}
	sum := 0
	for _, x := range moves {
		sum += weight(x)
	}
	n := m.rand.IntN(sum)
	for _, x := range moves {
		if n -= weight(x); n < 0 {
			return x
		}
	}
	return moves[0]
}

// weight is how much a biased game likes a move.
func weight(m rules.Move) int {
	switch {
	case m.IsEnPassant(), m.Promotion() != rules.NoKind:
		return 20
	case m.IsCastling(), m.IsHeadbutt():
		return 12
	case m.IsMarked(), m.FromAir() || m.ToAir():
		return 5
	case m.IsCapture(), m.Count() > 1:
		return 4
	}
	return 1
}

// make makes one move by hand and sees what becomes of it.
func (m *match) make(move rules.Move) {
	began := cpuTime()
	now := m.feel.Now()
	quick := m.rand.Float64() < m.style.QuickReply && len(m.truth) > 0
	pause := 300*ms + time.Duration(m.rand.Float64()*float64(m.style.Think))
	m.pass(now + pause)
	m.steady()
	m.write(m.here)
	m.stage(move)
	m.perform()
	if quick && m.another() {
		m.perform()
	}
	m.await()
	m.t.cpu += cpuTime() - began
}

// stage makes ready for one move.
func (m *match) stage(move rules.Move) {
	p := m.pos
	m.before = m.table.Wood()
	m.plain.end()
	m.plain.expect(&p, move)
	m.pos.Play(move)
	m.after = m.g.Lay(&m.pos)
	m.truth = append(m.truth, move)
	m.t.moves++
	m.first, m.lit, m.wrong, m.asked, m.hasty, m.touched = 0, false, false, false, false, reconcile.Set{}
	if m.say != nil {
		fmt.Fprintf(m.say, "%9.3f s  ply %d: hands make %s in %s\n", m.feel.Now().Seconds(), len(m.truth), p.Coord(move), p.FEN())
	}
}

// another begins the reply of the other side before the board has said anything.
func (m *match) another() bool {
	moves := m.pos.AppendMoves(nil)
	if m.pos.Result() != rules.Playing {
		return false
	}
	m.pass(m.feel.Now() + time.Duration(20+m.rand.IntN(130))*ms)
	first := m.touched
	m.stage(m.choose(moves))
	m.touched[0] |= first[0]
	m.touched[1] |= first[1]
	m.lit = true // whose light it is cannot be said
	m.hasty = true
	return true
}

// perform carries a plan out.
func (m *match) perform() {
	wood := m.table.Wood()
	acts := hands.Vary(m.rand, &m.style, &wood, &m.after)
	m.acting = true
	at := m.feel.Now()
	for i := range acts {
		a := &acts[i]
		at += a.After
		m.table.Foresee(at, a)
		m.pass(at)
		if m.say != nil {
			fmt.Fprintf(m.say, "%9.3f s    %v\n", at.Seconds(), *a)
		}
		m.acting = i < len(acts)-1
		m.act(at, a)
	}
	m.acting = false
}

func (m *match) act(at time.Duration, a *hands.Act) {
	reed, cell, hand := m.table.Act(at, a)
	m.feel.Stirred()
	if a.Do == hands.Discard || a.Do == hands.Take || a.Do == hands.Hover {
		return
	}
	m.contact = [3]time.Duration{reed, cell, max(m.contact[2], hand)}
	m.touched.Add(a.Place)
	m.wrong, m.misplaced = false, a.Do == hands.Put && m.acting && m.table.Empty()
	if a.Do == hands.Lift && m.first == 0 {
		m.first, m.from = at, a.Place
		m.lit = m.lit || m.before[a.Place] != "" && m.after[a.Place] == m.before[a.Place] // put back: lights may go out before
	}
}

// pass lets time go by.
func (m *match) pass(until time.Duration) {
	m.feel.Run(until, func(r *sensing.Reading) bool {
		m.observe(r)
		return true
	})
	m.look(m.feel.Time(until))
}

// look looks at the wood when the decoder has asked for that.
func (m *match) look(until time.Time) {
	for range 8 {
		a := m.ref.Again()
		if a.IsZero() || a.After(until) || !a.After(m.feel.Time(0)) {
			return
		}
		m.ref.Look(a)
		m.watch(a)
		if !m.ref.Again().After(a) {
			return
		}
	}
}

func (m *match) observe(r *sensing.Reading) {
	m.look(r.At)
	if m.record != nil {
		m.record.Reading(r)
	}
	m.plain.see(r)
	m.ref.Decoder.Observe(r)
	if m.news(r) {
		m.ref.Look(r.At)
		m.watch(r.At)
	}
}

// news tells whether a reading can change an explanation: the daemon looks after each, but a sweep of reeds that shows what the
// last one showed says nothing that the time of the next look does not say. Of two decks swept together it is the upper one that counts.
func (m *match) news(r *sensing.Reading) bool {
	if r.Kind != sensing.Reeds {
		return true
	}
	old := &m.shown[r.Deck]
	if old.Known != r.Known || old.Closed != r.Closed {
		old.Known, old.Closed = r.Known, r.Closed
		m.changed = true
	}
	if m.g.TwoDecks && r.Deck == sensing.Lower {
		return false
	}
	changed := m.changed
	m.changed = false
	return changed || m.feel.Calm()
}

// watch measures how soon lights can be seen.
func (m *match) watch(at time.Time) {
	e := m.ref.Last()
	if m.say != nil {
		for _, n := range m.ref.Decoder.News() {
			fmt.Fprintf(m.say, "%9.3f s      fault %+v\n", at.Sub(m.feel.Time(0)).Seconds(), n)
		}
	}
	since := func(d time.Duration) time.Duration { return at.Sub(m.feel.Time(d)) + lineTime(&m.g) }
	if !m.lit && m.first > 0 {
		for _, l := range e.Lifts {
			if l.Place == m.from {
				m.lit = true
				top := 0
				if len(m.before[m.from]) > 1 {
					top = 1
				}
				m.t.lit[top].note(since(m.first))
			}
		}
	}
	if e.State == reconcile.Wrong && !m.wrong {
		m.wrong = true
		if m.say != nil {
			fmt.Fprintf(m.say, "%9.3f s      wrong is shown, %v after the last contact, misplaced: %v\n", at.Sub(m.feel.Time(0)).Seconds(), since(m.contact[0]), m.misplaced)
		}
		switch {
		case m.misplaced && !m.hasty:
			m.t.wrongly.note(since(m.contact[0]))
		case m.acting:
			m.t.alarms++
		}
	}
}

// told hears what the referee tells.
func (m *match) told(h referee.Happening) {
	if m.say != nil {
		m.tellAloud(&h)
	}
	switch h.Kind {
	case referee.Moved:
		m.last = h
	case referee.TakenBack:
		m.t.provisional += h.Plies
		if m.record != nil {
			m.recorded = min(m.recorded, len(m.ref.Moves()))
		}
	case referee.Asked:
		m.asked, m.choices = true, h.Choices
	case referee.Ended:
		m.fault(&m.t.wrong, "the game was ended by kings in the centre")
	}
}

func (m *match) tellAloud(h *referee.Happening) {
	at := h.At.Sub(m.feel.Time(0)).Seconds()
	switch h.Kind {
	case referee.Moved:
		fmt.Fprintf(m.say, "%9.3f s      accepted %v, margin %.1f nats\n", at, moveName(h.Move), h.Margin)
	case referee.TakenBack:
		fmt.Fprintf(m.say, "%9.3f s      %d taken back\n", at, h.Plies)
	case referee.Ended:
		fmt.Fprintf(m.say, "%9.3f s      ended\n", at)
	case referee.Asked:
		fmt.Fprintf(m.say, "%9.3f s      asked:", at)
		for _, c := range h.Choices {
			fmt.Fprintf(m.say, " %v", moveName(c.Move))
		}
		fmt.Fprintln(m.say)
	}
}

func moveName(m rules.Move) string { return fmt.Sprintf("%v%v", m.From(), m.To()) }

// agreed tells whether the game stands as hands have made it, and the wood with it.
func (m *match) agreed() bool {
	return len(m.ref.Moves()) == len(m.truth) && m.wood() && m.prefix() == len(m.truth)
}

func (m *match) wood() bool { return m.ref.Last().State == reconcile.Synced }

// prefix is how many moves of the game are those that were made.
func (m *match) prefix() (n int) {
	for n < len(m.truth) && n < len(m.ref.Moves()) && m.truth[n] == m.ref.Moves()[n] {
		n++
	}
	return n
}

// Patience: when people look why nothing happens, and when they give up.
const (
	looks   = 1300 * ms
	givesUp = 3 * time.Second
)

// await waits until the move is recognised.
func (m *match) await() {
	began := m.feel.Now()
	straight := false
	for m.feel.Now() < began+givesUp {
		m.until(m.feel.Now()+100*ms, func() bool { return m.agreed() })
		if m.agreed() {
			m.recognised(straight)
			return
		}
		if m.ref.Last().State == reconcile.Asking && m.feel.Now() > began+150*ms && m.answer() {
			return
		}
		if !straight && m.feel.Now() >= began+looks {
			straight = m.straighten()
		}
	}
	m.unrecognised()
}

// until lets time go by until something is so.
func (m *match) until(limit time.Duration, ok func() bool) {
	if m.feel.Run(limit, func(r *sensing.Reading) bool {
		m.observe(r)
		return !ok()
	}) {
		m.look(m.feel.Time(limit))
	}
}

// straighten pushes pieces that do not close their reed to the middle, and tells whether there was one.
func (m *match) straighten() (any bool) {
	for q := range reconcile.Place(reconcile.Places) {
		if m.touched.Has(q) && m.table.World.Pile(q.Deck(), q.Square()) != "" && !m.table.World.Stands(q.Deck(), q.Square()) {
			m.table.Straighten(m.feel.Now(), q)
			m.feel.Stirred()
			any = true
		}
	}
	return any
}

// recognised counts a move that was recognised as it was made.
func (m *match) recognised(straight bool) {
	m.stalls = 0
	m.here = true
	if straight {
		m.t.straightened++
		return
	}
	h := &m.last
	m.t.margins[min(len(m.t.margins)-1, max(0, int(h.Margin)))]++
	if m.hasty {
		return // the reply began before the move was accepted: there is no last contact to count from
	}
	n := len(m.truth) - 1
	p := m.positionBefore()
	what := decides(&m.g, p, m.truth[n], m.plain.woods, &m.before, &m.after, &m.touched)
	contact := m.contact[0]
	switch what {
	case byWeight:
		contact = m.contact[1]
	case byHeight, byWay:
		contact = m.contact[2]
	case goesOn:
		contact = max(m.contact[0], m.contact[1])
	}
	late := max(0, h.At.Sub(m.feel.Time(contact)))
	m.t.commit[what].note(late)
	if m.say != nil {
		fmt.Fprintf(m.say, "%9.3f s      %s decides, %v after the last contact\n", m.feel.Now().Seconds(), what, late)
	}
}

func (m *match) positionBefore() *rules.Position { return &m.plain.pos }

// write puts what has been recognised, or not, into the trace.
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

// answer answers an open question as a player does on the page, and tells whether it could.
func (m *match) answer() bool {
	e := m.ref.Last()
	k := len(m.ref.Moves()) - e.Base
	if k < 0 || k >= len(m.truth) || m.prefix() < k {
		return false
	}
	right, needless := false, len(e.Choices) == 1 // what is there to choose?
	p := m.replayTo(k)
	for _, c := range e.Choices {
		if c.Move == m.truth[k] {
			right = true
		} else if tellable(&m.g, &p, m.truth[k], c.Move, &m.touched) {
			needless = true
		}
	}
	m.t.asked++
	if m.record != nil {
		m.record.Question(m.feel.Time(m.feel.Now()))
	}
	if !right {
		m.fault(&m.t.misasked, "the question lacks the move that was made")
		m.recover()
		return true
	}
	if needless {
		m.fault(&m.t.needless, "asked without need")
	}
	m.ref.Answer(m.feel.Time(m.feel.Now()), m.truth[k])
	m.until(m.feel.Now()+800*ms, m.agreed)
	if !m.agreed() {
		m.recover()
		return true
	}
	m.write(false)
	return true
}

func (m *match) replayTo(k int) rules.Position {
	p := m.pos.Variant().Start()
	for _, x := range m.truth[:k] {
		p.Play(x)
	}
	return p
}

// unrecognised counts what was not recognised, or wrongly.
func (m *match) unrecognised() {
	if n := m.prefix(); n < len(m.ref.Moves()) {
		m.fault(&m.t.wrong, "accepted a move that was not made")
	} else {
		m.fault(&m.t.stalled, "not recognised, state "+m.ref.Last().State.String())
	}
	m.recover()
}

// fault counts a failure and notes how to see it again.
func (m *match) fault(count *int, what string) {
	*count++
	p := m.replayTo(len(m.truth) - 1)
	text := fmt.Sprintf("%s: %s, ply %d %s in %s %s  go run ./sensing/reconcile/report -seed %d -only %s -game %d", m.scene, what, len(m.truth),
		p.Coord(m.truth[len(m.truth)-1]), p.FEN(), m.wired, m.seed, m.scene, m.number)
	if m.say != nil {
		fmt.Fprintf(m.say, "%9.3f s  FAILURE %s, state %v, touch %v\n", m.feel.Now().Seconds(), what, m.ref.Last().State, m.ref.Last().Touch)
	}
	if len(m.t.failures) < 40 {
		m.t.failures = append(m.t.failures, text)
	}
}

// recover brings the game to what hands have made, as people do on the page.
func (m *match) recover() {
	m.stalls++
	m.write(false)
	at := m.feel.Time(m.feel.Now())
	k := m.prefix()
	if n := len(m.ref.Moves()) - k; n > 0 {
		m.ref.Back(at, n)
	}
	for _, x := range m.truth[k:] {
		m.ref.Play(at, x)
	}
	m.settle()
	m.feel.Stirred()
	m.until(m.feel.Now()+2*time.Second, m.agreed)
}

// steady checks that nothing has happened while nobody touched anything.
func (m *match) steady() {
	if k := m.prefix(); len(m.truth) > 0 && (k < len(m.truth) || len(m.ref.Moves()) > k) && m.stalls == 0 {
		m.fault(&m.t.wrong, "the game changed by itself")
		m.recover()
	}
}
