// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"boardd/cmd/boardd/cli"
	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/say"
	"boardd/sync/seal"
)

// A game file carries the last signature of each side as a tag, as seal.Seal writes it. After each move it carries
// the signature that its side gave with it, without what the tag says already: [%seal takebacks outcome reason
// signature].
const (
	whiteSeal = "WhiteSeal"
	blackSeal = "BlackSeal"
)

var stampForm = regexp.MustCompile(`\[%seal\s+(\d{1,9})\s+(\S+)\s+(\S+)\s+(\S+)\]`)

func sealTags(g *game.Game) (tags []pgn.Tag) {
	for name, side := range map[string]game.Side{whiteSeal: game.White, blackSeal: game.Black} {
		if s := g.Seal(side); s != "" {
			tags = append(tags, pgn.Tag{Name: name, Value: s})
		}
	}
	if len(tags) == 2 && tags[0].Name == blackSeal {
		tags[0], tags[1] = tags[1], tags[0]
	}
	return tags
}

func stampText(text string) string {
	s, err := seal.Parse(text)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("[%%seal %d %s %s %s]", s.Takebacks, dash(s.Outcome), dash(s.Reason),
		base64.StdEncoding.EncodeToString(s.Sig))
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Verify checks the signatures of exported games. It fails when anything is not signed as it stands, or when two
// records of a game differ.
func Verify(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("verify", flag.ContinueOnError)
	s.Out = cli.Plain(s.Out) // names and results are a stranger's
	keyFile := f.String("keys", "",
		"file with the keys that the boards must have signed by, one line each: board and key")
	id := f.String("variant", "chess", "the rule set of games without a Variant tag: "+cli.VariantIDs())
	files, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return cli.Misuse("name the game files, or - for standard input")
	}
	v, err := rules.ByID(*id)
	if err != nil {
		return cli.Wrong(err)
	}
	var keys map[string]ed25519.PublicKey
	if *keyFile != "" {
		if keys, err = readKeys(*keyFile); err != nil {
			return err
		}
	}
	bad, all := 0, newCopies()
	for _, name := range files {
		n, err := verifyFile(s, name, v, keys, all)
		if err != nil {
			return err
		}
		bad += n
	}
	if bad > 0 {
		err = fmt.Errorf("games that are not signed as they stand: %d", bad)
	}
	if n := len(all.two); n > 0 {
		err = errors.Join(err, fmt.Errorf("games that are told in two ways: %d", n))
	}
	return err
}

