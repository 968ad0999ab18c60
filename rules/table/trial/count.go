// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"math"
	"slices"
	"time"
)

// Count is what was counted in games.
type Count struct {
	Games, Moves  int // Moves: made by hand, moves taken back among them
	Takebacks     int // of Moves
	Untold        int // moves that the settled sensors cannot tell from another legal one by six standard deviations
	Wrong         int // moves in the record that were not made, while the wood rests or at the next move
	Missed        int // not recognised where the sensors can tell, though the wood rests
	Early         int // moves for which the table had another one at first, and corrected that by itself
	MissedUntold  int // not recognised, and not asked, where they cannot
	Asked         int // fair questions
	AskedUnfairly int // where the sensors can tell
	AlarmsResting int // "wrong" while the wood stands as it should and no hand is near, nor leans
	AlarmsMoving  int // moves with an alarm from the first touch until the last hand is away, or while somebody leans
	AlarmsAstray  int // of AlarmsMoving: in moves on whose way a piece fell, was knocked or was tried out
	Dark          int // moves of another board of which the table did not name a place that changes
	OutOfStep     int // a second after a move was said by word, or was copied; where that lasts the game is given up
	Waits         []time.Duration

	fail func(Failure)
}

// wait notes the time from the last contact, or the last touch if that is later, to when the table had the move for
// good.
func (c *Count) wait(d time.Duration) { c.Waits = append(c.Waits, d) }

// Add adds what another game counted.
func (c *Count) Add(o *Count) {
	c.Games += o.Games
	c.Moves += o.Moves
	c.Takebacks += o.Takebacks
	c.Untold += o.Untold
	c.Wrong += o.Wrong
	c.Missed += o.Missed
	c.Early += o.Early
	c.MissedUntold += o.MissedUntold
	c.Asked += o.Asked
	c.AskedUnfairly += o.AskedUnfairly
	c.AlarmsResting += o.AlarmsResting
	c.AlarmsMoving += o.AlarmsMoving
	c.AlarmsAstray += o.AlarmsAstray
	c.Dark += o.Dark
	c.OutOfStep += o.OutOfStep
	c.Waits = append(c.Waits, o.Waits...)
}

// Wait is the time within which a part of the moves was taken.
func (c *Count) Wait(part float64) time.Duration {
	if len(c.Waits) == 0 {
		return 0
	}
	slices.Sort(c.Waits)
	return c.Waits[min(len(c.Waits)-1, int(part*float64(len(c.Waits))))]
}

// Recognised is the part of the moves that the sensors can tell which needed neither word nor question.
func (c *Count) Recognised() float64 {
	n := c.Moves - c.Untold
	if n == 0 {
		return 1
	}
	return 1 - float64(c.Missed+c.AskedUnfairly+c.Wrong)/float64(n)
}

// Bound is the upper end of the one-sided 95 % interval of a rate of which k were seen in n (Clopper and Pearson
// 1934). For k = 0 that is the rule of three.
func Bound(k, n int) float64 {
	if n == 0 || k >= n {
		return 1
	}
	low, high := float64(k)/float64(n), 1.0
	for range 60 {
		if p := (low + high) / 2; atMost(k, n, p) > 0.05 {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// atMost is the chance to see at most k in n at a rate p.
func atMost(k, n int, p float64) (sum float64) {
	whole, _ := math.Lgamma(float64(n + 1))
	for i := range k + 1 {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(whole - a - b + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}
