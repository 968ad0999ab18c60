// SPDX-License-Identifier: Apache-2.0

package games

import (
	"crypto/ed25519"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/say"
	"boardd/sync/seal"
)

// viaForm is the note behind a move by which way it was given, such as [%via hand] or [%via mqtt by arbiter].
var viaForm = regexp.MustCompile(`\[%via\s+([^\]]{1,120})\]`)

// The tags by which way a result was given, and of the board's signature over all ways, as seal.SignWays writes it.
const (
	resultVia = "ResultVia"
	viaSeal   = "ViaSeal"
)

// waysOf lists the ways of the moves of a game file, "" where there is none, and last that of the result.
func waysOf(p *pgn.Game) (list []string) {
	for _, ply := range p.Plies {
		way := ""
		if m := viaForm.FindStringSubmatch(ply.Comment); m != nil {
			way = strings.Join(strings.Fields(m[1]), " ")
		}
		list = append(list, way)
	}
	return append(list, p.Tag(resultVia))
}

// signWays adds the signature of the board over the ways, if its key has signed moves of the game.
func signWays(out *pgn.Game, g *game.Game, key ed25519.PrivateKey) {
	for _, side := range []game.Side{game.White, game.Black} {
		if s, err := seal.Parse(g.Seal(side)); err == nil && key != nil && s.Key.Equal(seal.Public(key)) {
			out.Tags = append(out.Tags, pgn.Tag{Name: viaSeal, Value: seal.SignWays(key, g.ID(), waysOf(out))})
			return
		}
	}
}

// checkWays says whether the ways are as a board has signed them.
func (c *checker) checkWays() (said, fault string) {
	text := c.pgn.Tag(viaSeal)
	if text == "" {
		return "these notes are not signed: whoever had the file may have changed them", ""
	}
	key, err := seal.CheckWays(text, c.game.ID, waysOf(c.pgn))
	if err != nil {
		return "", fmt.Sprintf("tag %s: %v: the notes who gave the moves are not those of the board", viaSeal, err)
	}
	by := seal.Fingerprint(key)
	for _, s := range c.seals {
		if s != nil && s.Key.Equal(key) {
			return "these notes are signed by the key " + by, ""
		}
	}
	return "", "the notes who gave the moves are signed by the key " + by + ", which has signed no move"
}

// viaText is such a note.
func viaText(way string) string {
	if way == "" {
		return ""
	}
	return "[%via " + way + "]"
}

// viaTags tells by which way a result was given that does not follow from the moves.
func viaTags(g *game.Game) []pgn.Tag {
	if via := g.EndVia(); via != "" {
		return []pgn.Tag{{Name: resultVia, Value: via}}
	}
	return nil
}

// ways says how many moves of each side were given by which way, and by which way the result was. The notes are those
// of the exporting board, which signs them.
func (c *checker) ways() (lines, faults []string) {
	counts := map[string]map[string]int{"white": {}, "black": {}}
	p := c.pgn.Start
	for _, ply := range c.pgn.Plies {
		if m := viaForm.FindStringSubmatch(ply.Comment); m != nil {
			counts[p.Turn().String()][given(m[1])]++
		}
		p.Play(ply.Move)
	}
	hand := game.Given(game.ByHand)
	for _, side := range []string{"white", "black"} {
		n := counts[side]
		if len(n) == 0 {
			continue
		}
		line := say.Counted("%s, as the exporting board noted: %d moves %s", side, n[hand], hand)
		delete(n, hand)
		for _, way := range slices.Sorted(maps.Keys(n)) {
			line += fmt.Sprintf("; %d %s", n[way], way)
		}
		lines = append(lines, line)
	}
	if via := c.pgn.Tag(resultVia); via != "" {
		lines = append(lines, "the result, as the exporting board noted: "+given(via))
	}
	if len(lines) > 0 || c.pgn.Tag(viaSeal) != "" {
		switch said, fault := c.checkWays(); {
		case fault != "":
			faults = append(faults, fault)
		default:
			lines = append(lines, said)
		}
	}
	return lines, faults
}

// given is game.Given of a way in a file, where it may be spaced otherwise.
func given(via string) string { return game.Given(strings.Join(strings.Fields(via), " ")) }
