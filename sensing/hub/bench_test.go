// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"testing"

	"boardd/sensing/hub/protocol"
)

// BenchmarkFrame is one frame of weights from its bytes to milligrams.
func BenchmarkFrame(b *testing.B) {
	h := New(Opts{Path: "none"})
	s := &session{h: h}
	lines := [2][]byte{protocol.AppendWeights(nil, &protocol.Weights{Seq: 1}),
		protocol.AppendWeights(nil, &protocol.Weights{Seq: 2})}
	for i := 0; b.Loop(); i++ {
		s.dec.Feed(lines[i&1], s.packet)
		if len(s.found) != 1 {
			b.Fatal("no reading")
		}
		s.found = s.found[:0]
	}
}
