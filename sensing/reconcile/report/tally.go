// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// moveClass is what decides when a move can be recognised.
type moveClass int

const (
	byPresence moveClass = iota
	byHeight
	byWeight
	goesOn     // the move could still go on
	bySequence // an exchange that changes neither presence nor height, on a board without load cells
	classes
)

func (c moveClass) String() string {
	return [...]string{"presence", "height", "weight", "going on", "the way"}[c]
}

// tally counts how moves were recognised.
type tally struct {
	games, moves int
	wrong        int // a move was accepted that was not made
	asked        int // questions
	needless     int // of these, questions that the sensors could have answered
	misasked     int // questions whose choices lack the right move
	straightened int // moves recognised only when a piece was pushed to the middle of its square
	stalled      int // moves not recognised at all, and made on the page instead
	provisional  int // wrong moves that were accepted, and corrected before the hands were done
	alarms       int // the wood was called wrong while a move was under way as it should
	blind        int // moves made on the page because the board had said that it senses nothing
	givenUp      int // games given up after three stalled moves in a row

	plain, lifted [3]int // results of the other ways of recognition on the same readings: right, wrong, cannot tell

	commits    [classes]spread // from last contact to commit
	lit        [2]spread       // from first touch to the light: of a piece on the board, of one on another
	wrongShown spread          // from the last contact that left the wood wrong to the light
	margins    [200]int        // by nats, the last one counts all above
	cpu        time.Duration

	wrongs   []string // each wrong move
	failures []string // the first of all other failures
}

// mostFailures is how many failures are listed for a scene at most, wrong moves aside.
const mostFailures = 40

// add adds another tally.
func (t *tally) add(o *tally) {
	for _, c := range [][2]*int{{&t.games, &o.games}, {&t.moves, &o.moves}, {&t.wrong, &o.wrong}, {&t.asked, &o.asked},
		{&t.needless, &o.needless},
		{&t.misasked, &o.misasked}, {&t.straightened, &o.straightened}, {&t.stalled, &o.stalled},
		{&t.blind, &o.blind}, {&t.provisional, &o.provisional}, {&t.givenUp, &o.givenUp}, {&t.alarms, &o.alarms}} {
		*c[0] += *c[1]
	}
	for i := range t.plain {
		t.plain[i] += o.plain[i]
		t.lifted[i] += o.lifted[i]
	}
	for i := range t.commits {
		t.commits[i].merge(&o.commits[i])
	}
	for i := range t.lit {
		t.lit[i].merge(&o.lit[i])
	}
	t.wrongShown.merge(&o.wrongShown)
	for i := range t.margins {
		t.margins[i] += o.margins[i]
	}
	t.cpu += o.cpu
	t.wrongs = append(t.wrongs, o.wrongs...)
	t.failures = append(t.failures, o.failures[:min(max(0, mostFailures-len(t.failures)), len(o.failures))]...)
}

// clear is the share of moves recognised without a needless question.
func (t *tally) clear() float64 {
	return 1 - float64(t.needless+t.misasked+t.stalled+t.blind+t.wrong)/float64(max(1, t.moves))
}

// spread is a distribution of times in steps of half a millisecond; the last step counts all that are longer.
type spread struct {
	count int
	steps [2400]uint32
}

func (s *spread) add(d time.Duration) {
	s.count++
	s.steps[min(len(s.steps)-1, max(0, int(d/spreadStep)))]++
}

func (s *spread) merge(o *spread) {
	s.count += o.count
	for i := range s.steps {
		s.steps[i] += o.steps[i]
	}
}

// quantile is the time below which a share of all times lies, rounded up to a step.
func (s *spread) quantile(share float64) time.Duration {
	left := int(share * float64(s.count))
	for i, n := range s.steps {
		if left -= int(n); left < 0 {
			return time.Duration(i+1) * spreadStep
		}
	}
	return time.Duration(len(s.steps)) * spreadStep
}
