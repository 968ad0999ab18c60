// SPDX-License-Identifier: Apache-2.0

// Package rerun feeds a recorded trace through recognition and compares the result with the record.
package rerun

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/rules/table/solo"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/trace"
	"boardd/sensing/wood"
)

// Result is the result of a rerun of a trace.
type Result struct {
	Moves     int // recognised
	Differ    int // places where recognition and record differ
	Wrong     int // of these, moves that stood when the record had another one, or none
	Questions int // of these, questions open when the record has a move recognised
}

// Geometry returns the board on which a trace was recorded, as far as the trace says.
func Geometry(t *trace.Trace, kind string) (wood.Geometry, error) {
	if t.Board != "" {
		kind = t.Board
	}
	g := wood.Reference()
	switch kind {
	case "stack":
		g.Weights = true
	case "twin":
		g.TwoDecks, g.Heights = true, true
	case "scale":
		g.Scale = true
	case "reeds":
	default:
		return g, fmt.Errorf("kind of board %q: want stack, twin, scale or reeds", kind)
	}
	if f := t.Figures; f != (trace.Figures{}) {
		g.CellNoise, g.MassSpread, g.RangeNoise, g.CubeHeight = f.CellNoise, f.MassSpread, f.RangeNoise, f.CubeHeight
		g.CellNoises, g.RangeNoises = f.CellNoises, f.RangeNoises
		if f.Mass != [128]int32{} {
			g.Mass = f.Mass
		}
	}
	for i := range t.Entries {
		r := t.Entries[i].Reading
		if r != nil && (r.Kind == sensing.Weights && !g.Weights || r.Kind == sensing.Scale && !g.Scale ||
			r.Kind == sensing.Heights && !g.Heights || r.Deck == sensing.Upper && !g.TwoDecks) {
			return g, fmt.Errorf("the trace was not recorded on a board of kind %s: at %v it has %v of the %v deck", kind,
				t.Entries[i].At, r.Kind, r.Deck)
		}
	}
	return g, nil
}

// WriteGeometry writes into a new trace on what board it is recorded.
func WriteGeometry(w *trace.Writer, g *wood.Geometry) {
	kind := "reeds"
	switch {
	case g.Weights:
		kind = "stack"
	case g.TwoDecks:
		kind = "twin"
	case g.Scale:
		kind = "scale"
	}
	w.Board(kind, trace.Figures{CellNoise: g.CellNoise, MassSpread: g.MassSpread, RangeNoise: g.RangeNoise,
		CubeHeight: g.CubeHeight,
		Mass:       g.Mass, CellNoises: g.CellNoises, RangeNoises: g.RangeNoises})
}

// Run goes through a trace in virtual time and tells, line by line, what was found.
func Run(t *trace.Trace, g wood.Geometry, tell func(string)) Result {
	return RunWith(func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }, t, tell)
}

// Blind goes through the readings of a trace alone, whatever moves it records, and tells, line by line, what was
// found. It returns the moves that stand in the end.
func Blind(t *trace.Trace, g wood.Geometry, tell func(string)) []string {
	return BlindWith(func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }, t, tell)
}

// BlindWith is Blind with another decoder.
func BlindWith(decode func() table.Decoder, t *trace.Trace, tell func(string)) (moves []string) {
	readings := slices.DeleteFunc(slices.Clone(t.Entries), func(e trace.Entry) bool {
		return e.Reading == nil && e.Unread == nil
	})
	p := newPlayer(decode, t.Start, readings, tell)
	for len(p.rest) > 0 {
		p.playEntry()
	}
	p.until(p.now.Add(tail), false)
	for i, m := range p.ref.Moves() {
		moves = append(moves, p.ref.At(i).Coord(m))
	}
	return moves
}

// newPlayer begins to go through entries.
func newPlayer(decode func() table.Decoder, start rules.Position, entries []trace.Entry, tell func(string)) *player {
	p := &player{tell: tell, begin: time.Unix(0, 0), now: time.Unix(0, 0), ref: solo.With(start, decode), rest: entries}
	p.ref.Tell = p.handle
	p.rest = withUnread(p.rest)
	return p
}

// RunWith is Run with another decoder.
func RunWith(decode func() table.Decoder, t *trace.Trace, tell func(string)) Result {
	p := newPlayer(decode, t.Start, slices.Clone(t.Entries), tell)
	for len(p.rest) > 0 {
		p.playEntry()
	}
	p.until(p.now.Add(tail), false)
	p.noteReplaced()
	if extra := len(p.ref.Moves()) - p.known; extra > 0 {
		p.result.Differ += extra
		p.result.Wrong += extra
		p.say("%d moves more than the record has", extra)
	}
	return p.result
}

// player goes through a trace.
type player struct {
	tell   func(string)
	ref    *solo.Table
	rest   []trace.Entry // entries that are still to be done
	begin  time.Time
	now    time.Time
	held   [8]sensing.Reading // the newest reading of each bank
	unread [8]int             // by bank: how many times without a reading are not over yet
	analog time.Time          // when the analog banks are due
	fed    [64]time.Time      // when the height of each square was last said to be measured
	known  int                // moves that the record has named so far
	record []rules.Move       // these
	ended  int                // the number of moves, plus 1, after which kings in the centre were last told
	result Result
}

