// SPDX-License-Identifier: Apache-2.0

// The program pictures draws the diagrams of the documents from positions of the rules engine: go run
// ./docs/make/pictures, in the root of the repository. What is drawn stands in diagrams.tsv; it comes to
// docs/pictures.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"boardd/rules"
)

// diagrams has a line for each picture. It gives the picture's name, the rule set, the position (start, or a stack
// FEN), and the moves to play from there in either notation. Then come the squares whose legal moves are marked and
// the corner squares of the part that is shown. If the corners are empty, the whole board is shown.
//
//go:embed diagrams.tsv
var diagrams string

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	pictures, err := drawAll(root)
	if err != nil {
		return err
	}
	for name, svg := range pictures {
		if err := os.WriteFile(filepath.Join(root, "docs/pictures", name+".svg"), []byte(svg), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// drawAll returns every picture by its name.
func drawAll(root string) (map[string]string, error) {
	page, err := os.ReadFile(filepath.Join(root, "sync/web/page/pieces.svg"))
	if err != nil {
		return nil, err
	}
	shapes, err := shapesOf(string(page))
	if err != nil {
		return nil, err
	}
	pictures := map[string]string{}
	for line := range strings.Lines(diagrams) {
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		name, s, err := parseScene(line)
		if err != nil {
			return nil, fmt.Errorf("diagrams.tsv: %s: %w", name, err)
		}
		if pictures[name] != "" {
			return nil, fmt.Errorf("diagrams.tsv: there are two pictures %s", name)
		}
		pictures[name] = s.draw(shapes)
	}
	return pictures, nil
}

// A scene is what one picture shows.
type scene struct {
	title     string
	position  rules.Position
	last      rules.Move            // the move played last, or NoMove
	marked    []rules.Move          // the legal moves to mark
	from      map[rules.Square]bool // where they begin
	low, high rules.Square          // corners of the part that is shown
}

func parseScene(line string) (name string, s scene, err error) {
	f := strings.Split(line, "\t")
	if len(f) != 6 {
		return f[0], s, fmt.Errorf("%d columns, want 6: name, rule set, position, moves, squares, part", len(f))
	}
	v, err := rules.ByID(f[1])
	if err != nil {
		return f[0], s, err
	}
	s = scene{title: v.Name(), position: v.Start(), from: map[rules.Square]bool{}, high: rules.NoSquare - 1}
	if f[2] != "start" {
		if s.position, err = v.ParseFEN(f[2]); err != nil {
			return f[0], s, err
		}
	}
	for _, text := range strings.Fields(f[3]) {
		if s.last, err = s.position.ParseMove(text); err != nil {
			return f[0], s, err
		}
		s.position.Play(s.last)
	}
	for _, text := range strings.Fields(f[4]) {
		square, err := rules.ParseSquare(text)
		if err != nil {
			return f[0], s, err
		}
		s.from[square] = true
	}
	if low, high, ok := strings.Cut(f[5], "-"); ok {
		var errLow, errHigh error
		s.low, errLow = rules.ParseSquare(low)
		s.high, errHigh = rules.ParseSquare(high)
		if err := errors.Join(errLow, errHigh); err != nil {
			return f[0], s, err
		}
	}
	for _, m := range s.position.AppendMoves(nil) {
		if s.from[m.From()] {
			s.marked = append(s.marked, m)
		}
	}
	if len(s.from) > 0 && len(s.marked) == 0 {
		return f[0], s, fmt.Errorf("no legal move from %s", f[4])
	}
	return f[0], s, nil
}
