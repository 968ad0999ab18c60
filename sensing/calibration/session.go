// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"fmt"
	"strconv"
	"strings"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// Board is what a session has to know about the board.
type Board struct {
	Name       string
	Kind       string         // stack, twin, scale or reeds
	Wired      string         // see Calibration.Wired
	Lights     bool           // the board has lights
	Weights    map[byte]int32 // milligrams by letter, as configured
	CubeHeight int32          // micrometres, as configured
}

// decks is how many decks the board has.
func (b *Board) decks() sensing.Deck {
	if b.Kind == "twin" {
		return 2
	}
	return 1
}

// Prompt is what the person at the board is asked to do.
type Prompt struct {
	Step, Steps int      // from 1
	Part, Parts int      // within the step, from 1; 0 of 0 when it has no parts
	Do          string   // what to do, in sentences
	Said        say.Said `json:"-"` // the same, for catalogues of other languages
	Seen        string   // the result of the last action, or an obstacle; may be empty
	SeenSaid    say.Said `json:"-"` // the same, for catalogues of other languages
	Answers     []string // words that Answer takes here besides "back"; "" is Enter
	Square      string   // the square to act on, as "e4" or "e4 upper"; may be empty
}

// Ask says what to do.
func (p *Prompt) Ask(s say.Said) { p.Do, p.Said = s.English, s }

// step is one stage of a calibration. Its parts are counted by Session.part.
type step interface {
	name() string
	parts() int
	prompt(s *Session, p *Prompt)
	light(s *Session) leds.Frame                  // in the reference wiring
	observe(s *Session, k sensing.Kind)           // a reading of the kind has come
	answer(s *Session, word string) (bool, error) // reports whether the word was one of the step's
	state() []string                              // what restore needs besides the part, in words without blanks
	restore(words []string) error
}

// stateless is a step that needs nothing but its part to be resumed.
type stateless struct{}

func (stateless) state() []string        { return nil }
func (stateless) restore([]string) error { return nil }

// Session asks for one thing after the other. It belongs to one goroutine.
type Session struct {
	b     Board
	cal   Calibration
	steps []step
	step  int
	part  int
	seen  say.Said
	goal  *place // where a resumed session goes on after the empty board was measured again; nil otherwise

	reeds   [2]switches
	cells   meter
	eyes    meter
	corners meter
}

// place is a step and a part of it.
type place struct{ step, part int }

// Begin starts a session from a former calibration, or from New.
func Begin(b Board, from Calibration) *Session {
	s := &Session{b: b, cal: from, cells: meter{kind: sensing.Weights}, eyes: meter{kind: sensing.Heights},
		corners: meter{kind: sensing.Scale}}
	s.cal.Board, s.cal.Kind, s.cal.Wired = b.Name, b.Kind, b.Wired
	s.otherPieces()
	s.steps = append(s.steps, &bare{})
	if b.Lights {
		for d := range b.decks() {
			s.steps = append(s.steps, &lights{deck: d})
		}
	}
	for d := range b.decks() {
		s.steps = append(s.steps, &walk{deck: d})
	}
	if b.Kind == "stack" {
		s.steps = append(s.steps, &array{}, &pedestal{})
	}
	if b.Kind == "scale" {
		s.steps = append(s.steps, &kinds{})
	}
	if b.Kind == "twin" {
		s.steps = append(s.steps, &pile{})
	}
	return s
}

// Done reports whether nothing is left to be asked.
func (s *Session) Done() bool { return s.step == len(s.steps) }

// Calibration is what was found until now. It is complete once Done.
func (s *Session) Calibration() Calibration { return s.cal }

// Where names the step and the part that come next, for Resume.
func (s *Session) Where() string {
	if s.Done() {
		return ""
	}
	at := place{s.step, s.part}
	if s.goal != nil {
		at = *s.goal
	}
	st := s.steps[at.step]
	return strings.Join(append([]string{st.name(), strconv.Itoa(at.part)}, st.state()...), " ")
}

// Resume goes on where another session ended, given its Where; its Calibration was given to Begin. First the empty
// board is measured again, because cells have drifted since, and a piece may still be there.
func (s *Session) Resume(where string) error {
	words := strings.Fields(where)
	for i, st := range s.steps {
		if len(words) < 2 || words[0] != st.name() {
			continue
		}
		part, err := strconv.Atoi(words[1])
		if err == nil {
			err = st.restore(words[2:])
		}
		if err != nil || part < 0 || part >= st.parts() {
			break
		}
		s.seen = say.That("Going on where it was left, after a look at the empty board.")
		if i > 0 {
			s.goal = &place{i, part}
		}
		return nil
	}
	return fmt.Errorf("%q is no place in the calibration of a %s board: begin anew", where, s.b.Kind)
}

