// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// The two figures of a run that are drawn. Each stands in a file of its own, so that its picture can be drawn again
// without the run. The picture holds the hash of that file.
const (
	marginFile, marginPicture   = "margins.tsv", "margins.svg"
	latencyFile, latencyPicture = "latency.tsv", "latency.svg"
)

// classNames are the names of the classes in the picture and at the head of its file.
var classNames = [classes]string{"presence", "height", "weight", "could go on", "only the way tells"}

// marginText is the file of the margins at club: how many moves had which, the last line with all above.
func marginText(t *tally) string {
	var b strings.Builder
	b.WriteString("nats\tmoves\n")
	for i, n := range t.margins {
		fmt.Fprintf(&b, "%d\t%d\n", i, n)
	}
	return b.String()
}

// latencyText is the file of the latencies at club. A line has a time, and for each class the share of moves that
// were recognised by then, in percent. A class without moves has - instead.
func latencyText(t *tally) string {
	var b strings.Builder
	b.WriteString("ms\t" + strings.Join(classNames[:], "\t") + "\n")
	var sums [classes]uint32
	for i := range int(mostLatency / spreadStep) {
		fmt.Fprintf(&b, "%.1f", float64(i+1)*spreadStep.Seconds()*1000)
		for c := range t.commits {
			if t.commits[c].count == 0 {
				b.WriteString("\t-")
				continue
			}
			sums[c] += t.commits[c].steps[i]
			fmt.Fprintf(&b, "\t%.3f", 100*float64(sums[c])/float64(t.commits[c].count))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// rows returns the lines of a file of figures, without its remarks and its head, cut into fields.
func rows(name, text string, fields int) (list [][]string, err error) {
	head := true
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != fields {
			return nil, fmt.Errorf("%s: %q has %d fields, want %d", name, line, len(f), fields)
		}
		if !head {
			list = append(list, f)
		}
		head = false
	}
	return list, nil
}

// readMargins reads the file of the margins.
func readMargins(text string) (moves []int, err error) {
	list, err := rows(marginFile, text, 2)
	if err != nil {
		return nil, err
	}
	for i, f := range list {
		n, err := strconv.Atoi(f[1])
		if err != nil || n < 0 || f[0] != strconv.Itoa(i) {
			return nil, fmt.Errorf("%s: %s: want %d and how many moves had that margin", marginFile, strings.Join(f, " "), i)
		}
		moves = append(moves, n)
	}
	if len(moves) == 0 {
		return nil, fmt.Errorf("%s has no margins", marginFile)
	}
	return moves, nil
}

// readLatencies reads the file of the latencies. It returns for each class its shares from 0 to 1, one for each step
// of time. A class without moves has none.
func readLatencies(text string) (shares [classes][]float64, err error) {
	list, err := rows(latencyFile, text, 1+int(classes))
	if err != nil {
		return shares, err
	}
	if want := int(mostLatency / spreadStep); len(list) != want {
		return shares, fmt.Errorf("%s has %d times, want %d", latencyFile, len(list), want)
	}
	for i, f := range list {
		if want := fmt.Sprintf("%.1f", float64(i+1)*spreadStep.Seconds()*1000); f[0] != want {
			return shares, fmt.Errorf("%s has %s ms, want %s", latencyFile, f[0], want)
		}
		for c, field := range f[1:] {
			if field == "-" {
				continue
			}
			x, err := strconv.ParseFloat(field, 64)
			if err != nil || !(x >= 0 && x <= 100) {
				return shares, fmt.Errorf("%s: %s ms: %q is no share, want 0 to 100 or -", latencyFile, f[0], field)
			}
			if len(shares[c]) != i {
				return shares, fmt.Errorf("%s: %s ms: %s has a share at some times only", latencyFile, f[0], classNames[c])
			}
			shares[c] = append(shares[c], x/100)
		}
	}
	for c, list := range shares {
		if n := len(list); n != 0 && n != int(mostLatency/spreadStep) {
			return shares, fmt.Errorf("%s: %s has a share at some times only", latencyFile, classNames[c])
		}
	}
	return shares, nil
}

// pictures draws both figures from their files in a folder.
func pictures(dir string) (map[string]string, error) {
	margins, err := os.ReadFile(filepath.Join(dir, marginFile))
	if err != nil {
		return nil, err
	}
	moves, err := readMargins(string(margins))
	if err != nil {
		return nil, err
	}
	latencies, err := os.ReadFile(filepath.Join(dir, latencyFile))
	if err != nil {
		return nil, err
	}
	shares, err := readLatencies(string(latencies))
	if err != nil {
		return nil, err
	}
	return map[string]string{
		marginPicture:  marginPlot(moves, madeFrom(marginFile, margins)),
		latencyPicture: latencyPlot(shares, madeFrom(latencyFile, latencies)),
	}, nil
}

// madeFrom is the line of a picture that says what it was drawn from, with the hash of that.
func madeFrom(name string, text []byte) string {
	return fmt.Sprintf("<!-- made from %s, SHA-256 %x -->\n", name, sha256.Sum256(text))
}

// draw writes both pictures from their files.
func (o *options) draw() error {
	made, err := pictures(o.dir)
	if err != nil {
		return err
	}
	for name, svg := range made {
		if err := os.WriteFile(filepath.Join(o.dir, name), []byte(svg), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// keep writes the figures of a run, and draws them.
func (o *options) keep(results []result) error {
	t := sumWhere(results, faultlessAt("club"))
	head := fmt.Sprintf("# Measured with %s %s/%s, seed %d.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, o.seed)
	for name, text := range map[string]string{marginFile: marginText(t), latencyFile: latencyText(t)} {
		if err := os.WriteFile(filepath.Join(o.dir, name), []byte(head+text), 0o644); err != nil {
			return err
		}
	}
	return o.draw()
}
