// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// corners corrects a reading of the scale. If a corner does not answer, nothing is Known.
func (c *Calibration) corners(r sensing.Reading) sensing.Reading {
	out := sensing.Reading{At: r.At, Kind: r.Kind, Deck: r.Deck}
	if r.Known&scale.Known != scale.Known {
		return out
	}
	var shown [scale.Corners]float64
	for i, sq := range scale.Squares {
		shown[i] = float64(r.Value[sq])
	}
	out.Known, out.Stale = scale.Known, r.Stale&scale.Known
	for i, mg := range c.Plate.Bear(&shown) {
		out.Value[scale.Squares[i]] = int32(math.Round(max(math.MinInt32, min(math.MaxInt32, mg))))
	}
	return out
}

// tareScale takes what the corners show with nothing on the board.
func tareScale(s *Session) {
	if s.corners.known&scale.Known != scale.Known {
		s.seen = say.That("No answer from the load cells under the corners at %s: is the hub plugged in, and are their "+
			"converters?", names(scale.Known&^s.corners.known))
		return
	}
	if s.corners.rests()&scale.Known != scale.Known {
		return
	}
	for i, sq := range scale.Squares {
		s.cal.Plate.Zero[i] = s.corners.mean(sq)
		s.cal.CellNoise[sq] = int32(math.Ceil(s.corners.noise(sq)))
		if s.cal.CellNoise[sq] > restless {
			s.seen = say.That("The load cell under the corner at %v trembles by more than %d g: look for a loose wire, a "+
				"foot that does not stand, or wind.", sq, restless/1000)
			return
		}
	}
	s.next(say.That("Every switch is open. The scale is tared."))
}

// shown is what the corners show, less the empty board.
func (s *Session) shown() (more [scale.Corners]float64) {
	for i, sq := range scale.Squares {
		more[i] = s.corners.mean(sq) - s.cal.Plate.Zero[i]
	}
	return more
}

// mostOff is a limit for the square of a walk to count, in mm. The fit must find the piece no farther than that from
// the square's middle. People put it down a few millimetres off.
const mostOff = 12.0

// balance takes in what the corners show of the piece on a square. On the last square it computes the gains.
func (w *walk) balance(s *Session, sq rules.Square) (found say.Said, err error) {
	sample := scale.Sample{Square: sq, Shown: s.shown()}
	sum := 0.0
	for _, mg := range sample.Shown {
		sum += mg
	}
	if sum < float64(w.mg)*minGain {
		return found, say.Error("the scale feels %s g of a piece of %s g: does the board stand on its four cells alone, "+
			"and not on its frame? Red and black of a cell the wrong way round make it lighter",
			tenths(sum/1000), tenths(float64(w.mg)/1000))
	}
	again := func(o scale.Sample) bool { return o.Square >= sq } // the walk went back
	w.felt = append(slices.DeleteFunc(w.felt, again), sample)
	if s.part+1 < w.parts() {
		return found, nil
	}
	return w.fit(s)
}

// fit finds the gains of a scale from the squares walked so far; those of other boards have none.
func (w *walk) fit(s *Session) (found say.Said, err error) {
	if s.b.Kind != "scale" || len(w.felt) == 0 {
		return found, nil
	}
	list := slices.Clone(w.felt)
	var out rules.Bitboard // where the piece stood elsewhere
	for {
		p, off, err := scale.Fit(float64(w.mg), list)
		if err != nil {
			return found, err
		}
		worst, mean := 0, 0.0
		for i, mm := range off {
			if mean += mm * mm; mm > off[worst] {
				worst = i
			}
		}
		if off[worst] > mostOff {
			out |= list[worst].Square.Bit()
			list = slices.Delete(list, worst, worst+1)
			continue
		}
		p.Zero = s.cal.Plate.Zero
		s.cal.Plate = p
		found = say.That("The scale has the piece %s mm from the middle of %d squares (root of the mean square).",
			tenths(math.Sqrt(mean/float64(len(off)))), len(off))
		if out != 0 {
			found = follow(found,
				say.That("Left out are %s, where it stood elsewhere, or the board touches something.", names(out)))
		}
		return found, nil
	}
}

// written is samples in words without blanks, and samples reads them.
func written(list []scale.Sample) (words []string) {
	for _, s := range list {
		words = append(words, fmt.Sprintf("%v:%.0f:%.0f:%.0f:%.0f", s.Square, s.Shown[0], s.Shown[1], s.Shown[2],
			s.Shown[3]))
	}
	return words
}

func samples(words []string) (list []scale.Sample, err error) {
	for _, w := range words {
		name, figures, _ := strings.Cut(w, ":")
		var s scale.Sample
		if s.Square, err = rules.ParseSquare(name); err == nil {
			_, err = fmt.Sscanf(figures, "%g:%g:%g:%g", &s.Shown[0], &s.Shown[1], &s.Shown[2], &s.Shown[3])
		}
		if err != nil {
			return nil, fmt.Errorf("%q is not what a scale shows: want a square and four numbers", w)
		}
		list = append(list, s)
	}
	return list, nil
}

