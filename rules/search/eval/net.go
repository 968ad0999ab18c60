// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"encoding/binary"
	"fmt"

	"boardd/rules"
)

// The network: features, hidden units for each view of the board, one output for each of four phases of the
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
const magic = "bdnet\x00\x00\x04"

// Weights are the numbers of a network.
type Weights struct {
	Game    string       // see GameOf
	Units   int          // hidden units that it has; the others are 0
	Rows    [][Row]int16 // by feature: for each hidden unit, then the worth in each stage
	Bias    [Hidden]int16
	Out     [Phases][2 * Hidden]int16
	OutBias [Phases]int32
}

// visit calls do with each part of the file after its head, in order.
func (w *Weights) visit(do func(part any)) {
	for i := range w.Rows {
		do(w.Rows[i][:w.Units])
		do(w.Rows[i][Hidden:])
	}
	do(w.Bias[:w.Units])
	for i := range w.Out {
		do(w.Out[i][:w.Units])
		do(w.Out[i][Hidden:][:w.Units])
	}
	do(w.OutBias[:])
}

// GameOf is the name of a game in the head of its network. Both forms of Pillar Chess have the same network.
func GameOf(v *rules.Variant) string {
	if v.ID() == "pillar-liberal" {
		return "pillar"
	}
	return v.ID()
}

// fileHead begins the file of a network: magic, and the game after a byte with its length. Then come the numbers of
// features and of hidden units, 32 bits each.
func fileHead(game string, features, units int) []byte {
	b := append([]byte(magic), byte(len(game)))
	b = append(b, game...)
	b = binary.LittleEndian.AppendUint32(b, uint32(features))
	return binary.LittleEndian.AppendUint32(b, uint32(units))
}

// AppendBinary appends the network's file. After its head come the rows, the bias, the output weights and their
// biases. All is little endian.
func (w *Weights) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, fileHead(w.Game, len(w.Rows), w.Units)...)
	var err error
	w.visit(func(part any) {
		if err == nil {
			b, err = binary.Append(b, binary.LittleEndian, part)
		}
	})
	return b, err
}

// ReadWeights reads the file of a network for a game.
func ReadWeights(v *rules.Variant, file []byte) (*Weights, error) {
	n, game := FeatureCount(v), GameOf(v)
	head := len(fileHead(game, n, 0))
	begin := len(magic) + 1 + len(game)
	switch {
	case len(file) < head || string(file[:len(magic)]) != magic:
		return nil, fmt.Errorf("read a network for %s: want a file that begins with %q", v, magic)
	case string(file[len(magic):begin]) != string(fileHead(game, n, 0)[len(magic):begin]):
		is := file[len(magic)+1:]
		return nil, fmt.Errorf("read a network for %s: it is for %q", v, is[:min(int(file[len(magic)]), len(is), 32)])
	}
	rows, units := binary.LittleEndian.Uint32(file[begin:]), binary.LittleEndian.Uint32(file[begin+4:])
	switch {
	case rows != uint32(n):
		return nil, fmt.Errorf("read a network for %s: it has %d inputs, want %d", v, rows, n)
	case units > Hidden:
		return nil, fmt.Errorf("read a network for %s: it has %d hidden units, want at most %d", v, units, Hidden)
	}
	w := &Weights{Game: game, Units: int(units), Rows: make([][Row]int16, n)}
	want := head + 2*(w.Units+Phases)*n + 2*w.Units + Phases*(4*w.Units+4)
	if len(file) != want {
		return nil, fmt.Errorf("read a network for %s: the file has %d bytes, want %d", v, len(file), want)
	}
	b := file[head:]
	var err error
	w.visit(func(part any) {
		if err == nil {
			var read int
			read, err = binary.Decode(b, binary.LittleEndian, part)
			b = b[read:]
		}
	})
	return w, err
}

// Net is the estimate by a network.
func Net(v *rules.Variant, w *Weights) *Eval {
	e := newEval(v, w.Units)
	for i := range w.Rows {
		e.setRow(Feature(i), pack(&w.Rows[i]))
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
	units := Hidden
	if e.narrow != nil {
		units = narrowUnits
	}
	sum := mine.output(out[:units]) + theirs.output(out[Hidden:][:units])
	worth := mine.phase(stage) - theirs.phase(stage)
	return int((sum/One+int64(e.head.bias[stage]))*Pawns/(One*OutOne)) + worth/2
}

// output is what as many hidden units of one view give as there are weights, each with its weight.
func (r *row) output(weights []int16) (sum int64) {
	for i, w := range r[1:][:len(weights)/4] {
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
