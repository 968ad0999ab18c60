// SPDX-License-Identifier: Apache-2.0

package seal

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"
)

// SignWays signs by which way each move of a game was given, and last its result. It returns key and signature in
// base64, with a space between.
func SignWays(key ed25519.PrivateKey, game string, ways []string) string {
	b := base64.StdEncoding
	return b.EncodeToString(Public(key)) + " " + b.EncodeToString(ed25519.Sign(key, waysText(game, ways)))
}

// CheckWays returns the key that signed the ways of a game. It fails if the signature is of other ways, or of those of
// another game.
func CheckWays(text, game string, ways []string) (ed25519.PublicKey, error) {
	first, second, _ := strings.Cut(text, " ")
	key, err := base64.StdEncoding.DecodeString(first)
	sig, err2 := base64.StdEncoding.DecodeString(second)
	switch {
	case errors.Join(err, err2) != nil || len(key) != ed25519.PublicKeySize:
		return nil, errors.New("want key and signature, each in base64")
	case !ed25519.Verify(key, waysText(game, ways), sig):
		return nil, errors.New("the signature does not fit")
	}
	return key, nil
}

func waysText(game string, ways []string) []byte {
	return []byte(lines(append([]string{"boardd ways 1", game}, ways...)...))
}
