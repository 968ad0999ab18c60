// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"boardd/config/depth"
	"boardd/rules"

	"github.com/goccy/go-yaml"
)

// file is the form of a Calibration on disk. Tables are eight lines of eight, rank 1 first, from the a file.
type file struct {
	Made   time.Time `yaml:"made"`
	Board  string    `yaml:"board"`
	Kind   string    `yaml:"kind"`
	Wired  string    `yaml:"wired,omitempty"`
	Reeds  decks     `yaml:"reeds"`
	Lights decks     `yaml:"lights"`
	Cells  []string  `yaml:"cells,omitempty"`
	Eyes   []string  `yaml:"height_sensors,omitempty"`
	Dead   dead      `yaml:"dead_switches,omitempty"`

	Empty     []string `yaml:"empty_mg,omitempty"`
	Gain      []string `yaml:"gain,omitempty"`
	CellNoise []string `yaml:"cell_noise_mg,omitempty"`
	Lift      []string `yaml:"height_offset_um,omitempty"`
	EyeNoise  []string `yaml:"height_noise_um,omitempty"`
	Crosstalk []string `yaml:"height_crosstalk,omitempty"`

	Scale *scaleFile `yaml:"scale,omitempty"`

	Weights    map[string]weight `yaml:"pieces,omitempty"`
	CubeHeight int32             `yaml:"cube_height_um,omitempty"`

	Unfinished string `yaml:"unfinished,omitempty"` // Session.Where; a whole calibration has none
}

type decks struct {
	Lower []string `yaml:"lower"`
	Upper []string `yaml:"upper,omitempty"`
}

// dead is squares by name, with blanks between them.
type dead struct {
	Lower string `yaml:"lower,omitempty"`
	Upper string `yaml:"upper,omitempty"`
}

type weight struct {
	MG     int32 `yaml:"mg"`
	Spread int32 `yaml:"spread_mg"`
}

// head is what a person who opens the file reads first.
const head = `# Found by "boardd calibrate". Every table is eight lines, rank 1 first, each from the a file to the h file. Wiring: the
# place in the table is where the reference wiring has a sensor or light, the entry is where it really is.
`

// Marshal writes the calibration as a file. where is that of an unfinished session, "" when it is whole.
func (c *Calibration) Marshal(where string) ([]byte, error) {
	f := file{
		Unfinished: where,
		Made:       c.Made.UTC().Truncate(time.Second), Board: c.Board, Kind: c.Kind, Wired: c.Wired,
		Dead:  dead{names(c.Dead[0]), names(c.Dead[1])},
		Reeds: decks{Lower: squares(&c.Reeds[0])}, Lights: decks{Lower: squares(&c.Lights[0])}, CubeHeight: c.CubeHeight,
	}
	switch c.Kind {
	case "stack":
		f.Cells, f.Empty, f.CellNoise = squares(&c.Cells), numbers(&c.Empty), numbers(&c.CellNoise)
		f.Gain = rows(func(i int) string { return strconv.FormatFloat(c.Gain[i], 'f', 5, 64) })
	case "scale":
		f.Scale = plate(&c.Plate)
	case "twin":
		f.Reeds.Upper, f.Lights.Upper = squares(&c.Reeds[1]), squares(&c.Lights[1])
		f.Eyes, f.Lift, f.EyeNoise = squares(&c.Eyes), numbers(&c.Lift), numbers(&c.EyeNoise)
		if c.Crosstalk != [64]int32{} {
			f.Crosstalk = numbers(&c.Crosstalk)
		}
	}
	for letter, w := range c.Weights {
		if f.Weights == nil {
			f.Weights = map[string]weight{}
		}
		f.Weights[string(letter)] = weight(w)
	}
	body, err := yaml.Marshal(f)
	return append([]byte(head), body...), err
}

func rows(entry func(i int) string) []string {
	lines := make([]string, 8)
	for r := range lines {
		var words [8]string
		for i := range words {
			words[i] = entry(8*r + i)
		}
		lines[r] = strings.Join(words[:], " ")
	}
	return lines
}

func squares(w *Wiring) []string { return rows(func(i int) string { return w[i].String() }) }

func numbers(v *[64]int32) []string {
	return rows(func(i int) string { return strconv.Itoa(int(v[i])) })
}

