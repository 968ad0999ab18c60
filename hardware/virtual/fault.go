package virtual

// ReedFault is what is wrong with one reed.
type ReedFault uint8

// The faults of reeds.
const (
	ReedGood        ReedFault = iota
	ReedStuckOpen             // never closes: broken glass, a dead spot
	ReedStuckClosed           // never opens: welded
	ReedNoisy                 // chatters as long as a piece stands there: a weak or off-centre magnet
)

// CellFault is what is wrong with one load cell.
type CellFault uint8

// The faults of load cells.
const (
	CellGood      CellFault = iota
	CellAbsent              // its converter does not answer
	CellSaturated           // its bridge is open: full scale
)
