// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"strings"
)

// nearest says which setting was most likely meant, if any comes near.
func (r *reader) nearest(name string) string {
	best, dist := "", 1<<30
	for i := range r.table {
		full := r.table[i].name
		d := distance(full, name)
		if _, last, ok := strings.Cut(full, "."); ok && !strings.Contains(name, ".") {
			d = min(d, distance(last, name)) // in the wrong section, or in none
		}
		if _, last, ok := strings.Cut(full, "."); ok {
			if _, mine, ok := strings.Cut(name, "."); ok && mine == last {
				d = min(d, 1)
			}
		}
		if d < dist {
			best, dist = full, d
		}
	}
	_, last, _ := strings.Cut(name, ".")
	if 2*dist > max(len(last), min(len(name), 6)) {
		return "`boardd config` prints them all"
	}
	return fmt.Sprintf("the nearest is %s", best)
}

// distance is Levenshtein's: how many letters to change, add or drop.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
