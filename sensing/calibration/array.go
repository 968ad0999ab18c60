// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"fmt"
	"math"
	"strings"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// home holds the letters of the first rank.
const home = "RNBQKBNR"

// letterAt is the piece of the array on a square, 0 for none.
func letterAt(sq rules.Square) byte {
	switch sq.Rank() {
	case 0:
		return home[sq.File()]
	case 1:
		return 'P'
	case 6:
		return 'p'
	case 7:
		return home[sq.File()] + 'a' - 'A'
	}
	return 0
}

// arrayed holds the squares of the array.
const arrayed rules.Bitboard = 0xffff_0000_0000_ffff

// array weighs all pieces at once, in the array.
type array struct {
	stateless
	ready bool
}

func (*array) name() string { return "pieces" }
func (*array) parts() int   { return 1 }

func (*array) light(s *Session) leds.Frame { return s.shine(sensing.Lower, arrayed, white) }

func (*array) prompt(_ *Session, p *Prompt) {
	p.Ask(say.That("Set all pieces up as at the start of a game of chess, White on the first two ranks, take your " +
		"hands away, and press Enter. \"keep\" leaves the weights as they are."))
	p.Answers = []string{"", "keep"}
}

func (a *array) answer(s *Session, word string) (bool, error) {
	if word == "keep" {
		s.skip(say.That("The weights of the pieces stay as they were."))
		return true, nil
	}
	if word != "" {
		return false, nil
	}
	a.ready, s.seen = true, say.That("Weighing the pieces.")
	return true, nil
}

func (a *array) observe(s *Session, _ sensing.Kind) {
	if !a.ready || !s.reeds[0].rest() || s.cells.rests() != s.cells.known {
		return
	}
	err := a.standing(s)
	var mg map[byte]Weight
	if err == nil {
		mg, err = a.weigh(s)
	}
	if err != nil {
		s.seen = sentence(err)
		return
	}
	s.cal.Weights = mg
	s.next(follow(say.That("The pieces are weighed."), alike(mg, s.cal.CellNoise)))
}

// sentence is an error as a line of its own for people.
func sentence(err error) say.Said {
	s := say.Of(err)
	s.English = strings.ToUpper(s.English[:1]) + s.English[1:] + "."
	return s
}

// standing checks that the array is there and rests. Over dead switches the weights will tell.
func (*array) standing(s *Session) error {
	var closed rules.Bitboard
	for i := range s.reeds[0].closed.Squares() {
		closed |= s.cal.Reeds[0][i].Bit()
	}
	open := arrayed &^ closed &^ s.cal.Dead[0]
	switch {
	case open != 0:
		return say.Error("nothing stands on %s: put the piece there into the middle of its square", names(open))
	case closed&^arrayed != 0:
		return say.Error("something stands on %s: take it away", names(closed&^arrayed))
	}
	return nil
}

// weigh takes the mean and the spread of every letter. A piece lighter than ten times the noise of its square is
// refused.
func (*array) weigh(s *Session) (map[byte]Weight, error) {
	sum, squares, n := map[byte]float64{}, map[byte]float64{}, map[byte]float64{}
	for i := range s.cells.known.Squares() {
		sq := s.cal.Cells[i]
		letter := letterAt(sq)
		if letter == 0 {
			continue
		}
		mg := (s.cells.mean(i) - float64(s.cal.Empty[sq])) * s.cal.Gain[sq]
		if noise := float64(s.cal.CellNoise[sq]) * math.Abs(s.cal.Gain[sq]); mg < 10*noise || mg < 2000 {
			return nil, say.Error("the piece on %v weighs %s g, and the cell trembles by %s g: too light to be told "+
				"from nothing. Glue a coin or a nut into it, or mend the cell", sq, tenths(mg/1000),
				fmt.Sprintf("%.2f", noise/1000))
		}
		sum[letter] += mg
		squares[letter] += mg * mg
		n[letter]++
	}
	w := map[byte]Weight{}
	for letter := range n {
		mean := sum[letter] / n[letter]
		spread := math.Sqrt(max(0, squares[letter]/n[letter]-mean*mean))
		w[letter] = Weight{int32(math.Round(mean)), int32(math.Ceil(spread))}
	}
	return w, nil
}

// alike names the kinds that one weighing cannot tell apart.
func alike(w map[byte]Weight, noise [64]int32) say.Said {
	var pairs []string
	list := []byte("PNBRQKpnbrqk")
	for i, a := range list {
		for _, b := range list[i+1:] {
			if kind(a) == kind(b) {
				continue
			}
			apart := math.Abs(float64(w[a].MG - w[b].MG))
			if apart < 6*math.Hypot(float64(worst(noise)), math.Hypot(float64(w[a].Spread), float64(w[b].Spread))) {
				pairs = append(pairs, string(a)+"/"+string(b))
			}
		}
	}
	if pairs == nil {
		return say.That("All kinds can be told apart by their weight.")
	}
	return say.That("These weigh too nearly the same to be told apart, and the board will ask where it matters: %s.",
		strings.Join(pairs, ", "))
}

func kind(letter byte) byte { return letter | 0x20 }

// pedestal weighs the neutral cube on which flyers stand over empty squares.
type pedestal struct {
	stateless
	ready bool
}

// stand is where the pedestal is weighed.
const stand = rules.Square(28) // e4

func (*pedestal) name() string { return "pedestal" }
func (*pedestal) parts() int   { return 1 }

func (*pedestal) light(s *Session) leds.Frame { return s.shine(sensing.Lower, stand.Bit(), white) }

func (*pedestal) prompt(_ *Session, p *Prompt) {
	p.Ask(say.That("Put one pedestal on e4 and press Enter; the other pieces may stay. \"keep\" if you have none."))
	p.Answers, p.Square = []string{"", "keep"}, stand.String()
}

func (e *pedestal) answer(s *Session, word string) (bool, error) {
	if word == "keep" {
		s.skip(say.That("The weight of the pedestals stays as it was."))
		return true, nil
	}
	if word != "" {
		return false, nil
	}
	e.ready, s.seen = true, say.That("Weighing the pedestal.")
	return true, nil
}

func (e *pedestal) observe(s *Session, _ sensing.Kind) {
	if !e.ready {
		return
	}
	for i := range s.cells.rests().Squares() {
		if s.cal.Cells[i] != stand {
			continue
		}
		mg := (s.cells.mean(i) - float64(s.cal.Empty[stand])) * s.cal.Gain[stand]
		if mg < 2000 || mg < 10*float64(s.cal.CellNoise[stand]) {
			s.seen = say.That("The cell of e4 feels less than 2 g: is the pedestal there?")
			return
		}
		if s.cal.Weights == nil {
			s.cal.Weights = map[byte]Weight{}
		}
		s.cal.Weights['#'] = Weight{MG: int32(math.Round(mg))}
		s.next(say.That("A pedestal weighs %s g.", tenths(mg/1000)))
		return
	}
}
