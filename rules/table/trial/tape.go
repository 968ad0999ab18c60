// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"bytes"

	"boardd/sensing/trace"
)

// tape records what is sensed since the table and the wood were last in step.
type tape struct {
	file  bytes.Buffer
	w     *trace.Writer
	plies int // of the truth when it began
}

func newTape(g *game) *tape {
	t := &tape{plies: len(g.truth)}
	t.w = trace.New(&t.file, g.began.Add(g.scene.Now), g.now())
	f := &g.geometry
	t.w.Board(g.Board.String(), trace.Figures{CellNoise: f.CellNoise, MassSpread: f.MassSpread,
		RangeNoise: f.RangeNoise, CubeHeight: f.CubeHeight,
		Mass: f.Mass, CellNoises: f.CellNoises, RangeNoises: f.RangeNoises})
	return t
}

// cut is the trace so far, with the moves that were played since as its last lines.
func (t *tape) cut(g *game) []byte {
	if t.w.Flush() != nil {
		return nil
	}
	n := t.file.Len()
	for i := t.plies; i < len(g.truth); i++ {
		t.w.Move(g.began.Add(g.scene.Now), g.places[i].Coord(g.truth[i]), true)
	}
	if t.w.Flush() != nil {
		return nil
	}
	out := bytes.Clone(t.file.Bytes())
	t.file.Truncate(n)
	return out
}
