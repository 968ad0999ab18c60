// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestScenarios runs the scripts of testdata/scenarios: hands move wood, the decoder says what it was. A line is
//
//	board stack|twin|reeds ...    first; with several the script runs on each
//	variant chess locking ...     the same, for each of these games
//	fen 4k3/... w - - 0 1         if it is not the array
//	weighs q 54                   this many grams, the queens of both sides
//	uncounted d5 e5               the load cells and height sensors of these squares never answer
//	lift e2 [2]  place e4  discard  take q     by the right hand, or by the left with "left" before; "," parts lines
//	                              e4 is the deck the array stands on, e4^ the upper and e4_ the lower one
//	wait 300ms
//	moved e2e4 [after e4e5]       the move is recognised now or within a second; "corrected": instead of the last move
//	back                          the last move was taken back
//	ask e4d5 e4f5                 a question with these choices, in this order
//	answer e4d5                   it is answered so on the page: this choice becomes the move
//	ended 1-0                     kings in the centre
//	state synced|moving|wrong     what it is now
//	touch e2 e4                   the squares to mend now
//	reach e2 quiet e3 e4          where the pieces lifted from e2 may go: quiet, capture, stack or special
func TestScenarios(t *testing.T) {
	limits := readLimits(t, "testdata/limits.txt")
	for _, sc := range scripts(t) {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t, sc)
			s.pass, s.want = s.b.pass, s.found
			limits.hold(t, "scenario", sc.name, s.run(sc.body))
		})
	}
}

// script is a script on one of the boards and with one of the games that it names.
type script struct {
	name, board, variant, body string
	seed                       uint64
	first                      bool // its game is the first that the script names
}

// scripts are those of all files.
func scripts(t *testing.T) (all []script) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split("\n"+string(src), "\n== ")[1:] {
			title, body, _ := strings.Cut(part, "\n")
			named := map[string][]string{}
			for line := range strings.Lines(body) {
				if w := words(line); len(w) > 1 && (w[0] == "board" || w[0] == "variant") {
					named[w[0]] = w[1:]
				}
			}
			for _, b := range named["board"] {
				for n, v := range named["variant"] {
					name := strings.Join([]string{strings.TrimSuffix(filepath.Base(file), ".txt"), title, b, v}, "/")
					all = append(all, script{name, b, v, body, uint64(i), n == 0})
				}
			}
		}
	}
	return all
}

func words(line string) []string { return strings.Fields(strings.Split(line, "//")[0]) }

// scenario is a script that is being played.
type scenario struct {
	t     *testing.T
	b     *bench
	p     rules.Position
	past  []rules.Position
	start bool
	pace  time.Duration            // from one act to the next
	pass  func(time.Duration) bool // lets time go by, and may end early as bench.pass does
	want  func(w []string) error   // a line that tells what is recognised
}

func newScenario(t *testing.T, sc script) *scenario {
	g, ok := boards()[sc.board]
	v, err := rules.ByID(sc.variant)
	if err != nil || !ok {
		t.Fatalf("no board %q, or no game: %v", sc.board, err)
	}
	for line := range strings.Lines(sc.body) {
		if w := words(line); len(w) == 3 && w[0] == "weighs" {
			grams, err := strconv.Atoi(w[2])
			if err != nil {
				t.Fatal(err)
			}
			g.Mass[w[1][0]], g.Mass[strings.ToUpper(w[1])[0]] = int32(grams)*1000, int32(grams)*1000
		}
	}
	return &scenario{t: t, b: newBench(t, g, sc.seed), p: v.Start(), pace: 100 * time.Millisecond}
}

// run plays the lines of a script; the error names the one that does not hold.
func (s *scenario) run(body string) error {
	for n, line := range strings.Split(body, "\n") {
		for part := range strings.SplitSeq(strings.Split(line, "//")[0], ",") {
			w := words(part)
			if len(w) == 0 {
				continue
			}
			if err := s.line(w); err != nil {
				return fmt.Errorf("line %d, %q: %w (state %v, touch %v)", n+1, part, err, s.b.last.State, s.b.last.Discrepancies)
			}
		}
	}
	return nil
}

