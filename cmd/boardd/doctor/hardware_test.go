// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/hardware/virtual/chips"
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/calibration"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// examine lets the doctor look at a virtual board, opened as a real one, after a fault was put in.
func examine(t *testing.T, name string, kind virtual.Kind, fault func(*virtual.Board, *config.Config)) (ill []finding,
	all string) {
	t.Helper()
	chip := "tca9535"
	if strings.HasPrefix(name, "mcp") {
		chip = "mcp23017"
	}
	v, err := virtual.New(virtual.Options{Name: name, Kind: kind, Seed: 1, Expanders: chip})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	c := config.Default()
	c.Board, c.Kind, c.StateDir = name, kind.String(), t.TempDir()
	c.I2C, c.SPI, c.Int, c.Hub = v.I2C(), v.SPI(), v.Int(), v.Hub()
	c.Reeds = chip
	fault(v, &c)
	var out bytes.Buffer
	d := &examination{out: &out, json: true, root: t.TempDir()}
	d.hardware(t.Context(), &c)
	for lines := json.NewDecoder(&out); lines.More(); {
		var f finding
		if err := lines.Decode(&f); err != nil {
			t.Fatal(err)
		}
		all += f.Part + ": " + f.Say + " -> " + f.Do + "\n"
		if !f.OK && f.Part != "calibration" && f.Part != "speed of the bus" {
			ill = append(ill, f)
		}
	}
	if f := v.Lights(); f != (leds.Frame{}) {
		t.Errorf("%s: lights are left on", name)
	}
	return ill, all
}

// ranks is a bank of height sensors on a slow bus: it knows one rank more every 900 ms.
type ranks struct{}

func (ranks) Health() []sensing.Part { return nil }

func (ranks) Run(ctx context.Context, out chan<- sensing.Reading) error {
	time.Sleep(8 * time.Second)
	for n := 1; ; n++ {
		select {
		case out <- sensing.Reading{Kind: sensing.Heights, Known: 1<<(8*min(n, 8)) - 1, At: time.Now()}:
		case <-ctx.Done():
			return nil
		}
		time.Sleep(900 * time.Millisecond)
	}
}

// TestDoctorListensToTheLastSquare: nothing is called silent while more and more squares of a bank are heard.
func TestDoctorListensToTheLastSquare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig.Rig{Sources: []sensing.Source{ranks{}}}
		heard := (&examination{}).listen(t.Context(), r, slog.New(slog.DiscardHandler))
		if f := heard[sense{sensing.Heights, sensing.Lower}]; f == nil || f.known != ^rules.Bitboard(0) {
			t.Errorf("heard %+v, want all squares", f)
		}
	})
}

