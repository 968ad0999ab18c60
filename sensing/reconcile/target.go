// SPDX-License-Identifier: Apache-2.0

package reconcile

import "boardd/sensing/wood"

// target is a pile and what the sensors of its place make of it.
type target struct {
	pile     wood.Pile
	mass     float64 // milligrams
	variance float64 // of mass, milligrams squared: what pieces of a kind differ by
	height   float64 // micrometres
}

// target is what a pile weighs and how high it stands.
func (g *geometry) target(p wood.Pile) target {
	var sum int32
	for i := range len(p) {
		sum += g.Mass[p[i]&127]
	}
	n, s := float64(len(p)), float64(g.MassSpread)
	return target{pile: p, mass: float64(sum), variance: n * s * s, height: n * float64(g.CubeHeight)}
}

// lightest is the mass of the lightest piece of the set, in milligrams; the pedestal is one.
func (g *geometry) lightest() float64 {
	least := int32(0)
	for _, m := range g.Mass {
		if m > 0 && (least == 0 || m < least) {
			least = m
		}
	}
	return float64(least)
}