func (s *scenario) line(w []string) error {
	hand := hands.Right
	if w[0] == "left" {
		hand, w = hands.Left, w[1:]
	}
	switch w[0] {
	case "board", "variant", "weighs":
		return nil // see scripts and newScenario
	case "fen":
		p, err := s.p.Variant().ParseFEN(strings.Join(w[1:], " "))
		s.p = p
		return err
	case "uncounted":
		return s.uncounted(w[1:])
	case "lift", "place", "discard", "take":
		return s.act(hand, w)
	case "wait":
		d, err := time.ParseDuration(w[1])
		s.ready()
		s.wait(d)
		return err
	}
	return s.want(w)
}

// wait lets time go by, also while a question is open, until a move is made or taken back.
func (s *scenario) wait(d time.Duration) {
	for end := s.b.now.Add(d); s.b.now.Before(end); {
		if s.pass(end.Sub(s.b.now)) && s.b.last.State != reconcile.Asking {
			return
		}
	}
}

func (s *scenario) uncounted(names []string) error {
	var silent rules.Bitboard
	for _, name := range names {
		sq, err := rules.ParseSquare(name)
		if err != nil {
			return err
		}
		silent |= sq.Bit()
	}
	s.b.broken.silent = func(k sensing.Kind, _ sensing.Deck) rules.Bitboard {
		if k == sensing.Reeds {
			return 0
		}
		return silent
	}
	return nil
}

// ready lets the board stand for a while before the first hand comes.
func (s *scenario) ready() {
	if s.start {
		return
	}
	s.start = true
	s.b.stand(&s.p)
	s.expect()
	s.pass(400 * time.Millisecond)
}

func (s *scenario) expect() {
	bases := []reconcile.Base{{Position: s.p, Moves: true, OpponentHere: true}}
	for i := len(s.past) - 1; i >= 0; i-- {
		bases = append(bases, reconcile.Base{Position: s.past[i], Moves: i == len(s.past)-1, Takeback: true})
	}
	s.b.d.Expect(bases)
}

func (s *scenario) place(name string) (wood.Place, error) {
	deck := sensing.Lower
	if strings.HasSuffix(name, "^") || s.b.g.TwoDecks && s.p.Variant().ID() == "meirav" && !strings.HasSuffix(name, "_") {
		deck = sensing.Upper
	}
	sq, err := rules.ParseSquare(strings.TrimRight(name, "^_"))
	return wood.PlaceAt(deck, sq), err
}

func (s *scenario) act(hand hands.Hand, w []string) error {
	s.ready()
	a := hands.Act{Hand: hand, Count: 1}
	switch w[0] {
	case "discard":
		a.Do = hands.Discard
	case "take":
		a.Do, a.Pieces = hands.Take, w[1]
	case "lift", "place":
		p, err := s.place(w[1])
		if err != nil {
			return err
		}
		a.Place = p
		if w[0] == "place" {
			a.Do = hands.Put
		}
		if len(w) > 2 {
			if a.Count, err = strconv.Atoi(w[2]); err != nil {
				return err
			}
		}
	}
	s.b.act(a)
	for end := s.b.now.Add(s.pace); s.b.now.Before(end); {
		s.pass(end.Sub(s.b.now)) // a hand takes its time, whatever has been recognised by then
	}
	return nil
}

