// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"strings"
	"time"
)

// digits sort as their values do, and leave out letters that are taken for others.
const digits = "0123456789abcdefghjkmnpqrstvwxyz"

const (
	timeDigits   = 10 // 50 bits of milliseconds since 1970, enough for 35,000 years
	randomDigits = 6  // 30 bits
)

// NewID makes the id of a game that begins now, from the time in milliseconds and the lowest 30 bits of random. So ids
// sort by time, and two boards hardly ever make the same. The id is greater than after, the greatest that is known (""
// for none), even when the clock was wrong.
func NewID(at time.Time, random uint64, after string) string {
	id := encode(uint64(max(0, at.UnixMilli())), timeDigits) + "-" + encode(random, randomDigits)
	if id > after {
		return id
	}
	if ms, ok := decodeTime(after); ok {
		return encode(ms+1, timeDigits) + "-" + encode(random, randomDigits)
	}
	word := "-" + encode(random, randomDigits)
	if stem, last, ok := cutWord(after); ok {
		return stem + encode(last+1+random%stride, randomDigits)
	}
	if len(after)+len(word) <= longest {
		return after + word
	}
	for i := longest - len(word) - 1; i > 0; i-- {
		if after[i] < 'z' {
			return after[:i] + "z" + word
		}
	}
	return id // nothing that a message may hold is greater
}

// longest is how many bytes the id of a game may have in a message.
const longest = 64

// stride is the most by which the last word of an id may grow at once. So two boards that begin a game after the same
// one hardly ever choose the same id, and there is room for tens of thousands.
const stride = 1 << 15

// cutWord splits an id before its last word, if that is one that NewID makes with room above it, and returns its
// value.
func cutWord(id string) (stem string, word uint64, ok bool) {
	at := len(id) - randomDigits
	if at < 1 || id[at-1] != '-' || len(id) > longest {
		return "", 0, false
	}
	for _, c := range id[at:] {
		d := strings.IndexRune(digits, c)
		if d < 0 {
			return "", 0, false
		}
		word = word*32 + uint64(d)
	}
	return id[:at], word, word+stride < 1<<(5*randomDigits)
}

// CheckID says what is wrong with the id of a game, which another board or a damaged journal may have made up. An id
// names files and is ordered by its bytes, so that only letters, digits and the marks - _ . : are taken, and a letter
// or digit comes first.
func CheckID(id string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	strange := func(c rune) bool { return !strings.ContainsRune(letters+"-_.:", c) }
	if strings.IndexFunc(id, strange) >= 0 || strings.IndexAny(id, letters) != 0 {
		return errors.New("that is no id of a game: want a letter or digit, and after it letters, digits and the marks " +
			"-_.: alone")
	}
	return nil
}

func encode(n uint64, length int) string {
	out := make([]byte, length)
	for i := length - 1; i >= 0; i-- {
		out[i] = digits[n%32]
		n /= 32
	}
	return string(out)
}

// decodeTime reads the time of an id that NewID made; false for others, and for the last time there is.
func decodeTime(id string) (ms uint64, ok bool) {
	if len(id) != timeDigits+1+randomDigits || id[timeDigits] != '-' {
		return 0, false
	}
	for _, c := range id[:timeDigits] {
		d := strings.IndexRune(digits, c)
		if d < 0 {
			return 0, false
		}
		ms = ms*32 + uint64(d)
	}
	return ms, ms < 1<<(5*timeDigits)-1
}
