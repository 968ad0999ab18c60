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

// NewID makes the id of a game that begins now: the time in milliseconds and the lowest 30 bits of random, so that ids sort
// by time and two boards hardly ever make the same. The id is greater than after, the greatest that is known ("" for none),
// even when the clock was wrong.
func NewID(at time.Time, random uint64, after string) string {
	id := encode(uint64(max(0, at.UnixMilli())), timeDigits) + "-" + encode(random, randomDigits)
	if id > after {
		return id
	}
	if ms, ok := decodeTime(after); ok {
		return encode(ms+1, timeDigits) + "-" + encode(random, randomDigits)
	}
	return after + "-" + encode(random, randomDigits)
}

// CheckID says what is wrong with the id of a game that another board has begun. An id names files and is ordered by its bytes,
// so that only letters, digits and the marks - _ . : are taken, and a letter or digit comes first.
func CheckID(id string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	strange := func(c rune) bool { return !strings.ContainsRune(letters+"-_.:", c) }
	if strings.IndexFunc(id, strange) >= 0 || strings.IndexAny(id, letters) != 0 {
		return errors.New("that is no id of a game: want a letter or digit, and after it letters, digits and the marks -_.: alone")
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
