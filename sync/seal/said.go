// SPDX-License-Identifier: Apache-2.0

package seal

import (
	"crypto/ed25519"
	"encoding/base64"
	"strconv"
)

// SignSaid signs what a board asks and answers in a game, as lines. It returns the signature in base64.
func SignSaid(key ed25519.PrivateKey, board string, g *Game, said []string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(key, saidText(board, g, said)))
}

// CheckSaid reports whether a signature is by the key over what a board asks and answers in a game.
func CheckSaid(key ed25519.PublicKey, sig, board string, g *Game, said []string) bool {
	data, err := base64.StdEncoding.DecodeString(sig)
	return err == nil && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, saidText(board, g, said), data)
}

func saidText(board string, g *Game, said []string) []byte {
	head := []string{"boardd said 1", board, strconv.Itoa(len(g.Moves)), strconv.Itoa(g.Takebacks), g.chain(len(g.Moves))}
	return []byte(lines(append(head, said...)...))
}
