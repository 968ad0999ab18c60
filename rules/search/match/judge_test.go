// SPDX-License-Identifier: Apache-2.0

package match

import (
	"testing"

	"boardd/rules"
)

// TestJudge: a game ends when both players have said for three moves that the same one is ahead.
// It also ends when they have said for eight moves, late enough, that nobody is. While they disagree it goes on.
func TestJudge(t *testing.T) {
	start := rules.Variants()[0].Start()
	answer := start
	answer.Play(start.AppendMoves(nil)[0])
	says := func(score int) func(int) int { return func(int) int { return score } }
	for _, c := range []struct {
		name         string
		white, black func(ply int) int
		plies        int // at most
		want         float64
		decided      bool
	}{
		{"white is ahead", says(600), says(-700), 6, 1, true},
		{"black is ahead", says(-30000), says(900), 6, 0, true},
		{"level", says(20), says(-20), 68, 0.5, true},
		{"both are ahead", says(900), says(900), 400, 0, false},
		{"not by enough", says(599), says(-599), 400, 0, false},
		{"one sees it late", says(900), func(ply int) int { return -900 * min(1, ply/20) }, 24, 1, true},
	} {
		var j judge
		ply := 1
		for ; ply < 400; ply++ {
			score, p := c.white(ply), start
			if ply%2 == 0 {
				score, p = c.black(ply), answer
			}
			if !j.see(&p, 0, score) {
				break
			}
		}
		if j.decided != c.decided || c.decided && (j.score != c.want || ply != c.plies) {
			t.Errorf("%s: decided %v with %v after %d plies, want %v with %v after %d", c.name, j.decided, j.score, ply,
				c.decided, c.want, c.plies)
		}
	}
}
