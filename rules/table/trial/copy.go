// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/hands"
	"boardd/sensing/wood"
)

// copy plays a move of the other board. The table is told it, and hands copy it, as the lights ask them to. So the
// table must name each place that changes before they begin, and none soon after they end.
func (g *game) copy(m rules.Move) error {
	if g.judge(); g.stuck {
		return nil
	}
	think := thinkLow + time.Duration(g.dice.Float64()*float64(thinkHigh-thinkLow))
	if g.dice.Float64() < thinksLong {
		think *= longer
	}
	g.run(g.scene.Now+think, nil)
	before, after := g.now(), *g.now()
	after.Play(m)
	side, from, to := before.Turn(), g.geometry.Lay(before), g.geometry.Lay(&after)
	g.truth, g.places = append(slices.Clone(g.truth), m), append(g.places, after)
	g.count.Moves++
	g.table.Play(g.began.Add(g.scene.Now), m)
	g.run(g.scene.Now+answers, nil)
	if dark := g.dark(&from, &to); dark != "" {
		g.count.Dark++
		g.failed("dark", dark)
	}
	g.habits = g.drawn() &^ (hands.Quick | hands.Takeback)
	if err := g.perform(g.scene.Now+thinkLow, side, &after, m); err != nil {
		return fmt.Errorf("%s copied: %w", before.Coord(m), err)
	}
	g.run(g.script.End+time.Millisecond, nil)
	if err := g.crew.Check(); err != nil {
		g.broken = err
	}
	g.copied()
	return nil
}

// copied judges a move that has just been copied.
func (g *game) copied() {
	g.countAlarm()
	if has := g.table.Moves(); !slices.Equal(has, g.truth) {
		g.wrong(true)
		return
	}
	g.step(max(g.scene.Now, g.script.Contact) + inStep)
}

// dark lists the places that change from one wood to another and of which the table says nothing.
func (g *game) dark(from, to *wood.Wood) string {
	var list []string
	for p := range from {
		place := wood.Place(p)
		named := false
		for _, d := range g.table.Last().Discrepancies {
			named = named || d.Place == place
		}
		if from[p] != to[p] && !named {
			list = append(list, fmt.Sprintf("%s %q to %q", place, from[p], to[p]))
		}
	}
	return strings.Join(list, ", ")
}