// Prompt is what is to be done now.
func (s *Session) Prompt() Prompt {
	p := Prompt{Step: s.step + 1, Steps: len(s.steps), Seen: s.seen.English, SeenSaid: s.seen}
	if s.Done() {
		p.Step = s.step
		p.Ask(say.That("That was all that had to be done."))
		return p
	}
	st := s.steps[s.step]
	if st.parts() > 1 {
		p.Part, p.Parts = s.part+1, st.parts()
	}
	st.prompt(s, &p)
	return p
}

// Frame is the frame for the lights, in the reference wiring. It must not go through a calibration.
func (s *Session) Frame() leds.Frame {
	if s.Done() {
		return leds.Frame{}
	}
	return s.steps[s.step].light(s)
}

// Observe takes in a reading in the reference wiring, without any calibration.
func (s *Session) Observe(r *sensing.Reading) {
	switch r.Kind {
	case sensing.Reeds:
		s.reeds[r.Deck].take(r)
	case sensing.Weights:
		s.cells.take(r)
	case sensing.Heights:
		s.eyes.take(r)
	case sensing.Scale:
		s.corners.take(r)
	}
	if !s.Done() {
		s.steps[s.step].observe(s, r.Kind)
	}
}

// Answer takes a word: one of the prompt's Answers, the name of a square where one is asked for, or "back".
func (s *Session) Answer(word string) error {
	word = strings.ToLower(strings.TrimSpace(word))
	if s.Done() {
		return nil
	}
	if word == "back" {
		s.back()
		return nil
	}
	took, err := s.steps[s.step].answer(s, word)
	if err == nil && !took {
		err = say.Error("%q is no answer here: %s", word, s.wants())
	}
	return err
}

func (s *Session) wants() string {
	var words []string
	for _, a := range s.Prompt().Answers {
		if a == "" {
			a = "Enter"
		}
		words = append(words, a)
	}
	return strings.Join(append(words, "back"), ", ")
}

// back goes to the part before, or to the beginning of the step before.
func (s *Session) back() {
	switch {
	case s.part > 0:
		s.part--
	case s.step > 0:
		s.step--
	}
	if w, ok := s.steps[s.step].(*walk); ok && s.part == 0 {
		w.mg, w.felt = 0, nil // the weight may have been entered wrongly
	}
	s.seen = say.That("One back.")
}

// next ends a part, and with the last one the step.
func (s *Session) next(seen say.Said) {
	s.seen = seen
	if s.goal != nil {
		s.step, s.part, s.goal = s.goal.step, s.goal.part, nil
		return
	}
	if s.part++; s.part >= s.steps[s.step].parts() {
		s.part, s.step = 0, s.step+1
	}
}

// follow adds further sentences to one, and leaves out those that say nothing.
func follow(first say.Said, more ...say.Said) say.Said {
	for _, m := range more {
		switch {
		case m.English == "":
		case first.English == "":
			first = m
		default:
			first = first.And(" ", m)
		}
	}
	return first
}

// tenths is a number for people, with one digit after the point.
func tenths(x float64) string { return fmt.Sprintf("%.1f", x) }

// whole is a number for people, rounded.
func whole(x float64) string { return fmt.Sprintf("%.0f", x) }

// skip ends a step whatever is left of it.
func (s *Session) skip(seen say.Said) {
	s.part, s.step, s.seen = 0, s.step+1, seen
}

// put sets the real square of what the reference wiring takes for i. The wiring stays a permutation. Tables by real
// square follow their sensors.
func (w *Wiring) put(i, sq rules.Square, tables ...*[64]int32) {
	for j := range w {
		if w[j] == sq {
			for _, t := range tables {
				t[w[i]], t[sq] = t[sq], t[w[i]]
			}
			w[j], w[i] = w[i], sq
			return
		}
	}
}

// white is how a light shows that a cube is wanted.
var white = leds.Color{R: 255, G: 255, B: 255}

// shine is a frame with some squares lit, in the reference wiring.
func (s *Session) shine(d sensing.Deck, squares rules.Bitboard, c leds.Color) leds.Frame {
	var f leds.Frame
	for sq := range squares.Squares() {
		f[d][sq] = c
	}
	return s.cal.Frame(f)
}

// place names a square for people.
func (s *Session) place(d sensing.Deck, sq rules.Square) string {
	if s.b.decks() == 1 {
		return sq.String()
	}
	return sq.String() + " " + d.String()
}

// names lists squares for people.
func names(set rules.Bitboard) string {
	var list []string
	for sq := range set.Squares() {
		list = append(list, sq.String())
	}
	return strings.Join(list, " ")
}
