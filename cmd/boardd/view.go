// SPDX-License-Identifier: Apache-2.0

package main

import (
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// paint says by light what the wood's state asks of the players: nothing that a player must do is left to the page.
func paint(d decoder, p *rules.Position, w woodState, e *reconcile.Explanation) leds.View {
	var v leds.View
	v.Locked[0] = p.Locked()
	if p.InCheck() {
		v.Check.Add(kingPlace(d.Wood(), p.Turn()))
	}
	switch w.state {
	case wire.Asking:
		for _, c := range w.choices {
			if c.Place != wood.Nowhere {
				v.Choice.Add(c.Place)
			}
		}
	case wire.Executing, wire.Setup:
		for _, t := range e.Touch {
			if len(t.Want) < t.See || t.Want == "" {
				v.From.Add(t.Place)
			} else {
				v.To.Add(t.Place)
			}
		}
	case wire.Wrong:
		for _, t := range e.Touch {
			v.Wrong.Add(t.Place)
		}
		for _, k := range w.kings {
			v.Choice.Add(k)
		}
	case wire.Moving:
		paintLifts(&v, d, p, e)
	}
	return v
}

// paintLifts shows where the lifted pieces may go. When several stacks are lifted (a captured piece put aside first)
// every one shows what it can still do.
func paintLifts(v *leds.View, d decoder, p *rules.Position, e *reconcile.Explanation) {
	for _, l := range e.Lifts {
		if owner, ok := topOwner(d.Wood()[l.Place]); ok && owner != p.Turn() {
			continue // a piece that is being captured: its captors show where it stood
		}
		r := d.Reach(l)
		v.Origin.Add(l.Place)
		if !r.Any() {
			v.Stuck.Add(l.Place)
		}
		v.Quiet = v.Quiet.Union(r.Quiet)
		v.Stack = v.Stack.Union(r.Stack)
		v.Capture = v.Capture.Union(r.Capture)
		v.Special = v.Special.Union(r.Special)
	}
}

// kingPlace is where the king of a side stands.
func kingPlace(w *wood.Wood, c rules.Color) wood.Place {
	letter := rules.NewPiece(c, rules.King).Letter()
	for p := range wood.Place(wood.Places) {
		for i := range len(w[p]) {
			if w[p][i] == letter {
				return p
			}
		}
	}
	return 0
}

// topOwner is whose piece stands on top of a pile; there is none on an empty place or a bare pedestal.
func topOwner(p wood.Pile) (rules.Color, bool) {
	if p == "" || p[len(p)-1] == wood.Pedestal {
		return 0, false
	}
	if p[len(p)-1] >= 'a' {
		return rules.Black, true
	}
	return rules.White, true
}

// touches writes the places to mend as the messages do.
func touches(ts []reconcile.Touch) []wire.Touch {
	var out []wire.Touch
	for _, t := range ts {
		w := wire.Touch{Square: t.Place.Square().String(), Deck: t.Place.Deck().String(), See: t.See}
		for i := range len(t.Want) {
			w.Want = append(w.Want, string(t.Want[i]))
		}
		out = append(out, w)
	}
	return out
}
