// SPDX-License-Identifier: Apache-2.0

package games

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/say"
)

// viaForm is the note behind a move by which way it was given, such as [%via hand] or [%via mqtt by arbiter].
var viaForm = regexp.MustCompile(`\[%via\s+([^\]]{1,120})\]`)

// resultVia is the tag by which way a result was given.
const resultVia = "ResultVia"

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
// of the exporting board. They are not signed.
func (c *checker) ways() (lines []string) {
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
	return lines
}

// given is game.Given of a way in a file, where it may be spaced otherwise.
func given(via string) string { return game.Given(strings.Join(strings.Fields(via), " ")) }
