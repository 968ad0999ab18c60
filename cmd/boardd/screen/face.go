// SPDX-License-Identifier: Apache-2.0

// Package screen makes the picture of the small display, in the language that was set. It shows clocks and players,
// whose move it is, and what to do.
package screen

import (
	"strings"
	"time"

	"boardd/leds/ssd1306"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
)

// Voice says a sentence in a language.
type Voice func(say.Said) string

// Face is what the display says of a table now. A nil voice is English.
func Face(t *table.Table, voice Voice, now time.Time) ssd1306.Face {
	speak := func(s say.Said) string {
		if voice == nil {
			return s.English
		}
		if text := ssd1306.Latin(voice(s)); text != "" {
			return text
		}
		return s.English // the font has no letters for it
	}
	g := t.Game()
	f := ssd1306.Face{Turn: speak(say.That("%s to move", g.Turn()))}
	if g.Over() {
		f.Turn = speak(say.That("%s %s", g.Outcome(), words(g.Reason())))
	}
	c, timed := g.Clocks(now)
	if timed {
		f.Clocks, f.White, f.Black = true, c.White.Truncate(time.Second), c.Black.Truncate(time.Second)
		f.Running = map[game.Side]ssd1306.Side{game.White: ssd1306.White, game.Black: ssd1306.Black}[c.Running]
	}
	names := g.Names()
	f.WhiteName, f.BlackName = surname(names.White), surname(names.Black)
	f.Wrong = speak(wrong(t, timed))
	if white, black := ssd1306.Latin(names.White), ssd1306.Latin(names.Black); f.Wrong == "" && g.Plies() == 0 &&
		white+black != "" {
		f.Wrong = white + " - " + black // before the first move: who is to sit here
	}
	return f
}

// words are a reason as people write it.
func words(r rules.Result) string { return strings.ReplaceAll(string(r), "-", " ") }

// wrong is what is wrong and what to do about it; empty when nothing is. A game with clocks is timed.
func wrong(t *table.Table, timed bool) say.Said {
	switch {
	case t.Unsaved() != nil:
		return say.That("the game cannot be saved: mend the card")
	case t.Conflict().English != "":
		return say.That("the other board has other moves: settle it")
	case t.State() == table.Wrong:
		return step(say.That("mend"), t)
	case t.State() == table.Executing:
		return step(say.That("copy"), t)
	case t.State() == table.Setup:
		return step(say.That("set up"), t)
	case t.State() == table.Moving && len(t.MustLeave()) > 0:
		return say.That("take the captured piece off:").And(" ", t.MustLeave()[0].Said())
	case t.Wood().Held != "" && t.Stopped():
		return say.That("paused: the move counts when the game goes on")
	case t.Wood().Held != "" && timed:
		return say.That("not sure yet: take your hand away, or press your clock")
	case t.Wood().Held != "":
		return say.That("not sure yet: take your hand away")
	case t.State() == table.Asking:
		return say.That("which move? lift a piece on a white light and put it back")
	}
	return fault(t.Faults())
}

// step adds the first thing to do. The display shows one at a time; the lights show all.
func step(s say.Said, t *table.Table) say.Said {
	if steps := reconcile.Guide(t.Explanation().Discrepancies); len(steps) > 0 {
		return s.And(" ", steps[0].Said())
	}
	return s
}

// fault is what is said of sensors at fault.
func fault(fs []reconcile.Fault) say.Said {
	switch len(fs) {
	case 0:
		return say.Said{}
	case 1:
		return say.That("%s of %v %s: play on", reconcile.SensorName(fs[0].Sensor), fs[0].Place, fs[0].Kind)
	}
	return say.That("%s of %v and others at fault: play on", reconcile.SensorName(fs[0].Sensor), fs[0].Place)
}

// surname is the part of a name that pairings put before the comma.
func surname(name string) string {
	last, _, _ := strings.Cut(name, ",")
	return strings.TrimSpace(last)
}
