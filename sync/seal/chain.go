// SPDX-License-Identifier: Apache-2.0

package seal

import (
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"boardd/rules/say"
)

// Game is what a seal signs.
type Game struct {
	ID, Variant  string
	White, Black string   // seats
	Start        string   // stack FEN
	Moves        []string // coordinate moves
	Takebacks    int      // number of takebacks: a list cut by a takeback differs from the one before
	Outcome      string   // "" while it goes on
	Reason       string
}

// Seal is a side's signature over the first Ply moves, given after this many Takebacks. Outcome and Reason are those
// signed, "" when the game went on.
type Seal struct {
	Ply             int
	Takebacks       int
	Outcome, Reason string
	Key             ed25519.PublicKey
	Sig             []byte
}

// chain is the digest of the game's beginning and its first n moves.
func (g *Game) chain(n int) string {
	sum := sha256.Sum256([]byte(lines("boardd game 1", g.ID, g.Variant, g.White, g.Black, g.Start)))
	for _, m := range g.Moves[:n] {
		sum = sha256.Sum256(append(sum[:], m+"\n"...))
	}
	return hex.EncodeToString(sum[:])
}

// lines joins words by line feeds. A word that contains a line feed could pass for two, and is quoted.
func lines(words ...string) string {
	var b strings.Builder
	for _, w := range words {
		if strings.ContainsRune(w, '\n') {
			w = strconv.Quote(w)
		}
		b.WriteString(w + "\n")
	}
	return b.String()
}

func (g *Game) text(side string, s *Seal) []byte {
	return []byte(lines("boardd seal 1", side, strconv.Itoa(s.Ply), strconv.Itoa(s.Takebacks), g.chain(s.Ply),
		cmp.Or(s.Outcome, "-"), cmp.Or(s.Reason, "-")))
}

// Sign makes the seal of a side, "white" or "black", over the whole game as it stands.
func Sign(key ed25519.PrivateKey, side string, g *Game) Seal {
	s := Seal{Ply: len(g.Moves), Takebacks: g.Takebacks, Outcome: g.Outcome, Reason: g.Reason,
		Key: key.Public().(ed25519.PublicKey)}
	s.Sig = ed25519.Sign(key, g.text(side, &s))
	return s
}

// Check returns an error unless the seal is a side's signature of this game by the key in it. The caller has to know
// whose key that is.
func (s *Seal) Check(side string, g *Game) error {
	switch {
	case len(s.Key) != ed25519.PublicKeySize:
		return fmt.Errorf("seal of %s: the key has %d bytes, want %d", side, len(s.Key), ed25519.PublicKeySize)
	case s.Ply < 0 || s.Ply > len(g.Moves):
		return errors.New(say.Counted("seal of %s: it covers %d moves, the game has %d", side, s.Ply, len(g.Moves)))
	case s.Takebacks < 0 || s.Takebacks > g.Takebacks:
		return errors.New(say.Counted("seal of %s: it was given after %d takebacks, the game has %d", side, s.Takebacks,
			g.Takebacks))
	case s.Outcome != "" && (s.Outcome != g.Outcome || s.Reason != g.Reason || s.Ply != len(g.Moves)):
		return errors.New(say.Counted("seal of %s: it vouches for %s by %s after %d moves, the game ended %q by %q after %d",
			side, s.Outcome, s.Reason, s.Ply, g.Outcome, g.Reason, len(g.Moves)))
	case !ed25519.Verify(s.Key, g.text(side, s), s.Sig):
		return errors.New(say.Counted("seal of %s over %d moves: the signature does not fit", side, s.Ply))
	}
	return nil
}

// Covers is Check, and also checks that the seal reaches the side's last move, the last takeback and the end. first is
// the side that moved first, "white" or "black".
func (s *Seal) Covers(side, first string, g *Game) error {
	if err := s.Check(side, g); err != nil {
		return err
	}
	if s.Takebacks < g.Takebacks {
		return errors.New(say.Counted("seal of %s: it was given after %d takebacks, the game has %d", side, s.Takebacks,
			g.Takebacks))
	}
	if s.Outcome != g.Outcome {
		return fmt.Errorf("seal of %s: it does not vouch for %s by %s", side, g.Outcome, g.Reason)
	}
	n := len(g.Moves)
	if n > 0 && ((n-1)%2 == 0) != (side == first) {
		n-- // the last move is the other side's
	}
	if s.Ply < n {
		return errors.New(say.Counted("seal of %s: it covers %d moves, the last one of %s is number %d", side, s.Ply,
			side, n))
	}
	return nil
}

// String is one line for a tag of an exported game: moves, takebacks, outcome, reason, key and signature, the last two
// in base64.
func (s Seal) String() string {
	b := base64.StdEncoding
	return fmt.Sprintf("%d %d %s %s %s %s", s.Ply, s.Takebacks, cmp.Or(s.Outcome, "-"), cmp.Or(s.Reason, "-"),
		b.EncodeToString(s.Key), b.EncodeToString(s.Sig))
}

// Parse reads what String returns.
func Parse(line string) (Seal, error) {
	words := strings.Fields(line)
	if len(words) != 6 {
		return Seal{}, fmt.Errorf("read seal: %d words, want moves, takebacks, outcome, reason, key and signature",
			len(words))
	}
	ply, err := strconv.Atoi(words[0])
	takebacks, err2 := strconv.Atoi(words[1])
	key, err3 := base64.StdEncoding.DecodeString(words[4])
	sig, err4 := base64.StdEncoding.DecodeString(words[5])
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return Seal{}, fmt.Errorf("read seal: %w", err)
	}
	return Seal{ply, takebacks, dashed(words[2]), dashed(words[3]), key, sig}, nil
}

func dashed(s string) string {
	if s == "-" {
		return ""
	}
	return s
}
