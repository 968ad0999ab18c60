// SPDX-License-Identifier: Apache-2.0

package club

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readTags reads the tags of PGN. It ignores moves.
func readTags(text string) ([]Pairing, error) {
	var list []Pairing
	var faults []error
	var now Pairing
	seen := map[string]bool{}
	begun, moves := false, false
	end := func() {
		if begun && !now.bye() {
			list = append(list, now)
		}
		now, seen, begun, moves = Pairing{}, map[string]bool{}, false, false
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "[") {
			moves = moves || begun && line != ""
			continue
		}
		name, value, err := tag(line)
		if err != nil {
			if !moves { // brackets in a comment behind a move are no tags
				faults = append(faults, fmt.Errorf("line %d: %w", i+1, err))
			}
			continue
		}
		if moves || seen[name] {
			end()
		}
		if seen[name] = true; !begun {
			begun, now.line = true, i+1
		}
		if _, err := now.set(name, value); err != nil {
			faults = append(faults, fmt.Errorf("line %d: %w", i+1, err))
		}
	}
	end()
	number(list)
	return list, errors.Join(faults...)
}

// tag reads a line such as [White "Surname, First name"]. The name comes back in lower case.
func tag(line string) (name, value string, err error) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(line, "["), " ")
	rest, quoted := strings.CutPrefix(strings.TrimSpace(rest), `"`)
	at := strings.LastIndex(rest, `"]`)
	if !ok || !quoted || at < 0 ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return "", "", fmt.Errorf("%.60q is no tag: want it as [White \"Surname, First name\"]", line)
	}
	value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(rest[:at])
	return column(name), strings.TrimSpace(value), nil
}

// column is the name of a tag or a column, normalised because programs write it differently.
func column(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// readTable reads CSV with commas, semicolons or tabs. Unknown columns are skipped.
func readTable(text string) ([]Pairing, error) {
	first, _, _ := strings.Cut(text, "\n")
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	for _, c := range ";\t" {
		if strings.Count(first, string(c)) > strings.Count(first, string(r.Comma)) {
			r.Comma = c
		}
	}
	r.TrimLeadingSpace = r.Comma != '\t'
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("no line of column names: want table, white and black at least: %w", err)
	}
	has := map[string]bool{}
	for i := range head {
		head[i] = column(head[i])
		has[head[i]] = true
	}
	if !has["white"] || !has["black"] {
		return nil, fmt.Errorf("line 1: the columns are %s: want white and black among them, and table, round, result, "+
			"white_title, white_federation, white_fide, game or seat where there are such", strings.Join(head, ", "))
	}
	var list []Pairing
	var faults []error
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err // it says the line
		}
		line, _ := r.FieldPos(0)
		p := Pairing{line: line}
		if len(row) > len(head) {
			faults = append(faults, fmt.Errorf("line %d: %d values in %d columns: names with %q stand in quotes", line,
				len(row), len(head), r.Comma))
			continue
		}
		for i, value := range row {
			if _, err := p.set(head[i], strings.TrimSpace(value)); err != nil {
				faults = append(faults, fmt.Errorf("line %d: %w", line, err))
			}
		}
		if !p.bye() {
			list = append(list, p)
		}
	}
	number(list)
	return list, errors.Join(faults...)
}
