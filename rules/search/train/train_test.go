// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
)

// drawn is samples of random positions of a game.
func drawn(v *rules.Variant, n int) (list []sample) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		p := match.RandomOpening(v, r, 20)
		list = append(list, sample{ply: uint8(i), turn: p.Turn(), stage: uint8(eval.Phase(&p)), result: uint8(r.IntN(3)),
			score:  int16(r.IntN(2000) - 1000),
			inputs: eval.AppendFeatures(nil, &p)})
	}
	return list
}

// TestSamples: samples are read back as they were written, and a file cut short is refused.
func TestSamples(t *testing.T) {
	list := drawn(rules.Variants()[3], 20)
	var file []byte
	for i := range list {
		file = appendSample(file, &list[i])
	}
	got, err := readSamples(nil, file)
	if err != nil || len(got) != len(list) {
		t.Fatalf("%d samples, %v", len(got), err)
	}
	for i, s := range got {
		if w := list[i]; s.turn != w.turn || s.stage != w.stage || s.score != w.score || s.result != w.result ||
			!slices.Equal(s.inputs, w.inputs) {
			t.Errorf("got %+v, want %+v", s, w)
		}
	}
	if _, err := readSamples(nil, file[:len(file)-1]); err == nil {
		t.Error("a file cut short is accepted")
	}
}

// TestTargets: the last position's target is nearly the result, an early one's nearly its own opinion and those after
// it.
func TestTargets(t *testing.T) {
	in := []eval.Feature{0}
	game := []sample{{ply: 0, score: 0, inputs: in}, {ply: 1, score: 0, inputs: in, turn: 1, result: 2}}
	list := appendGame(nil, game)
	if got, want := float64(list[1].target), ahead+(1-ahead)*0.5; math.Abs(got-want) > 1e-6 {
		t.Errorf("the winner's last position: got %.4f, want %.4f", got, want)
	}
	if got, want := float64(list[0].target), ahead*(1-float64(list[1].target))+(1-ahead)*0.5; math.Abs(got-want) > 1e-6 {
		t.Errorf("the loser's before it: got %.4f, want %.4f", got, want)
	}
}

// TestGradients holds the gradients to differences of the error.
func TestGradients(t *testing.T) {
	v := rules.Variants()[1]
	n := newModel(v, rand.New(rand.NewPCG(3, 4)))
	s := drawn(v, 1)[0]
	s.target = 0.8
	n.learn(&s, false)
	problem := func() float64 { return n.loss([]sample{s}) }
	for _, at := range []int{int(s.inputs[0]) * row, int(s.inputs[1])*row + 5,
		int(s.inputs[0])*row + width + int(s.stage), n.bias() + 3, n.out(s.stage) + 7, n.out(s.stage) + 2*width} {
		const h = 0.01
		was := n.all[at]
		n.all[at] = was + h
		up := problem()
		n.all[at] = was - h
		want := (up - problem()) / (2 * h)
		n.all[at] = was
		if got := float64(n.gradient[at]); math.Abs(got-want) > 0.02*math.Abs(want)+1e-4 {
			t.Errorf("number %d: gradient %.6f, the error differs by %.6f", at, got, want)
		}
	}
}

// TestPull: what was seen once is pulled back to what is known by hand, and what never was stays.
func TestPull(t *testing.T) {
	n := newModel(rules.Variants()[0], rand.New(rand.NewPCG(3, 4)))
	seen, unseen := 5*row+width, 6*row+width
	for _, at := range []int{seen, unseen} {
		n.all[at] = n.known[at] + 1
	}
	n.mean[seen] = 1e-12
	const rate = 0.1
	n.step(1000, rate)
	for at, want := range map[int]float64{seen: 1 - rate*pull, unseen: 1} {
		if got := float64(n.all[at] - n.known[at]); math.Abs(got-want) > 1e-3 {
			t.Errorf("number %d is %.4f off after a step, want %.4f", at, got, want)
		}
	}
}

// TestWholeNumbers: the network in whole numbers says what the one in floating point says, within a few hundredths of
// a pawn.
func TestWholeNumbers(t *testing.T) {
	for _, v := range rules.Variants() {
		n := newModel(v, rand.New(rand.NewPCG(3, 4)))
		e := eval.Net(v, n.weights())
		r := rand.New(rand.NewPCG(5, 6))
		for range 20 {
			p := match.RandomOpening(v, r, 20)
			s := sample{turn: p.Turn(), stage: uint8(eval.Phase(&p)), inputs: eval.AppendFeatures(nil, &p)}
			views := n.views(&s, 0)
			want := n.output(&s, &views) * eval.Pawns
			sums := e.Accumulate(&p)
			if got := e.Score(&sums, &p); math.Abs(float64(got)-want) > 12 {
				t.Errorf("%s %s: got %d, want %.1f", v, p.FEN(), got, want)
			}
		}
	}
}

// TestResumes: a run that was stopped after its positions goes on to the same network, byte for byte, as one that was
// not. So does one with three jobs.
func TestResumes(t *testing.T) {
	var far strings.Builder
	s := settings{seed: 3, positions: 300, nodes: 20, epochs: 2, games: 2, play: 20, generations: 1, jobs: 1, chunk: 200,
		far: &far}
	network := func(dir string) string {
		s.dir = dir
		if err := s.run(context.Background(), []string{"chess"}); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(dir, "chess", "1", netFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(file)
	}
	dir := t.TempDir()
	whole := network(dir)
	for _, step := range []string{"self-play", "fit", "match"} { // a line that is drawn over itself, and stays at the end
		lines := regexp.MustCompile(`\r[^\r]* `+step+` +\[#*\.*\] +[0-9]+ % [^\r]*`).FindAllString(far.String(), -1)
		if len(lines) < 2 || !strings.Contains(lines[0], ".]") {
			t.Errorf("%s was told by %q, want it on its way first", step, lines)
		} else if end := lines[len(lines)-1]; !strings.Contains(end, "#] 100 %") || !strings.HasSuffix(end, "\n") {
			t.Errorf("%s ended with %q", step, end)
		}
	}
	for _, name := range []string{netFile, "match.txt", "positions-001"} {
		if err := os.Remove(filepath.Join(dir, "chess", "1", name)); err != nil {
			t.Fatal(err)
		}
	}
	if network(dir) != whole {
		t.Error("the network of the resumed run differs")
	}
	s.jobs = 3
	if network(t.TempDir()) != whole {
		t.Error("the network of three jobs differs")
	}
}

func FuzzReadSamples(f *testing.F) {
	list := drawn(rules.Variants()[0], 2)
	f.Add(appendSample(appendSample(nil, &list[0]), &list[1]))
	f.Fuzz(func(t *testing.T, file []byte) {
		list, err := readSamples(nil, file)
		if err != nil && list != nil {
			t.Error("samples and an error")
		}
	})
}
