// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/hardware/virtual"
	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
)

// rehearse lets a hand put pieces on all squares of a board of a level and take them off again. It returns the figures
// by kind of sensor.
func rehearse(level physics.Level) map[string]Figure {
	o := physics.Options{Level: level, Seed: 3, Decks: 1, Cube: 35_000}
	o.Mass['K'] = 60_000
	w := physics.New(o)
	s := physics.NewSampler(w, physics.Reference(1, true, true), time.Unix(0, 0))
	gauges := map[sensing.Kind]*Gauge{}
	take := func(r *sensing.Reading) bool {
		if gauges[r.Kind] == nil {
			gauges[r.Kind] = &Gauge{}
		}
		gauges[r.Kind].take(r)
		return true
	}
	at := 3 * time.Second
	s.Run(at, take)
	for sq := range rules.Square(64) {
		for _, pile := range []string{"K", ""} {
			w.Set(at, sensing.Lower, sq, pile, w.Untidy())
			s.Stirred()
			at += time.Second
			s.Run(at, take)
		}
	}
	var found []Kind
	for _, k := range []sensing.Kind{sensing.Weights, sensing.Heights, sensing.Reeds} {
		found = append(found, gauges[k].found(sensing.Lower))
	}
	list := map[string]Figure{}
	for _, f := range figures(found) {
		list[f.What] = f
	}
	return list
}

// TestFindsTheModels: on the models' own board the figures are those of the models, and on another board they are not.
func TestFindsTheModels(t *testing.T) {
	got := rehearse(virtual.Bench())
	for what, near := range map[string]float64{
		"noise of a load cell": 2, "noise of a height": 200, "settling of a load cell": 25,
		"time between frames of the hub": 0.5,
		"settling of a height":           100, "bounce of a reed, lower deck": 1,
	} {
		f, ok := got[what]
		if !ok || math.Abs(f.Measured-f.Model) > near || f.Of == 0 {
			t.Errorf("%s: %.1f %s of %d, the model says %g: want it within %g", what, f.Measured, f.Unit, f.Of, f.Model, near)
		}
	}
	worse := virtual.Bench()
	worse.CellNoise, worse.RangeNoise = 3*worse.CellNoise, 3*worse.RangeNoise
	for _, what := range []string{"noise of a load cell", "noise of a height"} {
		if a, b := got[what].Measured, rehearse(worse)[what].Measured; b < 2.5*a || b > 3.5*a {
			t.Errorf("%s: %.1f, and %.1f where it is three times as much", what, a, b)
		}
	}
}

// A square that rests on levels tells them, and what never rests makes none up.
func TestLevels(t *testing.T) {
	var g Gauge
	at := time.Unix(0, 0)
	say := func(v int32) {
		r := sensing.Reading{At: at, Kind: sensing.Heights, Known: 1}
		r.Value[0] = v
		g.take(&r)
		at = at.Add(20 * time.Millisecond)
	}
	for _, v := range []int32{0, 35_000, 70_000, 0} {
		for i := range int32(20) {
			say(v + 500*(i%2))
		}
	}
	got := g.found(sensing.Lower).Squares[0]
	if got.Changes != 3 || len(got.Levels) != 4 || math.Abs(got.Levels[2]-70_000) > 600 || math.Abs(got.Levels[3]) > 600 {
		t.Errorf("got %+v, want four levels, 35 mm apart", got)
	}
	g = Gauge{}
	for i := range int32(400) {
		say(i % 2 * 60_000)
	}
	if got := g.found(sensing.Lower).Squares[0]; got.Changes != 0 || len(got.Levels) != 1 {
		t.Errorf("a value that never rests: got %+v, want no change", got)
	}
}

// bench runs the command on a virtual board.
func bench(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "board.yaml")
	if err := os.WriteFile(file,
		[]byte("board: b\nstate_dir: "+t.TempDir()+"\nhardware:\n  kind: stack\n  virtual: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	run := Command(func() string { return "0.0.0-test" })
	err = run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &b, Err: io.Discard},
		append([]string{"--config", file}, args...))
	return b.String(), err
}

// The command on a virtual board with its real drivers: every sensor is in the file.
func TestBench(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	out, err := bench(t, "--seconds", "1", "--out", path)
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r Report
	if err := json.Unmarshal(src, &r); err != nil {
		t.Fatal(err)
	}
	if r.Format != 1 || r.Version != "0.0.0-test" || r.Board != "stack" || !r.Virtual || len(r.Parts) == 0 ||
		len(r.Sensors) != 2 {
		t.Errorf("got %+v", r)
	}
	for _, k := range r.Sensors {
		if len(k.Squares) != 64 || k.Readings == 0 || k.Squares[63].Square != "h8" || k.Squares[63].Known == 0 {
			t.Errorf("%s: %d readings of %d squares", k.Kind, k.Readings, len(k.Squares))
		}
	}
	if !strings.Contains(out, "noise of a load cell") {
		t.Errorf("printed %q", out)
	}
}

func TestBenchRefuses(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--seconds 0", "want more than 0"}, {"--seconds NaN", "want more than 0"}, {"--seconds 1e9", "at most 86400"},
		{"--seconds 0.1 --out /none/bench.json", "no such file"},
	} {
		if _, err := bench(t, strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want it to say %q", c.args, err, c.says)
		}
	}
}

// TestBenchOverwritesNothingElse: before it measures, the command refuses to overwrite anything but a former result.
func TestBenchOverwritesNothingElse(t *testing.T) {
	for text, refused := range map[string]bool{`{"boardd_bench": 1}`: false, "": false, "board: b\n": true,
		`{"kind":"stack"}`: true, `[1]`: true} {
		name := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := bench(t, "--seconds", "0.05", "--out", name)
		after, _ := os.ReadFile(name) //nolint:errcheck // then it is gone
		if refused && (err == nil || !strings.Contains(err.Error(), "--out") || string(after) != text || out != "") {
			t.Errorf("%q was there: %v, now %.30q, printed %q", text, err, after, out)
		}
		if !refused && (err != nil || !strings.Contains(string(after), "0.0.0-test")) {
			t.Errorf("%q was there: %v, now %.30q", text, err, after)
		}
	}
	if _, err := bench(t, "--seconds", "0.05", "--out", os.DevNull); err != nil {
		t.Error(err)
	}
}
