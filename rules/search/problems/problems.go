// SPDX-License-Identifier: Apache-2.0

package problems

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"boardd/rules"
)

//go:embed *.tsv
var files embed.FS

// Problem is a position in which the side to move mates in In moves and only by Key, a move in coordinate form. Effort
// is how many positions a weak search looks at before it finds the key: the more, the harder.
type Problem struct {
	FEN    string
	In     int
	Key    string
	Effort int
}

// String is the problem as boardd problems prints it.
func (p Problem) String() string { return fmt.Sprintf("%s\tmate in %d\t%s", p.FEN, p.In, p.Key) }

// Of returns the problems of a game, the easiest first; nil if it has none.
func Of(v *rules.Variant) ([]Problem, error) {
	file, err := files.ReadFile(v.ID() + ".tsv")
	if err != nil {
		return nil, nil // a game without a file has no problems
	}
	return Parse(string(file))
}

// Parse reads a file of problems: a line each, stack FEN, mate in N, key and effort, with tabs between them.
func Parse(file string) (list []Problem, err error) {
	for n, line := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("line %d of the problems has %d fields, want 4: FEN, mate in N, key, effort", n+1, len(f))
		}
		in, err := strconv.Atoi(strings.TrimPrefix(f[1], "mate in "))
		if err != nil {
			return nil, fmt.Errorf("line %d of the problems: %q: want mate in N", n+1, f[1])
		}
		effort, err := strconv.Atoi(f[3])
		if err != nil {
			return nil, fmt.Errorf("line %d of the problems: effort %q: want a number", n+1, f[3])
		}
		list = append(list, Problem{f[0], in, f[2], effort})
	}
	return list, nil
}
