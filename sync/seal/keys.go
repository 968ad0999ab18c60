// SPDX-License-Identifier: Apache-2.0

package seal

import (
	"bufio"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// Line is a line of a file of keys: the board and its key in base64.
func Line(board string, key ed25519.PublicKey) string {
	return board + " " + base64.StdEncoding.EncodeToString(key) + "\n"
}

// ParseKey reads a public key in base64.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%.60q is no key in base64: %w", text, err)
	}
	if len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("the key has %d bytes, an Ed25519 key has %d", len(key), ed25519.PublicKeySize)
	}
	return key, nil
}

// ReadKeys reads a file of keys, by board. Each line is the name of a board and its key, as in that board's file
// board.pub. Empty lines and those that begin with # are skipped. The error names the line.
func ReadKeys(r io.Reader) (map[string]ed25519.PublicKey, error) {
	keys := map[string]ed25519.PublicKey{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: %d words, want a board's name and its key", n, len(words))
		}
		key, err := ParseKey(words[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := keys[words[0]]; twice {
			return nil, fmt.Errorf("line %d: board %s has a key already", n, words[0])
		}
		keys[words[0]] = key
	}
	return keys, lines.Err()
}
