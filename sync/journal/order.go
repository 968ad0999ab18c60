// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"cmp"
	"hash/maphash"
	"slices"
)

// mostNumber is the highest number that says where a record belongs. No board comes to it, and those after it can
// still be counted.
const mostNumber = 1 << 62

// order sorts the records of all segments by their numbers. A frame may be in a wrong place, because a lost write left
// an older one, or somebody put another journal's segment into the folder. Skipping all numbers that are not higher
// than the one before would lose everything after one such frame. A repeated record is skipped. Two different ones
// with the same number are both kept. The record after a gap is marked.
func (r *Report) order(all []Record) []Record {
	sorted, place := true, uint64(0)
	for i := range all {
		rec := &all[i]
		if rec.Number > 0 && rec.Number <= mostNumber {
			sorted = sorted && rec.Number > place
			place = rec.Number
			r.last = max(r.last, place)
		}
		rec.place = place
	}
	if !sorted {
		slices.SortStableFunc(all, func(a, b Record) int { return cmp.Compare(a.place, b.place) })
		all = r.once(all)
	}
	place = 0
	for i := range all {
		if rec := &all[i]; rec.place != place {
			if place > 0 && rec.place > place+1 {
				rec.Gap = true
				r.Missing += int(min(rec.place-place-1, 1<<30))
			}
			place = rec.place
		}
	}
	return all
}

// once removes repeated records.
func (r *Report) once(sorted []Record) []Record {
	var seen map[uint64]bool // of the records with the same number, by the hash of their payload
	seed, kept := maphash.MakeSeed(), sorted[:0]
	for i, rec := range sorted {
		if i == 0 || rec.place != sorted[i-1].place {
			seen = map[uint64]bool{}
		}
		if rec.place > 0 && rec.Number == rec.place {
			h := maphash.Bytes(seed, rec.Payload)
			if seen[h] {
				r.Repeated++
				continue
			}
			seen[h] = true
		}
		kept = append(kept, rec)
	}
	return kept
}
