// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"encoding/binary"
	"fmt"

	"boardd/rules"
)

// The network: features, sixteen hidden units for each view of the board, one output for each of four phases of the
// game. A hidden unit is its sum kept between 0 and One, squared; the side to move's units come first. Beside them
// each feature has a value of its own for each phase, which goes straight to the output. Half of what these add up to
// in the view of the side to move counts, less half of the opponent's. So the network begins with what is known by
// hand and learns what to add to it.
const (
	// One is the sum that stands for 1, the most a hidden unit gives.
	One = 255
	// OutOne is the output weight that stands for 1.
	OutOne = 64
	// Pawns is the score, in hundredths of a pawn, that an output of 1 stands for.
	Pawns = 400
)

// head is the output layer, and of each stage the bias.
type head struct {
	out  [Phases][2 * Hidden]int16
	bias [Phases]int32
}

// Phase is which output weights a position uses, by the number of occupied squares: 8 or fewer, 16, 24, more.
func Phase(p *rules.Position) int { return min((p.Occupied().Count()-1)/8, Phases-1) }

// magic begins the file of a network; the last byte is the form's number.
const magic = "bdnet\x00\x00\x02"

// Weights are the numbers of a network as its file holds them.
type Weights struct {
	Rows    [][Row]int16 // by feature: for each hidden unit, then the worth in each stage
	Bias    [Hidden]int16
	Out     [Phases][2 * Hidden]int16
	OutBias [Phases]int32
}

// AppendBinary appends the network's file: magic, the number of features (32 bits), rows, bias, output weights and
// biases, all little endian.
func (w *Weights) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.Rows)))
	var err error
	for _, part := range []any{w.Rows, w.Bias, w.Out, w.OutBias} {
		if b, err = binary.Append(b, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// ReadWeights reads the file of a network for a game.
func ReadWeights(v *rules.Variant, file []byte) (*Weights, error) {
	n := FeatureCount(v)
	w := &Weights{Rows: make([][Row]int16, n)}
	want := len(magic) + 4 + 2*Row*n + 2*Hidden + Phases*(4*Hidden+4)
	switch {
	case len(file) < len(magic)+4 || string(file[:len(magic)]) != magic:
		return nil, fmt.Errorf("read a network for %s: want a file that begins with %q", v, magic)
	case binary.LittleEndian.Uint32(file[len(magic):]) != uint32(n):
		return nil, fmt.Errorf("read a network for %s: it has %d inputs, want %d", v,
			binary.LittleEndian.Uint32(file[len(magic):]), n)
	case len(file) != want:
		return nil, fmt.Errorf("read a network for %s: the file has %d bytes, want %d", v, len(file), want)
	}
	b := file[len(magic)+4:]
	for _, part := range []any{w.Rows, &w.Bias, &w.Out, &w.OutBias} {
		size := binary.Size(part)
		if _, err := binary.Decode(b[:size], binary.LittleEndian, part); err != nil {
			return nil, err
		}
		b = b[size:]
	}
	return w, nil
}

// Net is the estimate by a network.
func Net(v *rules.Variant, w *Weights) *Eval {
	e := newEval(v)
	for i := range e.rows {
		e.rows[i] = pack(&w.Rows[i])
	}
	var bias [Row]int16
	copy(bias[:], w.Bias[:])
	e.bias = pack(&bias)
	e.head = head{w.Out, w.OutBias}
	e.pieceSquares = newPieceSquareTables(e)
	return e
}

func (e *Eval) scoreNet(s *Accumulator, p *rules.Position) int {
	stage := Phase(p)
	out := &e.head.out[stage]
	mine, theirs := &s.views[p.Turn()], &s.views[p.Turn().Other()]
	sum := mine.output(out[:Hidden]) + theirs.output(out[Hidden:])
	worth := mine.stage(stage) - theirs.stage(stage)
	return int((sum/One+int64(e.head.bias[stage]))*Pawns/(One*OutOne)) + worth/2
}

// output is what the hidden units of one view give, each with its weight.
func (r *row) output(weights []int16) (sum int64) {
	for i, w := range r[:Hidden/4] {
		w += half
		of := weights[4*i : 4*i+4]
		sum += squared(w&0xffff)*int64(of[0]) + squared(w>>16&0xffff)*int64(of[1]) +
			squared(w>>32&0xffff)*int64(of[2]) + squared(w>>48)*int64(of[3])
	}
	return sum
}

// squared is what a hidden unit gives, of a packed sum to which half the range was added.
func squared(sum uint64) int64 {
	a := max(0, min(int64(sum)-0x8000, One))
	return a * a
}
