// SPDX-License-Identifier: Apache-2.0

package rules

import "testing"

// kiwipete is a position rich in everything a generator gets wrong (chessprogramming.org, "Perft Results").
const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// BenchmarkPerft counts leaves at the last ply (bulk).
func BenchmarkPerft(b *testing.B) { benchmarkPerft(b, Perft) }

// BenchmarkPlayed plays every leaf out.
func BenchmarkPlayed(b *testing.B) { benchmarkPerft(b, PerftByPlaying) }

func benchmarkPerft(b *testing.B, perft func(Position, int) uint64) {
	for _, v := range Variants() {
		kiwi, err := v.ParseFEN(kiwipete)
		if err != nil {
			b.Fatal(err)
		}
		for _, at := range []struct {
			name string
			p    Position
		}{{"start", v.Start()}, {"kiwipete", kiwi}} {
			b.Run(v.ID()+"/"+at.name, func(b *testing.B) {
				var n uint64
				for b.Loop() {
					n += perft(at.p, 4)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mnps")
			})
		}
	}
}
