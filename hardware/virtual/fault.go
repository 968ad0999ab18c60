// SPDX-License-Identifier: Apache-2.0

package virtual

import "boardd/hardware/virtual/physics"

// ReedFault is what is wrong with one reed.
type ReedFault = physics.ReedFault

// The faults of reeds.
const (
	ReedGood        = physics.ReedGood
	ReedStuckOpen   = physics.ReedStuckOpen
	ReedStuckClosed = physics.ReedStuckClosed
	ReedNoisy       = physics.ReedNoisy
)

// CellFault is what is wrong with one load cell.
type CellFault = physics.CellFault

// The faults of load cells.
const (
	CellGood      = physics.CellGood
	CellAbsent    = physics.CellAbsent
	CellSaturated = physics.CellSaturated
	CellNoisy     = physics.CellNoisy
	CellDrifting  = physics.CellDrifting
)
