// SPDX-License-Identifier: Apache-2.0

package seal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"strings"

	"boardd/rules/say"
)

// The letters of the words. A word is consonant, vowel, consonant, vowel: twelve bits. Invented words need no list,
// and can be read out in any language. Letters that are easily confused when read out (c, q, x, e beside i) are left
// out.
const (
	consonants = "bdfghklmnprstvwz"
	vowels     = "aiou"
)

// wordCount is the number of words of a key. They have 64 bits of its SHA-256, for which nobody can find another key,
// and a check of 8 bits.
const wordCount = 6

// Fingerprint returns the six words by which people compare a key.
func Fingerprint(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return spell(sum[:8])
}

// spell writes eight bytes and their check as six words.
func spell(bits []byte) string {
	sum := sha256.Sum256(bits)
	bits = append(bits[:len(bits):len(bits)], sum[0])
	var words []string
	for i := range wordCount {
		n := int(bits[i/2*3])<<16 | int(bits[i/2*3+1])<<8 | int(bits[i/2*3+2])
		if i%2 == 0 {
			n >>= 12
		}
		words = append(words, string([]byte{consonants[n>>8&15], vowels[n>>6&3], consonants[n>>2&15], vowels[n&3]}))
	}
	return strings.Join(words, " ")
}

// ParseFingerprint reads six words as people write them, and returns them in the form of Fingerprint. The error says
// which word is not one, or that one of them is wrong.
func ParseFingerprint(text string) (string, error) {
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return r == ' ' || r == '-' || r == ',' || r == '.' || r == '\n' || r == '\t' })
	if len(words) != wordCount {
		return "", say.Error("%d words, want the %d that the other board shows", len(words), wordCount)
	}
	bits := make([]byte, 9)
	for i, w := range words {
		n := 0
		if len(w) != 4 {
			return "", say.Error("word %d: %.20q: a word has four letters", i+1, w)
		}
		for k, letters := range []string{consonants, vowels, consonants, vowels} {
			at := strings.IndexByte(letters, w[k])
			if at < 0 {
				return "", say.Error("word %d: %q: letter %d is one of %s", i+1, w, k+1, letters)
			}
			n = n*len(letters) + at
		}
		if i%2 == 0 {
			n <<= 12
		}
		bits[i/2*3] |= byte(n >> 16)
		bits[i/2*3+1] |= byte(n >> 8)
		bits[i/2*3+2] |= byte(n)
	}
	if got := strings.Join(words, " "); got != spell(bits[:8]) {
		return "", say.Error("%q are the words of no key: one of them is not as the other board shows it", got)
	}
	return strings.Join(words, " "), nil
}
