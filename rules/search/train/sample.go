// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"errors"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// sample is a position of self-play, with what the search thought of it. A position in check, or whose best move
// captures or promotes, has no features. It is not learnt, but its score is part of what the positions before it are
// worth.
type sample struct {
	ply    uint8 // 0 begins a game
	turn   rules.Color
	stage  uint8
	result uint8 // twice the score of the side to move at the end of the game
	score  int16 // for the side to move
	inputs []eval.Feature
	target float32 // see appendGame; not in the file
}

// appendSample appends a sample's bytes: the ply, turn and stage, the result, the score, the number of features and
// the features.
func appendSample(b []byte, s *sample) []byte {
	b = append(b, s.ply, byte(s.turn)|s.stage<<1, s.result)
	b = binary.LittleEndian.AppendUint16(b, uint16(s.score))
	b = append(b, byte(len(s.inputs)))
	for _, in := range s.inputs {
		b = binary.LittleEndian.AppendUint16(b, uint16(in))
	}
	return b
}

var errCut = errors.New("a file of positions is cut short: remove it, it is made again")

// readSamples reads a file, which holds whole games, and appends the samples that have features, with their targets.
func readSamples(list []sample, b []byte) ([]sample, error) {
	var game []sample
	for len(b) > 0 {
		if len(b) < 6 || len(b) < 6+2*int(b[5]) {
			return nil, errCut
		}
		s := sample{ply: b[0], turn: rules.Color(b[1] & 1), stage: b[1] >> 1, result: b[2],
			score: int16(binary.LittleEndian.Uint16(b[3:]))}
		s.inputs = make([]eval.Feature, b[5])
		b = b[6:]
		for i := range s.inputs {
			s.inputs[i] = eval.Feature(binary.LittleEndian.Uint16(b[2*i:]))
		}
		b = b[2*len(s.inputs):]
		if s.ply == 0 {
			list = appendGame(list, game)
			game = game[:0]
		}
		game = append(game, s)
	}
	return appendGame(list, game), nil
}

// ahead is how much of a position's target is its successor's; the rest is its own score. A score that is borne out
// some plies later is worth more than the search's first opinion. It is much less a matter of luck than the result of
// the game.
const ahead = 0.92

// appendGame sets the targets of a game's positions, from its end, and appends those that are to be learnt.
func appendGame(list, game []sample) []sample {
	next := float32(0)
	for i := len(game) - 1; i >= 0; i-- {
		s := &game[i]
		if i == len(game)-1 {
			next = float32(s.result) / 2
		} else {
			next = 1 - next
		}
		next = ahead*next + (1-ahead)*float32(sigmoid(float64(s.score)/eval.Pawns))
		s.target = next
	}
	for _, s := range game {
		if len(s.inputs) > 0 {
			list = append(list, s)
		}
	}
	return list
}