// TestOneWireWrong: whoever has soldered one wire wrong reads which, in one sentence or two, and what to do.
func TestOneWireWrong(t *testing.T) {
	guide := tenMistakes(t)
	e4, c6, c7 := rules.Square(28), rules.Square(42), rules.Square(50)
	array := func(v *virtual.Board) {
		var w wood.Wood
		for i, letter := range "RNBQKBNRPPPPPPPP" {
			w[i], w[i^56] = wood.Pile(letter), wood.Pile(letter+'a'-'A')
		}
		v.Put(w)
	}
	for name, c := range map[string]struct {
		kind  virtual.Kind
		fault func(*virtual.Board, *config.Config)
		want  []string // one finding each, in order: of each the part, what is wrong and what to do hold these words
	}{
		"well":       {virtual.Stack, func(*virtual.Board, *config.Config) {}, nil},
		"well-twin":  {virtual.Twin, func(*virtual.Board, *config.Config) {}, nil},
		"well-reeds": {virtual.Reeds, func(*virtual.Board, *config.Config) {}, nil},
		"well-array": {virtual.Stack, func(v *virtual.Board, _ *config.Config) { array(v) }, nil},
		"int-open": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) { v.Faults().Int(false, true) },
			[]string{"no expander's INT arrives there|wire the INT pins"}},
		"int-of-one": {virtual.Reeds, intOfOne, []string{"INT of 0x22 does not arrive, that of the others does|solder " +
			"the wire from pin 1 (INT) of 0x22"}},
		"mcp-well":  {virtual.Reeds, func(*virtual.Board, *config.Config) {}, nil},
		"mcp-array": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) { array(v) }, nil},
		"mcp-int-open": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) { v.Faults().Int(false, true) },
			[]string{"no expander's INT arrives there|wire the INT pins"}},
		"mcp-int-of-one": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) {
			v.Bus().Detach(0x22)
			v.Bus().Attach(0x22, chips.NewMCP23017(func() uint16 { return 0xffff }, nil))
		}, []string{"INT of 0x22 does not arrive, that of the others does|solder the wire from pin 20 (INTA) of 0x22"}},
		"sda-open": {virtual.Stack, nobody, []string{"nobody answers, though there ought to be 4 chips|SDA",
			"squares: reeds, lower deck|any square|see the bus"}},
		"sda-held": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) { v.Faults().StickSDA(1 << 20) },
			[]string{"something holds SDA or SCL low|solder between", "squares: reeds"}},
		"one-open": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) { v.Faults().Expander(0, 2, true) },
			[]string{"chip 0x22|the expander of a5-h6 does not answer|A0 low, A1 high, A2 low",
				"squares: reeds, lower deck|a5 b5|see the bus"}},
		"elsewhere": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) { move(v, 0x22, 0x26) },
			[]string{"chip 0x22|answers at 0x26|solder A2 low; they are A2 high", "squares: reeds, lower deck"}},
		"one-too-many": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) {
			v.Bus().Attach(0x25, chips.NewTCA9535(func() uint16 { return 0 }, nil))
		}, []string{"chip 0x25|an expander answers that the configuration does not know|hardware.expanders"}},
		"reed-shorted": {virtual.Reeds,
			func(v *virtual.Board, _ *config.Config) { v.Faults().Reed(sensing.Lower, e4, virtual.ReedStuckClosed) },
			[]string{"squares: reeds, lower deck|closed on e4, where nothing ought to stand|shorted"}},
		"reed-known-dead": {virtual.Reeds, func(v *virtual.Board, c *config.Config) {
			cal := calibration.New()
			cal.Kind, cal.Dead[0] = "reeds", c7.Bit()
			if _, err := rig.SaveCalibration(c.StateDir, &cal); err != nil {
				panic(err)
			}
			array(v)
		}, []string{"squares: reeds, lower deck|no switch closed on c7 when the board was calibrated|mend it, then boardd " +
			"calibrate"}},
		"reed-open": {virtual.Reeds, func(v *virtual.Board, _ *config.Config) {
			v.Faults().Reed(sensing.Lower, c7, virtual.ReedStuckOpen)
			v.Faults().Reed(sensing.Lower, c6, virtual.ReedStuckClosed)
			array(v)
		}, []string{"closed on c6|open on c7, where a piece ought to stand|broken"}},
		"reed-open-twin": {virtual.Twin, func(v *virtual.Board, _ *config.Config) {
			v.Faults().Reed(sensing.Lower, e4, virtual.ReedStuckOpen)
			v.Put(wood.Wood{28: "Q"})
		}, []string{"squares: reeds, lower deck|open on e4, where a piece ought to stand"}},
		"cell-unplugged": {virtual.Stack,
			func(v *virtual.Board, _ *config.Config) { v.Faults().Cell(e4, virtual.CellAbsent) },
			[]string{"cells absent|e4|DOUT", "squares: weights, lower deck|e4"}},
		"cell-open": {virtual.Stack,
			func(v *virtual.Board, _ *config.Config) { v.Faults().Cell(e4, virtual.CellSaturated) },
			[]string{"cells saturated|e4|E+, E-", "squares: weights, lower deck|e4"}},
		"well-scale": {virtual.Scale, calibrated, nil},
		"scale-array": {virtual.Scale, func(v *virtual.Board, c *config.Config) {
			calibrated(v, c)
			array(v)
		}, nil},
		"scale-corner": {virtual.Scale,
			func(v *virtual.Board, _ *config.Config) { v.Faults().Cell(scale.Squares[1], virtual.CellAbsent) },
			[]string{"cells absent|corner at h1 (A1 of a Nano, D23 of a Mega)|plug",
				"scale|corner at h1 says nothing|converter's plug"}},
		"scale-zero": {virtual.Scale, func(v *virtual.Board, c *config.Config) {
			calibrated(v, c)
			for _, sq := range scale.Squares { // at once: a hand that leans comes to rest while the doctor listens
				v.Faults().Drift(sq, 20_000)
			}
		}, []string{"scale|no switch is closed, and the scale feels|leans on it"}},
		"scale-off-centre": {virtual.Scale, func(v *virtual.Board, c *config.Config) {
			calibrated(v, c)
			array(v)
			v.Faults().Drift(scale.Squares[0], 30_000)
		}, []string{"scale|weigh|touches its frame"}},
		"hub-old": {virtual.Stack,
			func(v *virtual.Board, _ *config.Config) { v.Faults().Hub().SetFaults(virtual.HubFaults{Old: true}) },
			[]string{"hub |firmware 0.9 is older than 1.1|boardd flash"}},
		"hub-other": {virtual.Stack,
			func(v *virtual.Board, _ *config.Config) { v.Faults().Hub().SetFaults(virtual.HubFaults{Version: 2}) },
			[]string{"hub |protocol 2|boardd flash", "squares: weights"}},
		"hub-away": {virtual.Stack, func(v *virtual.Board, _ *config.Config) { v.Faults().Hub().Unplug() },
			[]string{"hub |no such file|plug the hub in", "squares: weights"}},
		"no-lights": {virtual.Reeds, func(_ *virtual.Board, c *config.Config) { c.SPI = "SPI9.9" },
			[]string{"line of the lights|SPI9.9|hardware.spi"}},
		"no-int": {virtual.Reeds, func(_ *virtual.Board, c *config.Config) { c.Int = "GPIO99" },
			[]string{"reeds and their interrupt|GPIO99|hardware.int", "squares: reeds"}},
		"no-bus": {virtual.Stack, func(_ *virtual.Board, c *config.Config) { c.I2C = "I2C99" },
			[]string{"bus of the sensors|I2C99", "squares: reeds"}},
		"no-display": {virtual.Reeds, func(_ *virtual.Board, c *config.Config) { c.Display = "I2C99" },
			[]string{"display|I2C99"}},
		"eye-open": {virtual.Twin, func(v *virtual.Board, _ *config.Config) { v.Faults().Eye(e4, true) },
			[]string{"heights of e4||its channel of the multiplexer", "squares: heights, lower deck|e4"}},
		"eye-covered": {virtual.Twin, func(v *virtual.Board, _ *config.Config) { v.Faults().Blind(e4, true) },
			[]string{"heights of e4|no target|window is covered", "squares: heights, lower deck|e4"}},
		"mux-open": {virtual.Twin, func(v *virtual.Board, _ *config.Config) { v.Faults().Mux(3, true) },
			[]string{"chip 0x73|the multiplexer of the height sensors over a4-h4 does not answer",
				"squares: heights, lower deck|a4 b4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ill, all := examine(t, name, c.kind, c.fault)
			if len(ill) != len(c.want) {
				t.Fatalf("%d findings, want %d:\n%+v\nin\n%s", len(ill), len(c.want), ill, all)
			}
			if says, ok := guide[name]; ok && !strings.Contains(all, says) {
				t.Errorf("the guide's chapter of ten mistakes has %q, the doctor says\n%s", says, all)
			}
			for i, f := range ill {
				for _, words := range strings.Split(c.want[i], "|") {
					if text := f.Part + " " + f.Say + " -> " + f.Do; !strings.Contains(text, words) {
						t.Errorf("finding %d lacks %q: %s", i, words, text)
					}
				}
				if f.Do == "" && !strings.Contains(f.Say, "hardware.") {
					t.Errorf("nothing is said that mends %s: %s", f.Part, f.Say)
				}
			}
		})
	}
}