// kinds weighs a piece of each kind and color, one after the other, each alone on the board.
type kinds struct {
	stateless
	ready bool
}

// pieceSpread is the standard deviation, in milligrams, that is assumed for a kind of which one piece was weighed:
// that of the reference set.
const pieceSpread = 250

func (*kinds) name() string { return "kinds" }
func (*kinds) parts() int   { return len(Letters) }

func (*kinds) light(s *Session) leds.Frame { return s.shine(sensing.Lower, stand.Bit(), white) }

func (*kinds) prompt(s *Session, p *Prompt) {
	p.Ask(say.That("Put %s alone on e4, take your hand away, and press Enter. \"keep\" leaves the weights from here on "+
		"as they are.", pieceName(Letters[s.part])))
	p.Said.Parts[0].Args[0] = string(Letters[s.part]) // a catalogue has words of its own for pieces
	p.Answers, p.Square = []string{"", "keep"}, stand.String()
}

// pieceName is a piece as people call it.
func pieceName(letter byte) string {
	if letter == '#' {
		return "a pedestal"
	}
	color := "a white "
	if letter >= 'a' {
		color = "a black "
	}
	return color + map[byte]string{'p': "pawn", 'n': "knight", 'b': "bishop", 'r': "rook", 'q': "queen",
		'k': "king"}[kind(letter)]
}

func (k *kinds) answer(s *Session, word string) (bool, error) {
	if word == "keep" {
		s.skip(say.That("The other weights stay as they were."))
		return true, nil
	}
	if word != "" {
		return false, nil
	}
	s.corners.clear()
	k.ready, s.seen = true, say.That("Weighing.")
	return true, nil
}

func (k *kinds) observe(s *Session, _ sensing.Kind) {
	if !k.ready || s.corners.rests()&scale.Known != scale.Known || !s.reeds[0].rest() {
		return
	}
	k.ready = false
	mg, err := k.weigh(s)
	if err != nil {
		s.seen = sentence(err)
		return
	}
	if s.cal.Weights == nil {
		s.cal.Weights = map[byte]Weight{}
	}
	letter := Letters[s.part]
	s.cal.Weights[letter] = Weight{int32(math.Round(mg)), pieceSpread}
	weighed := say.That("%s weighs %s g.", strings.ToUpper(pieceName(letter)[:1])+pieceName(letter)[1:], tenths(mg/1000))
	weighed.Parts[0].Args[0] = string(letter) // a catalogue has words of its own for pieces
	if s.part == s.steps[s.step].parts()-2 {
		weighed = follow(weighed, alike(s.cal.Weights, s.cal.CellNoise))
	}
	s.next(weighed)
}

// weigh returns the weight on the board, or an error unless it is one piece that stands where it should.
func (*kinds) weigh(s *Session) (mg float64, err error) {
	shown := s.corners
	var all [scale.Corners]float64
	for i, sq := range scale.Squares {
		all[i] = shown.mean(sq)
	}
	load := s.cal.Plate.Load(&all)
	if load.MG < 2000 {
		return 0, say.Error("the scale feels less than 2 g: is the piece there? Press Enter again")
	}
	x, y := load.Centre()
	if sq, ok := scale.Square(x, y); !ok || sq != stand {
		return 0, say.Error("the scale feels %s g, but not on e4: take everything else off the board, and your hands, and "+
			"press Enter again", tenths(load.MG/1000))
	}
	return load.MG, nil
}

// scaleFile is a plate on disk.
type scaleFile struct {
	Zero []float64 `yaml:"empty_mg"` // a1, h1, a8, h8
	Sum  []float64 `yaml:"gain"`
	X    []float64 `yaml:"right_mm"` // that a milligram on the corner is worth, towards the h file
	Y    []float64 `yaml:"up_mm"`
}

func plate(p *scale.Plate) *scaleFile {
	round := func(v [scale.Corners]float64) (out []float64) {
		for _, x := range v {
			out = append(out, math.Round(x*1e5)/1e5)
		}
		return out
	}
	return &scaleFile{round(p.Zero), round(p.Part[0]), round(p.Part[1]), round(p.Part[2])}
}

func (r *reader) plate(f *scaleFile, p *scale.Plate) {
	if f == nil {
		return
	}
	read := func(what string, from []float64, to *[scale.Corners]float64, most float64) {
		if len(from) != scale.Corners {
			r.fault("scale."+what, "%d numbers: want 4, of the corners at a1, h1, a8 and h8", len(from))
			return
		}
		for i, v := range from {
			if math.IsNaN(v) || math.Abs(v) > most {
				r.fault("scale."+what, "%v: want a number from %g to %g", v, -most, most)
				continue
			}
			to[i] = v
		}
	}
	read("empty_mg", f.Zero, &p.Zero, 1e8)
	read("gain", f.Sum, &p.Part[0], maxGain)
	read("right_mm", f.X, &p.Part[1], 500*maxGain)
	read("up_mm", f.Y, &p.Part[2], 500*maxGain)
}
