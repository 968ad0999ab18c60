// SPDX-License-Identifier: Apache-2.0

package games

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"boardd/rules/game"
)

// viaForm is the note behind a move by which way it was given: [%via hand], or [%via mqtt by arbiter] where a command
// was signed.
var viaForm = regexp.MustCompile(`\[%via\s+(hand|page|mqtt(?:\s+by\s+\S{1,40})?)\]`)

// viaText is such a note.
func viaText(way string) string {
	if way == "" {
		return ""
	}
	return "[%via " + way + "]"
}

// ways says how many moves of each side were made by hand, and how many were given by a command. The notes come from
// the exporting board, about moves that were made there. They are not signed.
func (c *checker) ways() (lines []string) {
	counts := map[string]map[string]int{"white": {}, "black": {}}
	p := c.pgn.Start
	for _, ply := range c.pgn.Plies {
		if m := viaForm.FindStringSubmatch(ply.Comment); m != nil {
			way, by, _ := strings.Cut(m[1], " by ")
			counts[p.Turn().String()][way]++
			if by != "" {
				counts[p.Turn().String()][" signed by "+by]++
			}
		}
		p.Play(ply.Move)
	}
	for _, side := range []string{"white", "black"} {
		if n := counts[side]; len(n) > 0 {
			lines = append(lines, fmt.Sprintf("%s, as the exporting board noted: %d moves by hand, %d on the page, %d by "+
				"MQTT command", side, n[game.ByHand], n[game.ByPage], n[game.ByMQTT]))
			for _, who := range slices.Sorted(maps.Keys(n)) {
				if strings.HasPrefix(who, " ") {
					lines[len(lines)-1] += fmt.Sprintf(", %d%s", n[who], who)
				}
			}
		}
	}
	return lines
}