// mistakes holds the cases of TestOneWireWrong that the guide tells of, in its order.
var mistakes = []string{"sda-open", "sda-held", "elsewhere", "int-of-one", "reed-open", "reed-shorted", "cell-open",
	"scale-off-centre", "hub-away", "eye-covered"}

// tenMistakes is what the doctor says of each mistake by the guide's chapter.
func tenMistakes(t *testing.T) map[string]string {
	t.Helper()
	guide, err := os.ReadFile("../../../hardware/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(guide), "## Ten mistakes")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	says := map[string]string{}
	rows := regexp.MustCompile("(?m)^\\| (\\d+) \\| [^|]+ \\| `([^`]+)` \\| [^|]+ \\|$").FindAllStringSubmatch(chapter,
		-1)
	if len(rows) != len(mistakes) {
		t.Fatalf("the guide tells of %d mistakes, want %d", len(rows), len(mistakes))
	}
	for i, m := range rows {
		says[mistakes[i]] = m[2]
	}
	return says
}

// calibrated gives a scale board a calibration.
func calibrated(_ *virtual.Board, c *config.Config) {
	cal := calibration.New()
	cal.Kind = "scale"
	if _, err := rig.SaveCalibration(c.StateDir, &cal); err != nil {
		panic(err)
	}
}

// nobody takes all chips off the bus, as an open SDA does.
func nobody(v *virtual.Board, _ *config.Config) {
	for a := uint16(0x20); a < 0x28; a++ {
		v.Bus().Detach(a)
	}
}

// move puts an expander of open switches at another address, as a wrong address pin does.
func move(v *virtual.Board, from, to uint16) {
	v.Bus().Detach(from)
	v.Bus().Attach(to, chips.NewTCA9535(func() uint16 { return 0xffff }, nil))
}

// intOfOne leaves the INT pin of one expander unwired.
func intOfOne(v *virtual.Board, _ *config.Config) {
	v.Bus().Detach(0x22)
	v.Bus().Attach(0x22, chips.NewTCA9535(func() uint16 { return 0xffff }, nil))
}
