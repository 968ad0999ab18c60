// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// bearsNoMore reports whether a place, which bears too much, bears no more than when a piece left elsewhere. Its load
// has changed since, and its reed has seen nothing come. It may be a hand, as it has not stood still for long.
func (d *Decoder) bearsNoMore(p wood.Place, left evidence.Tick) bool {
	e, c := &d.seen, &d.seen.Cells[p]
	return c.Since > left && c.Mean-c.At(left) < d.g.Lightest/2 && e.Reeds[p].Last() <= left &&
		c.Stands(e.Now) < world.StrayAfter
}

// nothingAdded is the cost, in nats, of what came to a place that had borne too much for a while before the piece
// left. If nothing was seen to leave, it is before the ply. The place bears no more since. So a hand that leaned there
// has to have gone as the piece came.
func (d *Decoder) nothingAdded(h *hypotheses.Hypothesis) (nats float64) {
	if h.Move.Promotion() != rules.NoKind {
		return 0 // what a pawn becomes is another piece, and may come first
	}
	left, seen := d.departedAt(hypotheses.Departing(h.Move))
	if !seen {
		left = d.seen.Epoch
	} else if at := d.relieved[h.Move.From()]; at != 0 {
		left = min(left, at) // it may have stood over the line
	}
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		if w.Place >= 64 || w.Mass < d.want[w.Place].Mass+d.g.Lightest/2 || !d.seen.CellTrusted(w.Place) {
			continue
		}
		c, since := &d.seen.Cells[w.Place], d.loaded[w.Place]
		if since != 0 && left.Since(since) > world.SettledAfter &&
			(d.bearsNoMore(w.Place, left) || !seen && c.Mean-c.At(left) < d.g.Lightest/2) {
			nats += world.StepUnseen
		}
	}
	return nats
}

// stoodBefore is the cost, in nats, of a piece that came although its place looked like that before the piece left. On
// an empty square that is told by other sensors than the reed alone.
func (d *Decoder) stoodBefore(h *hypotheses.Hypothesis) float64 {
	e := &d.seen
	left, ok := d.departedAt(hypotheses.Departing(h.Move))
	if !ok || h.Move.Promotion() != rules.NoKind { // what a pawn becomes is another piece, and may come first
		return 0
	}
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		n, old := len(w.Pile), d.now[w.Place]
		if w.Place >= 64 || n == 0 || n < len(old) || w.Place.Square() != h.Move.To() ||
			(n < 2 || old == "") && e.Reeds[w.Place].After(e.Epoch) > 0 { // a reed says when it came
			continue
		}
		since := e.Now
		switch l, c := &e.Eyes[w.Place], &e.Cells[w.Place]; {
		case e.CellTrusted(w.Place) && d.loaded[w.Place] != 0 && d.loaded[w.Place] < left &&
			d.bearsNoMore(w.Place, left):
			since = d.loaded[w.Place] // somebody leaned there, and swayed
		case e.CellTrusted(w.Place) && e.CellFit(w.Place, &w.Target, false) > world.DoubtfulFit:
			since = c.Since
		case e.HeardEye(w.Place) && (l.Heard > left || math.Abs(l.Mean-w.Height) < world.EyeWide):
			// read since, it may show anything: what came would have changed it
			since = l.Since
		}
		if left > since {
			return world.LandsBefore * (1 - logprob.Decay(left.Since(since), world.LandsSlack))
		}
	}
	return 0
}