func readKeys(name string) (map[string]ed25519.PublicKey, error) {
	text, err := size.Read(name, size.Named)
	if err != nil {
		return nil, fmt.Errorf("cannot read the keys: %w", err)
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("%s is empty: it holds no key", name)
	}
	keys, err := seal.ReadKeys(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return keys, nil
}

// verifyFile prints for every game of a file who signed what, and counts the games that are not signed as they stand.
func verifyFile(s cli.Std, name string, v *rules.Variant, keys map[string]ed25519.PublicKey, all *copies) (bad int,
	err error) {
	var src io.Reader = s.In
	if name != "-" {
		f, err := size.OpenPipe(name)
		if err != nil {
			return 0, fmt.Errorf("cannot read the game file: %w", err)
		}
		defer f.Close()
		src = f
	}
	games, readErr := pgn.Read(src, v)
	for i := range games {
		c := newChecker(&games[i], keys)
		faults := c.run()
		ways, changed := c.ways()
		faults = append(faults, changed...)
		other := all.add(label(name, i+1, len(games)), c, len(faults) == 0)
		name := "game"
		if c.game.ID != "" {
			name += " " + c.game.ID
		}
		fmt.Fprintf(s.Out, "%s of %s: White %s, Black %s, %s\n", name, c.game.Variant, cmp.Or(c.game.White, "?"),
			cmp.Or(c.game.Black, "?"), c.pgn.Result)
		for _, line := range slices.Concat(c.said, ways, faults) {
			fmt.Fprintln(s.Out, "  "+line)
		}
		if other != "" {
			fmt.Fprintln(s.Out, "  "+other)
		}
		if len(faults) > 0 {
			bad++
		}
	}
	if readErr != nil {
		return bad, fmt.Errorf("%s: %w; what cannot be played was not signed", name, readErr)
	}
	if len(games) == 0 {
		return bad, fmt.Errorf("%s: %w", name, noGame(src))
	}
	return bad, nil
}

// checker checks one game.
type checker struct {
	pgn   *pgn.Game
	game  seal.Game
	first string
	keys  map[string]ed25519.PublicKey
	seals map[string]*seal.Seal // by side: the last signature, nil for none
	said  []string              // what is signed
	bare  string                // the first move without a signature of its own
}

// seat is who holds a seat; files of 0.1.0 have it in place of a name.
func seat(p *pgn.Game, side string) string {
	if s := p.Tag(side + "Seat"); s != "" {
		return s
	}
	return p.Tag(side)
}

func newChecker(p *pgn.Game, keys map[string]ed25519.PublicKey) *checker {
	start := p.Start
	c := &checker{pgn: p, first: start.Turn().String(), keys: keys, seals: map[string]*seal.Seal{}}
	c.game = seal.Game{ID: p.Tag("GameId"), Variant: p.Variant.ID(), White: seat(p, "White"), Black: seat(p, "Black"),
		Start:   start.FEN(),
		Outcome: p.Result, Reason: p.Tag("Termination")}
	if c.game.Outcome == "*" && c.game.Reason == "" {
		c.game.Outcome = "" // not ended, unlike an aborted game
	}
	for _, ply := range p.Plies {
		c.game.Moves = append(c.game.Moves, start.Coord(ply.Move))
		start.Play(ply.Move)
	}
	return c
}

// run gives everything that is wrong, in words.
func (c *checker) run() (faults []string) {
	for _, side := range []string{"white", "black"} {
		if err := c.read(side); err != nil {
			faults = append(faults, err.Error())
		}
	}
	if c.seals["white"] == nil && c.seals["black"] == nil {
		return append(faults, "nothing is signed")
	}
	place := c.firstWrong()
	if place != "" {
		faults = append(faults, place)
	}
	for _, side := range []string{"white", "black"} {
		s := c.seals[side]
		if s == nil {
			continue
		}
		if err := s.Covers(side, c.first, &c.game); err != nil {
			faults = append(faults, c.explain(side, s, err))
			continue
		}
		c.said = append(c.said, fmt.Sprintf("%s signed %s by the key %s", side, c.extent(s), seal.Fingerprint(s.Key)))
	}
	return faults
}

// read finds a side's last signature, and checks that it is by the key that the side's board must have.
func (c *checker) read(side string) error {
	tag, board := whiteSeal, c.game.White
	if side == "black" {
		tag, board = blackSeal, c.game.Black
	}
	text := c.pgn.Tag(tag)
	if text == "" {
		return fmt.Errorf("%s has signed nothing", side)
	}
	s, err := seal.Parse(text)
	if err != nil {
		return fmt.Errorf("tag %s: %w", tag, err)
	}
	c.seals[side] = &s
	c.game.Takebacks = max(c.game.Takebacks, s.Takebacks)
	want, ok := c.keys[board]
	switch {
	case c.keys != nil && !ok:
		return fmt.Errorf("%s signed as board %s, whose key is not among those given", side, board)
	case c.keys != nil && !want.Equal(s.Key):
		return fmt.Errorf("%s signed by the key %s, but the key of board %s is %s", side, seal.Fingerprint(s.Key), board,
			seal.Fingerprint(want))
	}
	return nil
}

func (c *checker) extent(s *seal.Seal) string {
	text, all := fmt.Sprintf("all %d moves", s.Ply), len(c.game.Moves)
	switch {
	case s.Ply == 1 && all == 1:
		text = "the only move"
	case s.Ply == 1 && all > 1:
		text = fmt.Sprintf("the first move of %d, the last of its own", all)
	case s.Ply < all:
		text = fmt.Sprintf("the first %d moves of %d, up to the last of its own", s.Ply, all)
	}
	if s.Outcome != "" {
		text += fmt.Sprintf(" and the result %s by %s", s.Outcome, s.Reason)
	}
	return text
}

// firstWrong names the first move whose own signature does not fit; "" when all signatures fit.
func (c *checker) firstWrong() string {
	p := c.pgn.Start
	for i, ply := range c.pgn.Plies {
		side, name := p.Turn().String(), moveName(&p, &ply)
		p.Play(ply.Move)
		s := c.seals[side]
		m := stampForm.FindStringSubmatch(ply.Comment)
		if s == nil {
			continue
		}
		if m == nil {
			if c.bare == "" {
				c.bare = name
			}
			continue
		}
		if err := c.stamp(s.Key, i+1, m); err != nil {
			return fmt.Sprintf("move %s is not what %s signed there: it is forged, or moves before it%s were dropped, added "+
				"or put in another order", name, side, c.since())
		}
	}
	return ""
}

// since names the first move from which on moves have no signature of their own.
func (c *checker) since() string {
	if c.bare == "" {
		return ""
	}
	return " (" + c.bare + " bears no signature of its own)"
}

func (c *checker) stamp(key ed25519.PublicKey, ply int, m []string) error {
	takebacks, err := strconv.Atoi(m[1])
	sig, err2 := base64.StdEncoding.DecodeString(m[4])
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	s, err := seal.Parse(fmt.Sprintf("%d %d %s %s %s %s", ply, takebacks, m[2], m[3],
		base64.StdEncoding.EncodeToString(key), base64.StdEncoding.EncodeToString(sig)))
	if err != nil {
		return err
	}
	side := c.first
	if ply%2 == 0 {
		side = map[string]string{"white": "black", "black": "white"}[c.first]
	}
	at := c.game
	at.Moves, at.Outcome, at.Reason, at.Takebacks = c.game.Moves[:ply], s.Outcome, s.Reason,
		max(takebacks, c.game.Takebacks)
	return s.Check(side, &at)
}

// explain says in words why a side's last signature does not fit the game.
func (c *checker) explain(side string, s *seal.Seal, err error) string {
	n := len(c.game.Moves)
	switch {
	case s.Ply > n:
		were := "were"
		if s.Ply-n == 1 {
			were = "was"
		}
		return say.Counted("%s signed %d moves, here are %d: %d %s dropped, or more with others in their place", side,
			s.Ply, n, s.Ply-n, were)
	case s.Outcome != c.game.Outcome || s.Reason != c.game.Reason && s.Outcome != "":
		return fmt.Sprintf("%s signed the result %s by %s, not %s by %s", side, dash(s.Outcome), dash(s.Reason),
			dash(c.game.Outcome), dash(c.game.Reason))
	}
	return err.Error() + c.since()
}
