// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"fmt"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing/wood"
)

// Failure is something that the table got wrong.
type Failure struct {
	What   string // wrong, missed, asked, alarm, step
	Ply    int
	Move   string // that was made
	Habits string // of the move
	Got    string // what the table has or says
	At     time.Duration
	Shows  string // what stands on the places that the table has to say something about, and what is sensed there
	Trace  []byte // readings since the last failure, for boardd replay
}

// judge waits until the wood rests and the table has taken what was made, and counts. What the table has not got
// right is said to it by word then, so that the game goes on.
func (g *game) judge() {
	if g.pending == 0 {
		return
	}
	defer func() { g.pending, g.undone = 0, rules.NoMove }()
	g.run(g.script.End+time.Millisecond, nil)
	if err := g.crew.Check(); err != nil {
		g.broken = err
	}
	tells := g.tellsPending()
	if !tells {
		g.count.Untold += g.pending
	}
	early := g.early
	g.countAlarm()
	g.alarm = false
	answered := g.await(tells)
	taken := g.equal
	switch {
	case g.equal < 0 || !g.alarm:
	case g.leant:
		g.count.AlarmsMoving++
		g.failed("alarm-moving", g.alarmed)
	default:
		g.count.AlarmsResting++
		g.failed("alarm", g.alarmed)
	}
	if g.equal < 0 {
		g.wrong(tells)
		return
	}
	if early && g.equal >= 0 {
		g.count.Early++
	}
	if taken >= 0 && !answered {
		g.count.wait(max(0, taken-max(g.script.Contact, g.script.Release)))
	}
}

// countAlarm counts an alarm while hands were at work.
func (g *game) countAlarm() {
	if g.alarm {
		g.count.AlarmsMoving++
		if g.script.Astray {
			g.count.AlarmsAstray++
		}
		g.failed("alarm-moving", g.alarmed)
	}
}

// await waits until the table has had what was made for a while, or patience ends. Questions are answered by word; it
// reports whether there was one.
func (g *game) await(tells bool) (answered bool) {
	for until, times := g.scene.Now+patience, 0; g.scene.Now < until; {
		if from, end := g.busy[0], g.busy[1]; g.stalls != nil && from <= until && g.scene.Now < end { // nobody looks then
			until += end - max(from, g.scene.Now)
			g.run(end, nil)
		}
		asks := func() bool { return g.asked >= 0 && g.scene.Now >= g.asked+answers && times < 2 }
		g.run(until, func() bool { return g.equal >= 0 || asks() })
		switch {
		case g.equal >= 0:
			g.run(g.scene.Now+rests, func() bool { return g.equal < 0 })
			if g.equal >= 0 {
				return answered
			}
		case asks():
			answered = true
			times++
			g.answer(tells)
		}
	}
	return answered
}

// tellsPending reports whether the sensors can tell each of the moves that are judged. Those that nobody read cannot.
func (g *game) tellsPending() bool {
	if g.unread {
		return false
	}
	if g.undone != rules.NoMove {
		return true // what a move changes is seen when it is undone
	}
	for i := len(g.truth) - g.pending; i < len(g.truth); i++ {
		if i >= 0 && !g.canTell(&g.places[i], g.truth[i]) {
			return false
		}
	}
	return true
}

// answer answers an open question by word. Where the sensors can tell, it should not have been asked.
func (g *game) answer(tells bool) {
	if tells {
		g.count.AskedUnfairly++
		g.failed("asked", "")
	} else {
		g.count.Asked++
	}
	base := g.table.Last().Base
	if i := len(g.table.Moves()) - base; i >= 0 && i < len(g.truth) {
		g.table.Answer(g.began.Add(g.scene.Now), g.truth[i])
		g.watch()
	}
}

// wrong counts moves that stand wrong or are missing, and says by word what was played.
func (g *game) wrong(tells bool) {
	has := g.table.Moves()
	same := 0
	for same < len(has) && same < len(g.truth) && has[same] == g.truth[same] {
		same++
	}
	switch {
	case g.undone != rules.NoMove && same == len(g.truth) && len(has) == same+1 && has[same] == g.undone:
		g.count.Missed++
		g.failed("missed", "nothing taken back: "+string(g.table.State())+" "+fmt.Sprint(g.table.Last().Discrepancies))
	case len(has) > same:
		g.count.Wrong++
		g.failed("wrong", g.table.At(same).Coord(has[same]))
	case tells:
		g.count.Missed++
		g.failed("missed", string(g.table.State())+" "+fmt.Sprint(g.table.Last().Discrepancies))
	default:
		g.count.MissedUntold++
	}
	at := g.began.Add(g.scene.Now)
	g.table.Mend(at, g.truth)
	g.watch()
	g.step(g.scene.Now + inStep)
}

// step waits until the table is in step with the wood. It counts if that is later than it should be, and nobody leans
// on the board. After that the tape is wound back.
func (g *game) step(until time.Duration) {
	follows := func() bool { return g.table.State() == table.Synced }
	g.run(until, follows)
	for !follows() {
		if squares, rim := g.crew.Leant(g.scene.Now); squares == 0 && !rim {
			break
		}
		g.run(g.scene.Now+rests, follows)
	}
	if g.run(g.scene.Now+rests, follows); !follows() {
		g.count.OutOfStep++
		g.failed("step", string(g.table.State())+" "+fmt.Sprint(g.table.Last().Discrepancies))
		g.run(g.scene.Now+patience, follows)
		g.stuck = !follows()
	}
	if g.tape != nil {
		g.tape = newTape(g)
	}
}

// failed tells whoever listens.
func (g *game) failed(what, got string) {
	if g.count.fail == nil {
		return
	}
	f := Failure{What: what, Ply: len(g.truth), Habits: g.habits.List(), Got: got, At: g.scene.Now}
	var moves []string
	if g.undone != rules.NoMove {
		f.Move = "back from " + g.now().Coord(g.undone)
	}
	for i := max(0, len(g.truth)-max(1, g.pending)); f.Move == "" && i < len(g.truth); i++ {
		moves = append(moves, g.places[i].Coord(g.truth[i]))
	}
	if f.Move == "" {
		f.Move = strings.Join(moves, " ")
	}
	lies := g.geometry.Lay(g.now())
	for _, touch := range g.table.Last().Discrepancies {
		closed, value := g.scene.Shows(int(touch.Place))
		f.Shows += fmt.Sprintf(" %s: %q, contact %v, %.1f;", touch.Place, lies[touch.Place], closed, value)
	}
	leant, rim := g.crew.Leant(g.script.First)
	for s := range leant.Squares() {
		f.Shows += fmt.Sprintf(" leant on %s;", wood.Place(s))
	}
	if rim {
		f.Shows += " leant on the rim;"
	}
	if g.scene.Fault != nil {
		f.Shows += " " + g.scene.Fault.String()
	}
	if g.tape != nil {
		f.Trace = g.tape.cut(g)
	}
	g.count.fail(f)
}
