// SPDX-License-Identifier: Apache-2.0

package match

import (
	"fmt"
	"math"
)

// Tally counts a player's results.
type Tally struct{ Won, Drawn, Lost int }

// Add counts a game by the player's score.
func (t *Tally) Add(score float64) {
	switch score {
	case 1:
		t.Won++
	case 0:
		t.Lost++
	default:
		t.Drawn++
	}
}

// Games is how many games were played.
func (t Tally) Games() int { return t.Won + t.Drawn + t.Lost }

// Score is the mean score, 0 to 1; a half if nothing was played.
func (t Tally) Score() float64 {
	if t.Games() == 0 {
		return 0.5
	}
	return (float64(t.Won) + float64(t.Drawn)/2) / float64(t.Games())
}

// deviation is the standard deviation of one game's score.
func (t Tally) deviation() float64 {
	if t.Games() < 2 {
		return 0.5
	}
	s := t.Score()
	sum := float64(t.Won)*(1-s)*(1-s) + float64(t.Drawn)*(0.5-s)*(0.5-s) + float64(t.Lost)*s*s
	return math.Sqrt(sum / float64(t.Games()-1))
}

// Bounds is the interval that holds the true score 95 times of a hundred. It is Wilson's, narrower by as much as draws
// make the games less various.
func (t Tally) Bounds() (low, high float64) {
	n := float64(t.Games())
	if n == 0 {
		return 0, 1
	}
	const z = 1.96
	s := t.Score()
	draws := math.Min(1, t.deviation()/math.Sqrt(math.Max(s*(1-s), 1e-9)))
	if s == 0 || s == 1 {
		draws = 1
	}
	middle := (s + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(s*(1-s)/n*draws*draws+z*z/(4*n*n))
	return middle - half, middle + half
}

// Elo is the difference in rating that the score stands for.
func Elo(score float64) float64 {
	score = math.Min(math.Max(score, 0.001), 0.999)
	return -400 * math.Log10(1/score-1)
}

// String is the tally with its bounds, as in "+6 =2 -2, 70.0 % (39.2 to 89.7)".
func (t Tally) String() string {
	low, high := t.Bounds()
	return fmt.Sprintf("+%d =%d -%d, %.1f %% (%.1f to %.1f)", t.Won, t.Drawn, t.Lost, 100*t.Score(), 100*low, 100*high)
}

// LogLikelihoodRatio is the log-likelihood ratio of the sequential probability ratio test, in the normal
// approximation. It says how much likelier the results are if the player is better by high points of Elo than if it is
// by low. Over 2.94 accepts high, under -2.94 accepts low, each wrong once in twenty times.
func (t Tally) LogLikelihoodRatio(low, high float64) float64 {
	expected := func(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
	d := t.deviation()
	if t.Games() < 10 || d == 0 {
		return 0
	}
	a, b := expected(low), expected(high)
	return float64(t.Games()) * (b - a) * (2*t.Score() - a - b) / (2 * d * d)
}