// playEntry does the next line of the trace.
func (p *player) playEntry() {
	e := &p.rest[0]
	p.rest = p.rest[1:]
	p.until(p.begin.Add(e.At), false)
	switch {
	case e.Unread != nil:
		p.notRead(e.Unread)
	case e.Reading != nil:
		e.Reading.At = p.now
		held := &p.held[trace.Bank(e.Reading)]
		p.markStaleHeights(held, e.Reading)
		*held = *e.Reading
		if p.feed(e.Reading); e.Reading.Kind == sensing.Weights || e.Reading.Kind == sensing.Scale {
			p.analog = p.now.Add(analogSweep) // a frame has all cells: the next one is a frame later
		}
		p.ref.Observe(e.Reading)
	case e.Back > 0:
		p.noteReplaced()
		p.ref.Back(p.now, e.Back)
		p.known = len(p.ref.Moves())
		p.record = p.record[:min(p.known, len(p.record))]
	case e.Move != "":
		p.recorded(e)
	}
}

// catchUp goes on until the next move of the record is found, or until it should have been. Readings of that time
// count. The exception is readings from after the record answered a question that is still open here.
func (p *player) catchUp() {
	end := p.now.Add(grace)
	for !p.caughtUp() && p.ref.Last().State != reconcile.Asking && len(p.rest) > 0 &&
		(p.rest[0].Reading != nil || p.rest[0].Unread != nil) &&
		!p.begin.Add(p.rest[0].At).After(end) {
		p.playEntry()
	}
	if !p.caughtUp() {
		p.until(end, true)
	}
}

// caughtUp reports whether more moves have been found than the record has named.
func (p *player) caughtUp() bool { return len(p.ref.Moves()) > p.known }

func (p *player) say(format string, args ...any) {
	p.tell(fmt.Sprintf("%8.3f s  ", p.now.Sub(p.begin).Seconds()) + fmt.Sprintf(format, args...))
}

// handle takes in what the referee tells.
func (p *player) handle(h solo.Event) {
	switch h.Kind {
	case solo.Moved:
		p.result.Moves++
		p.say("%-8s %-10s margin %5.1f  after %v of rest", h.From.Coord(h.Move), h.From.SAN(h.Move), h.Margin, h.Waited)
	case solo.TakenBack:
		p.say("%d taken back", h.Plies)
	case solo.Asked:
		var names []string
		for _, c := range h.Choices {
			names = append(names, h.From.Coord(c.Move))
		}
		p.say("asked whether it was %s", strings.Join(names, " or "))
	case solo.Ended:
		if ended := len(p.ref.Moves()) + 1; p.ended != ended { // the referee tells it again as long as they stand there
			p.ended = ended
			p.say("ended by kings in the centre")
		}
	}
}

// recorded compares a move of the record with what was found, and goes on from the record.
func (p *player) recorded(e *trace.Entry) {
	if e.Here {
		p.catchUp()
	}
	p.noteReplaced()
	before := p.ref.At(p.known)
	m, err := before.ParseMove(e.Move)
	if err != nil {
		p.result.Differ++
		p.say("the record has %s: %v", e.Move, err)
		return
	}
	if p.matches(m) {
		p.known, p.record = p.known+1, append(p.record, m)
		return
	}
	if e.Here || len(p.ref.Moves()) > p.known {
		p.differs(e)
	}
	p.adoptRecorded(m)
}

// matches reports whether the next move found is the recorded one.
func (p *player) matches(m rules.Move) bool {
	found := p.ref.Moves()
	return len(found) > p.known && found[p.known] == m
}

func (p *player) differs(e *trace.Entry) {
	p.result.Differ++
	switch {
	case p.asked():
		p.result.Questions++
	case len(p.ref.Moves()) > p.known:
		p.result.Wrong++
	}
	p.say("the record has %s, which was not recognised (%v)", e.Move, p.ref.Last().State)
}

// asked reports whether a question is open which move follows those of the record so far. It may ask whether the last
// move that was found is right.
func (p *player) asked() bool {
	last := p.ref.Last()
	return last.State == reconcile.Asking && len(p.ref.Moves())-last.Base == p.known
}

// adoptRecorded goes on from the record.
func (p *player) adoptRecorded(m rules.Move) {
	if p.asked() {
		p.ref.Answer(p.now, m)
	} else {
		if n := len(p.ref.Moves()) - p.known; n > 0 {
			p.ref.Back(p.now, n)
		}
		p.ref.Play(p.now, m)
	}
	p.known, p.record = p.known+1, append(p.record, m)
}

// noteReplaced tells which moves of the record were found and later taken for others, and goes on from the record.
func (p *player) noteReplaced() {
	found := p.ref.Moves()
	same := 0
	for same < min(len(found), p.known) && found[same] == p.record[same] {
		same++
	}
	if same == p.known {
		return
	}
	p.result.Differ++
	p.result.Wrong++
	p.say("move %d of the record was recognised, and later taken for another one, or taken back", same+1)
	p.ref.Mend(p.now, p.record)
}
