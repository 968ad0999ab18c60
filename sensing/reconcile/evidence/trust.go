// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"boardd/sensing"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// Prior is how often a sound sensor of each kind is wrong.
var Prior = [3]float64{sensing.Reeds: world.ReedErr, sensing.Weights: world.CellErr, sensing.Heights: world.EyeErr}

// Trust is how often one sensor has been wrong, as later moves showed.
type Trust struct {
	Bad, N float64
	Err    float64 // probability that the sensor is wrong, as the likelihoods use it
}

// Confirm notes whether the sensor was wrong about wood that a later move has confirmed.
func (t *Trust) Confirm(wrong bool, prior float64) {
	t.Bad, t.N = t.Bad*world.TrustDecay, t.N*world.TrustDecay+1
	if wrong {
		t.Bad++
	}
	t.Err = min(0.95, (t.Bad+world.TrustPrior*prior)/(t.N+world.TrustPrior))
}

// Discount has a sensor say nothing until it shows something new. What it shows contradicts wood that a later move has
// confirmed, so it would show the same whatever stands there now.
func (e *Record) Discount(k sensing.Kind, p wood.Place) {
	e.discounted[k].Add(p)
	e.discountedAt[k][p] = e.TurnedAt(k, p)
}

// IsDiscounted reports whether what a sensor shows counts for nothing, see Discount.
func (e *Record) IsDiscounted(k sensing.Kind, p wood.Place) bool {
	return e.discounted[k].Has(p) && e.discountedAt[k][p] == e.TurnedAt(k, p)
}
