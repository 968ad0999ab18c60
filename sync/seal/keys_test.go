// SPDX-License-Identifier: Apache-2.0

package seal_test

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"boardd/sync/seal"
)

func TestFileOfKeys(t *testing.T) {
	one, two := key(t, 1).Public().(ed25519.PublicKey), key(t, 2).Public().(ed25519.PublicKey)
	keys, err := seal.ReadKeys(strings.NewReader("# our friends\n\n" + seal.Line("oslo", one) + "  " +
		seal.Line("rome", two)))
	if err != nil || len(keys) != 2 || !keys["oslo"].Equal(one) || !keys["rome"].Equal(two) {
		t.Errorf("got %v, %v", keys, err)
	}
	for bad, want := range map[string]string{
		"oslo\n":          "line 1: 1 words",
		"\noslo !!\n":     "line 2",
		"oslo AAAA\n":     "3 bytes",
		"oslo a b\n":      "3 words",
		"oslo\x00AAAA \n": "words",
		seal.Line("a", one) + seal.Line("a", two): "line 2: board a has a key already",
	} {
		if _, err := seal.ReadKeys(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", bad, err, want)
		}
	}
}

func FuzzReadKeys(f *testing.F) {
	f.Add(seal.Line("oslo", key2()))
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := seal.ReadKeys(strings.NewReader(text))
		if err != nil {
			return
		}
		for board, k := range keys {
			again, err := seal.ReadKeys(strings.NewReader(seal.Line(board, k)))
			if err != nil || !again[board].Equal(k) {
				t.Fatalf("%q is read as %q %x, but not what is written for it: %v", text, board, k, err)
			}
		}
	})
}

func key2() ed25519.PublicKey {
	return ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey)
}
