// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// bound says what a stored score is.
type bound uint8

const (
	noBound bound = iota
	atMost
	atLeast
	exact
)

// entry is what is known of a position. The first word has the upper 48 bits of its key, and the evaluation. The lower
// bits of the key follow from where the entry stands. In a table of a megabyte these are all but two. The other word
// has the move (28 bits), the score (16), the depth (8), the bound (2) and the number of the search (10).
type entry struct{ place, data uint64 }

// keyBits are those of a key that an entry keeps.
const keyBits = ^uint64(0xffff)

// unevaluated stands for the evaluation of a position in check, which has none.
const unevaluated = -1 << 15

func (e *entry) move() rules.Move { return rules.Move(e.data & (1<<28 - 1)) }
func (e *entry) score() int       { return int(int16(e.data >> 28)) }
func (e *entry) depth() int       { return int(e.data >> 44 & 255) }
func (e *entry) bound() bound     { return bound(e.data >> 52 & 3) }
func (e *entry) search() uint64   { return e.data >> 54 }

func (e *entry) isOf(key uint64) bool { return (e.place^key)&keyBits == 0 }

// raw is the evaluation of the position, before it is corrected, if the entry knows it.
func (e *entry) raw() (raw int, ok bool) {
	raw = int(int16(e.place))
	return raw, raw != unevaluated && e.bound() != noBound
}

// ways is how many entries a position may take the place of.
const ways = 4

// lastSearch is the largest number of a search; after it the table is cleared.
const lastSearch = 1<<10 - 1

// table is the transposition table. Its size is fixed when it is made.
type table struct {
	entries []entry
	search  uint64 // number of this search, from 1
	since   uint64 // entries of earlier searches are not seen
}

// newTable makes a table of at most that many bytes, at least 64 KiB.
func newTable(bytes int) *table {
	n := 1 << 12
	for n*2*16 <= bytes {
		n *= 2
	}
	return &table{entries: make([]entry, n)}
}

// begin begins a search; with fresh, nothing of earlier ones is seen any more.
func (t *table) begin(fresh bool) {
	t.search++
	if t.search > lastSearch {
		clear(t.entries)
		t.search = 1
	}
	if fresh || t.search == 1 {
		t.since = t.search
	}
}

func (t *table) bucket(key uint64) []entry {
	i := int(key&uint64(len(t.entries)-1)) &^ (ways - 1)
	return t.entries[i : i+ways : i+ways]
}

// fetch begins to read the bucket of a position that find or put will want soon.
func (t *table) fetch(key uint64) { fetch(&t.entries[key&uint64(len(t.entries)-1)]) }

// find is what is known of the position, nil if nothing is.
func (t *table) find(key uint64) *entry {
	b := t.bucket(key)
	for i := range b {
		if e := &b[i]; e.isOf(key) && e.bound() != noBound && e.search() >= t.since {
			return e
		}
	}
	return nil
}

// put stores what was found. It replaces what was known of the position, or the entry of its bucket that is worth
// least. That is one of an earlier search, or the shallowest.
func (t *table) put(key uint64, m rules.Move, score, raw, depth int, b bound) {
	bucket := t.bucket(key)
	slot, least := &bucket[0], 1<<30
	for i := range bucket {
		e := &bucket[i]
		known := e.search() >= t.since
		if e.isOf(key) && known {
			if m == rules.NoMove {
				m = e.move()
			}
			slot = e
			break
		}
		value := e.depth()
		switch {
		case !known:
			value -= 2000
		case e.search() != t.search:
			value -= 1000
		}
		if value < least {
			slot, least = e, value
		}
	}
	*slot = entry{key&keyBits | uint64(uint16(raw)),
		uint64(m) | uint64(uint16(score))<<28 | uint64(depth)<<44 | uint64(b)<<52 | t.search<<54}
}

// hashFull is how much of the table this search has filled, in thousandths, judged by its first thousand entries.
func (t *table) hashFull() int {
	n := 0
	for i := range t.entries[:1000] {
		if e := &t.entries[i]; e.bound() != noBound && e.search() == t.search {
			n++
		}
	}
	return n
}
