// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"reflect"
	"testing"

	"boardd/rules/say"
)

// TestFlawsHaveCodes: what is wrong with a position is said in English and by codes, whose arguments are those of
// reasons. Pieces are given by their letters, kinds and sides by their own marks, numbers without what is counted.
func TestFlawsHaveCodes(t *testing.T) {
	for _, c := range []struct {
		game, fen, english string
		want               []say.Part
	}{
		{"chess", "4k3/8/8/8/8/8/8/4K2P w - - 0 1", "placement, h1: white pawn on the first rank of its side",
			[]say.Part{{Code: "placement, %s: %v", Args: []string{"h1"}},
				{Code: "%s on the first rank of its side", Args: []string{"P"}}}},
		{"chess", "4k3/8/8/8/8/8/8/4K3 w", `fen "4k3/8/8/8/8/8/8/4K3 w": 2 fields, want placement, turn, castling and en ` +
			"passant, and perhaps half-move clock and move number",
			[]say.Part{{Code: "fen %q: %s, want placement, turn, castling and en passant, and perhaps half-move clock and " +
				"move number",
				Args: []string{"4k3/8/8/8/8/8/8/4K3 w", "2"}}}},
		{"superchess", "4k3/8/8/[NQ]7/8/8/8/4K3 w K - 0 1", "placement, a5: a knight is occupied, and only a rook can be\n" +
			"castling: K, but no white rook stands ready on h1",
			[]say.Part{{Code: "placement, %s: %v", Args: []string{"a5"}},
				{Code: "a %s is occupied, and only a rook can be", Args: []string{"=n"}},
				{Code: "castling: %s, but no %s %s stands ready on %s", Args: []string{"K", "white", "=r", "h1"}}}},
		{"chess", "4k3/8/8/8/8/8/8/3KR3 w - - 0 1", "side not to move in check: black king e8 attacked by the white rook " +
			"on e1", []say.Part{{Code: "side not to move in check: %s king %s attacked by the %s",
			Args: []string{"black", "e8", "R@e1"}}}},
		{"chess", "4k3/8/8/8/8/8/8/4K3 w - z9 0 1", `en passant: square "z9": want a file a-h and a rank 1-8, such as e4`,
			[]say.Part{{Code: "en passant: %v", Args: []string{}},
				{Code: "square %q: want a file a-h and a rank 1-8, such as e4", Args: []string{"z9"}}}},
	} {
		v, err := ByID(c.game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.ParseFEN(c.fen)
		got := say.Of(err)
		prefix := ""
		if len(c.want) > 1 || c.game == "chess" && c.want[0].Code[0] == 's' {
			prefix = `fen "` + c.fen + `" of ` + c.game + ": "
		}
		if got.English != prefix+c.english || !reflect.DeepEqual(got.Parts, c.want) {
			t.Errorf("%s: got %q %q, want %q %q", c.fen, got.English, got.Parts, prefix+c.english, c.want)
		}
	}
}