// found compares what a line says with what the decoder says now.
func (s *scenario) found(w []string) error {
	said := func(states ...reconcile.State) bool { return slices.Contains(states, s.b.last.State) }
	switch {
	case slices.Contains([]string{"moved", "corrected", "back", "ended"}, w[0]) &&
		!said(reconcile.Moved, reconcile.TakenBack, reconcile.Ended):
		s.wait(time.Second)
	case w[0] == "ask" && !said(reconcile.Moved, reconcile.TakenBack, reconcile.Asking):
		s.b.pass(time.Second)
	}
	e := s.b.last
	switch w[0] {
	case "moved", "corrected":
		return s.made(w)
	case "back":
		if e.State != reconcile.TakenBack {
			return fmt.Errorf("not taken back")
		}
		n := len(s.past) - e.Base
		s.p, s.past = s.past[n], s.past[:n]
		s.expect()
		s.b.pass(2 * reedSweep)
	case "ended":
		if e.State != reconcile.Ended || e.Result != w[1] {
			return fmt.Errorf("got %v %q", e.State, e.Result)
		}
	case "ask":
		return s.asked(w[1:])
	case "answer":
		return s.answer(w[1])
	case "state":
		if e.State.String() != w[1] {
			return fmt.Errorf("got %v", e.State)
		}
	case "touch":
		return s.touched(w[1:])
	case "reach":
		return s.reached(w[1:])
	case "faults":
		if got := fmt.Sprint(s.b.d.Faults()); len(s.b.d.Faults()) != len(w)-1 {
			return fmt.Errorf("got %v", got)
		}
	default:
		return fmt.Errorf("no such line")
	}
	return nil
}

func (s *scenario) made(w []string) error {
	e := s.b.last
	base, from := 0, s.p
	if w[0] == "corrected" {
		if len(s.past) == 0 {
			return fmt.Errorf("nothing was moved yet: got %v, base %d, %s", e.State, e.Base, s.p.Coord(e.Move))
		}
		base, from = 1, s.past[len(s.past)-1]
	}
	if e.State != reconcile.Moved || e.Base != base || from.Coord(e.Move) != w[1] {
		return fmt.Errorf("got %v, base %d, %s", e.State, e.Base, from.Coord(e.Move))
	}
	if base == 1 {
		s.past = s.past[:len(s.past)-1]
	}
	s.play(from, e.Move)
	return nil
}

// play adds a move to the game.
func (s *scenario) play(from rules.Position, m rules.Move) {
	s.past = append(s.past, from)
	s.p = from
	s.p.Play(m)
	s.expect()
	s.b.pass(2 * reedSweep)
}

// answer takes a choice of the question, which is one of moves of the game as it stands, or in place of the last one.
func (s *scenario) answer(name string) error {
	e, from := s.b.last, s.p
	if e.State != reconcile.Asking || e.Base > 1 {
		return fmt.Errorf("got %v, base %d", e.State, e.Base)
	}
	if e.Base == 1 {
		from = s.past[len(s.past)-1]
	}
	for _, c := range e.Choices {
		if from.Coord(c.Move) == name {
			s.past = s.past[:len(s.past)-e.Base]
			s.play(from, c.Move)
			return nil
		}
	}
	return fmt.Errorf("no such choice")
}

func (s *scenario) asked(want []string) error {
	e := s.b.last
	var got []string
	p := s.p
	if e.Base > 0 {
		p = s.past[len(s.past)-e.Base]
	}
	for _, c := range e.Choices {
		got = append(got, p.Coord(c.Move))
	}
	if e.State != reconcile.Asking || !slices.Equal(got, want) {
		return fmt.Errorf("got %v %v", e.State, got)
	}
	return nil
}

func (s *scenario) touched(names []string) error {
	var want, got []wood.Place
	for _, name := range names {
		p, err := s.place(name)
		if err != nil {
			return err
		}
		want = append(want, p)
	}
	for _, t := range s.b.last.Discrepancies {
		got = append(got, t.Place)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("got %v", got)
	}
	return nil
}

func (s *scenario) reached(w []string) error {
	from, err := s.place(w[0])
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.b.last.Lifts, func(l reconcile.Lift) bool { return l.Place == from })
	if i < 0 {
		return fmt.Errorf("nothing is lifted there: %v", s.b.last.Lifts)
	}
	r := s.b.d.Destinations(s.b.last.Lifts[i])
	set := map[string]wood.Set{"quiet": r.Quiet, "capture": r.Capture, "stack": r.Stack, "special": r.Special}[w[1]]
	var got []string
	for p := range wood.Place(wood.Places) {
		if set.Has(p) {
			got = append(got, p.String())
		}
	}
	if !slices.Equal(got, w[2:]) {
		return fmt.Errorf("got %v", got)
	}
	return nil
}
