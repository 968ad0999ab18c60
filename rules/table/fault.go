// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"

	"boardd/rules"
	"boardd/sensing/reconcile"
)

// faults tells everybody of sensors that were found at fault, and of those that are sound again: one event for each kind of
// trouble, so that a cable that comes off is not told square by square.
func (t *Table) faults() {
	news := t.decoder.News()
	if len(news) == 0 {
		return
	}
	var found, gone []reconcile.Fault
	for _, n := range news {
		if n.Gone {
			gone = append(gone, n.Fault)
		} else {
			found = append(found, n.Fault)
		}
	}
	for kind := reconcile.Dead; kind <= reconcile.Silent; kind++ {
		t.tellFaults(Fault, of(found, kind), "; play goes on without it")
		t.tellFaults(FaultCleared, of(gone, kind), ": this is over")
	}
}

// of is the faults of one kind.
func of(all []reconcile.Fault, kind reconcile.Trouble) (some []reconcile.Fault) {
	for _, f := range all {
		if f.Kind == kind {
			some = append(some, f)
		}
	}
	return some
}

func (t *Table) tellFaults(event Kind, faults []reconcile.Fault, end string) {
	if len(faults) == 0 {
		return
	}
	e := Event{Kind: event, Part: faults[0].Name(), Text: strings.Join(reconcile.Describe(faults), "; ") + end}
	if len(faults) > 1 {
		e.Part = faults[0].Part.String()
	}
	for _, f := range faults {
		e.Places = append(e.Places, f.Place)
	}
	t.tell(e)
}

// ability tells at the start of a game what this board cannot tell in it, and will ask.
func (t *Table) ability(v *rules.Variant) {
	a := reconcile.AbilityFor(t.decoder.Geometry(), v, t.decoder.Faults())
	if lines := a.Lines(); len(lines) > 0 {
		t.tell(Event{Kind: Ability, Text: strings.Join(lines, "; ")})
	}
}
