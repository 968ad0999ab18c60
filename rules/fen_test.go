// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"
	"testing"
	"unsafe"
)

func sizeOf[T any]() uintptr { var v T; return unsafe.Sizeof(v) }

// TestFENNamesAllFaults: one reading finds everything that is wrong, with field and square.
func TestFENNamesAllFaults(t *testing.T) {
	_, err := locking.ParseFEN("4k3/8/8/8/3[PNB]4/8/8/P3Q3 x KX e9 -1 z")
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"placement, d4: more than two pieces", "placement, a1: white pawn on the first rank", "placement: 0 white kings",
		`turn "x"`, `castling "KX"`, `en passant: square "e9"`, `half-move clock "-1"`, `move number "z"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

// TestFENRefuses beyond the vectors: what is not a FEN at all.
func TestFENRefuses(t *testing.T) {
	for _, fen := range []string{
		"", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1",
		"4k3/8/8/8/8/8/8/4K[ w - - 0 1", "4k3/8/8/8/8/8/8/4K[]2 w - - 0 1", "4k3/8/8/8/8/8/8/4K[N]2 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K-2 w - - 0 1", "4k3/8/8/8/8/8/8/4K[N-]2 w - - 0 1", "4k3/8/8/8/8/8/8/4K[-N]2 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 w - - +1 1", "4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1", "9/8/8/8/8/8/8/8 w - - 0 1",
		"///////] 0 0 0 0 0", "4k3/8/8/8/8/8/8/4K]2 w - - 0 1",
	} {
		for _, v := range Variants() {
			if p, err := v.ParseFEN(fen); err == nil && !(v.Layered() && v.ID() == "flying" && strings.Contains(fen, "[-N]")) {
				t.Errorf("%s %q: accepted as %s", v, fen, p.FEN())
			}
		}
	}
}

// TestFENWritesBack what 2.1 tells it to change: move number 0, and a passed square without a legal capture.
func TestFENWritesBack(t *testing.T) {
	for _, c := range [][3]string{
		{"chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"chess", "4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"chess", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
		{"chess", "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
	} {
		p := position(t, c[0], c[1])
		if got := p.FEN(); got != c[2] {
			t.Errorf("%s: got %s, want %s", c[1], got, c[2])
		}
	}
}
