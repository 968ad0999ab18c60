// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"cmp"
	"hash/maphash"
	"slices"
)

// maxNumber is the highest number that says where a record belongs. No board comes to it, and those after it can
// still be counted.
const maxNumber = 1 << 62

// sortRecords sorts the records of all segments by their numbers. A frame may be in a wrong place, because a lost
// write left an older one, or somebody put another journal's segment into the folder. Skipping all numbers that are
// not higher than the one before would lose everything after one such frame. A repeated record is skipped. Two
// different ones with the same number are both kept. The record after a gap is marked.
func (r *Report) sortRecords(all []Record) []Record {
	sorted, place := true, uint64(0)
	for i := range all {
		rec := &all[i]
		if rec.Number > 0 && rec.Number <= maxNumber {
			sorted = sorted && rec.Number > place
			place = rec.Number
			r.last = max(r.last, place)
		}
		rec.sortKey = place
	}
	if !sorted {
		slices.SortStableFunc(all, func(a, b Record) int { return cmp.Compare(a.sortKey, b.sortKey) })
		all = r.removeRepeated(all)
	}
	place = 0
	for i := range all {
		if rec := &all[i]; rec.sortKey != place {
			if place > 0 && rec.sortKey > place+1 {
				rec.Gap = true
				r.Missing += int(min(rec.sortKey-place-1, 1<<30))
			}
			place = rec.sortKey
		}
	}
	return all
}

// removeRepeated removes repeated records.
func (r *Report) removeRepeated(sorted []Record) []Record {
	var seen map[uint64]bool // of the records with the same number, by the hash of their payload
	seed, kept := maphash.MakeSeed(), sorted[:0]
	for i, rec := range sorted {
		if i == 0 || rec.sortKey != sorted[i-1].sortKey {
			seen = map[uint64]bool{}
		}
		if rec.sortKey > 0 && rec.Number == rec.sortKey {
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
