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

// order puts the records of all segments, as they stand in the files, where their numbers say that they belong. A
// frame may stand elsewhere: a lost write left an older one, or somebody put another journal's segment into the
// folder. To pass over what is not higher than the number before would take one such frame for the end of everything.
// A record that stands there twice is passed over; two that differ and have one number are both kept. What is missing
// is marked behind the gap.
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

// once takes out what stands there twice.
func (r *Report) once(sorted []Record) []Record {
	var seen map[uint64]bool // of those with the same number, by the hash of what they say
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