// Unmarshal reads a file, and where its session ended if it is unfinished. The error joins everything that is wrong. A
// missing table is that of the reference boards. Fields from a later version are ignored, so that going back to this
// one keeps the calibration.
func Unmarshal(name string, text []byte) (c Calibration, where string, err error) {
	var f file
	if err := depth.Check(text); err != nil {
		return c, "", fmt.Errorf("%s: %w", name, err)
	}
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&f); err != nil {
		return c, "", fmt.Errorf("%s: this is no calibration: %w", name, err)
	}
	c = New()
	c.Made, c.Board, c.Kind, c.Wired, c.CubeHeight = f.Made, f.Board, f.Kind, f.Wired, f.CubeHeight
	r := reader{name: name}
	if f.Kind != "stack" && f.Kind != "twin" && f.Kind != "scale" && f.Kind != "reeds" {
		r.fault("kind", "%q: want stack, twin, scale or reeds", f.Kind)
	}
	r.wiring("reeds.lower", f.Reeds.Lower, &c.Reeds[0])
	r.wiring("reeds.upper", f.Reeds.Upper, &c.Reeds[1])
	r.wiring("lights.lower", f.Lights.Lower, &c.Lights[0])
	r.wiring("lights.upper", f.Lights.Upper, &c.Lights[1])
	r.wiring("cells", f.Cells, &c.Cells)
	r.wiring("height_sensors", f.Eyes, &c.Eyes)
	r.squares("dead_switches.lower", f.Dead.Lower, &c.Dead[0])
	r.squares("dead_switches.upper", f.Dead.Upper, &c.Dead[1])
	r.numbers("empty_mg", f.Empty, &c.Empty)
	r.numbers("cell_noise_mg", f.CellNoise, &c.CellNoise)
	r.numbers("height_offset_um", f.Lift, &c.Lift)
	r.numbers("height_noise_um", f.EyeNoise, &c.EyeNoise)
	r.numbers("height_crosstalk", f.Crosstalk, &c.Crosstalk)
	for sq, v := range c.Crosstalk {
		if v < 0 || v > math.MaxUint16 {
			r.fault("height_crosstalk", "%v: %d: want 0 to %d", rules.Square(sq), v, math.MaxUint16)
		}
	}
	r.table("gain", f.Gain, func(i int, word string) error {
		g, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(g) || math.Abs(g) < minGain || math.Abs(g) > maxGain {
			return fmt.Errorf("%q: want a number from %g to %g, or its negative", word, minGain, maxGain)
		}
		c.Gain[i] = g
		return nil
	})
	r.plate(f.Scale, &c.Plate)
	r.weights(f.Weights, &c)
	if f.CubeHeight < 0 || f.CubeHeight > 100_000 {
		r.fault("cube_height_um", "%d: want 3000 to 100000, or 0 for not measured", f.CubeHeight)
	}
	return c, f.Unfinished, errors.Join(r.errs...)
}

// The gains that a cell can have; a negative one is a cell mounted upside down.
const (
	minGain = 0.05
	maxGain = 20.0
)

type reader struct {
	name string
	errs []error
}

func (r *reader) fault(what, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %s: %s", r.name, what, fmt.Sprintf(format, args...)))
}

// table reads eight lines of eight words. An empty list changes nothing.
func (r *reader) table(what string, lines []string, set func(i int, word string) error) {
	if len(lines) == 0 {
		return
	}
	if len(lines) != 8 {
		r.fault(what, "%d lines: want 8, rank 1 first", len(lines))
		return
	}
	for rank, line := range lines {
		words := strings.Fields(line)
		if len(words) != 8 {
			r.fault(what, "line %d has %d entries: want 8, the a file first", rank+1, len(words))
			continue
		}
		for i, w := range words {
			if err := set(8*rank+i, w); err != nil {
				r.fault(what, "%v: %v", rules.SquareAt(i, rank), err)
			}
		}
	}
}

func (r *reader) wiring(what string, lines []string, w *Wiring) {
	var taken rules.Bitboard
	r.table(what, lines, func(i int, word string) error {
		sq, err := rules.ParseSquare(word)
		switch {
		case err != nil:
			return err
		case taken.Has(sq):
			return fmt.Errorf("%v stands here a second time: every square wants one", sq)
		}
		w[i], taken = sq, taken|sq.Bit()
		return nil
	})
}

func (r *reader) squares(what, list string, set *rules.Bitboard) {
	for _, word := range strings.Fields(list) {
		sq, err := rules.ParseSquare(word)
		if err != nil {
			r.fault(what, "%v", err)
			continue
		}
		*set |= sq.Bit()
	}
}

func (r *reader) numbers(what string, lines []string, v *[64]int32) {
	r.table(what, lines, func(i int, word string) error {
		n, err := strconv.ParseInt(word, 10, 32)
		v[i] = int32(n)
		if err != nil {
			return fmt.Errorf("%q: want a whole number", word)
		}
		return nil
	})
}

func (r *reader) weights(m map[string]weight, c *Calibration) {
	for letter, w := range m {
		switch {
		case len(letter) != 1 || !strings.Contains(Letters, letter):
			r.fault("pieces", "%q is no piece: want one of %s", letter, Letters)
		case w.MG <= 0 || w.Spread < 0:
			r.fault("pieces", "%s: %d mg, spread %d mg: a weight is more than nothing", letter, w.MG, w.Spread)
		default:
			if c.Weights == nil {
				c.Weights = map[byte]Weight{}
			}
			c.Weights[letter[0]] = Weight(w)
		}
	}
}

// Letters holds the letters of all pieces, with the pedestal.
const Letters = "PNBRQKpnbrqk#"
