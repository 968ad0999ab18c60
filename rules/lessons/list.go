// SPDX-License-Identifier: Apache-2.0

package lessons

// Lesson is one thing to learn about a game, shown by moves that the rules allow and one that they do not.
type Lesson struct {
	Key      string   // by which its words are found
	Game     string   // id of the rule set
	Sections []string // of RULES.md
	FEN      string   // "" for the usual array
	Moves    string   // in coordinate form
	Try      string   // from and to of a move that is then not legal, "" for none
}

// List is every lesson, by game in the order of RULES.md.
func List() []Lesson {
	return []Lesson{
		{"chess-begin", "chess", []string{"1", "8"}, "", "e2e4 e7e5 g1f3 b8c6 f1b5", ""},
		{"chess-passing", "chess", nil, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", ""},
		{"chess-castle", "chess", nil, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", ""},
		{"chess-pinned", "chess", nil, "4r1k1/8/8/8/8/8/4N3/R3K3 w Q - 0 1", "", "e2c3"},

		{"locking-lock", "locking", []string{"3.1"}, "4k3/8/3b4/8/8/3[PR]4/8/4K3 w - - 0 1", "d3d6*", "d6c5"},
		{"locking-climb", "locking", []string{"3.2"}, "4k3/8/8/8/8/NN6/P7/4K3 w - - 0 1", "a2a3*", ""},
		{"locking-below", "locking", []string{"3.2"}, "4k3/8/8/[pN]2Q4/8/8/8/4K3 w - - 0 1", "d5a5*", ""},
		{"locking-knight", "locking", []string{"3.2"}, "4k3/8/8/3[Pr]4/8/2NR4/8/4K3 w - - 0 1", "", "d3d5"},
		{"locking-overlaid", "locking", []string{"3.3"}, "4k3/3[pb]4/8/8/1pn[PR]4/8/8/4K3 w - - 0 1", "d4b4*", ""},
		{"locking-step", "locking", []string{"3.3", "3.6"}, "4k3/8/8/8/3[NP]4/8/8/4K3 w - - 0 1", "", "d4d6"},
		{"locking-passing", "locking", []string{"3.4"}, "4k3/8/8/8/3[Np]4/8/4P3/4K3 w - - 0 1", "e2e4 d4e3*", ""},
		{"locking-castlock", "locking", []string{"3.5"}, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1*", ""},
		{"locking-check", "locking", []string{"3.7", "3.9"}, "4k3/8/8/[PR]3r3/8/8/8/4K3 w - - 0 1", "a5e5*", ""},
		{"locking-approach", "locking", []string{"3.8"}, "8/8/8/8/8/6[kb]1/8/4K3 w - - 0 1", "", "e1f2"},

		{"meirav-bury", "meirav", []string{"4.1"}, "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5 e8e7 d5h5", ""},
		{"meirav-bottom", "meirav", []string{"4.2"}, "4k3/8/[nP]7/8/8/2p5/[RB]7/4K3 w - - 0 1", "a2a6_", ""},
		{"meirav-buried", "meirav", []string{"4.2", "4.6", "4.7"}, "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "", "d4d5"},
		{"meirav-uncover", "meirav", []string{"4.3"}, "4k3/8/8/8/8/3[nR]4/8/4K3 w - - 0 1", "", "d3d5"},
		{"meirav-passing", "meirav", []string{"4.4"}, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", ""},
		{"meirav-pawn", "meirav", []string{"4.5"}, "4k3/8/8/8/8/8/[Pr]7/4K3 b - - 0 1", "a2a8 a2a4", ""},

		{"pillar-under", "pillar", []string{"5.1"}, "4k3/8/8/3[pn]4/8/8/8/3[rQ]K3 w - - 0 1", "d1d5", ""},
		{"pillar-owner", "pillar", []string{"5.1"}, "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "", "d4d5"},
		{"pillar-split", "pillar", []string{"5.2"}, "4k3/8/3p4/8/8/8/8/3[nRR]K3 w - - 0 1", "d1d6:1", ""},
		{"pillar-pawn", "pillar", []string{"5.3"}, "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a1a3", ""},
		{"pillar-left", "pillar", []string{"5.3", "5.4", "5.5"}, "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "a8b8"},
		{"pillar-liberal", "pillar-liberal", []string{"5.2"}, "4k3/8/8/8/8/2n5/8/3[nR]K3 w - - 0 1", "d1c1:1 d1b2", ""},

		{"superchess-occupy", "superchess", []string{"6.2"}, "4k3/8/5r2/8/8/2B5/8/R3K3 w Q - 0 1", "c3f6*", ""},
		{"superchess-occupied", "superchess", []string{"6.1"}, "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "", "d4d5"},
		{"superchess-rook", "superchess", []string{"6.2"}, "4k3/8/8/8/3R4/8/3R4/4K3 w - - 0 1", "", "d2d4"},
		{"superchess-unit", "superchess", []string{"6.3"}, "4k3/8/8/8/3[RN]4/8/8/4K3 w - - 0 1", "d4a4 e8e7 a4b6", ""},
		{"superchess-leave", "superchess", []string{"6.4"}, "4k3/8/8/8/3[rB]4/8/8/4K3 w - - 0 1", "d4g7:1", ""},
		{"superchess-capture", "superchess", []string{"6.5"}, "4k3/8/5[rn]2/8/8/2B5/8/4K3 w - - 0 1", "c3f6*", ""},
		{"superchess-pawn", "superchess", []string{"6.6"}, "4k3/8/8/8/3[RP]4/8/8/4K3 w - - 0 1", "d4d5:1", ""},
		{"superchess-check", "superchess", []string{"6.7", "6.8"}, "4k3/7B/8/8/4r3/8/8/4K3 w - - 0 1", "h7e4*", ""},

		{"flying-rook", "flying", []string{"7.1", "7.3"}, "4k3/8/8/8/8/p7/8/R3K3 w Q - 0 1", "a1a3^ e8e7 a3^h3^ e7e8 h3^h3",
			""},
		{"flying-ground", "flying", []string{"7.2"}, "4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "", "d4d4"},
		{"flying-bishop", "flying", []string{"7.3"}, "4k3/8/5p2/8/3B4/8/8/4K3 w - - 0 1", "d4d4^ e8e7 d4^f6", ""},
		{"flying-knight", "flying", []string{"7.3"}, "4k3/8/4[-b]3/8/3[-N]4/1p6/8/4K3 w - - 0 1", "d4^b3", ""},
		{"flying-headbutt", "flying", []string{"7.4"}, "4k3/8/8/8/8/8/8/3QK2[Rn] w - - 0 1", "h1xh1^", ""},
		{"flying-mate", "flying", []string{"7.5", "7.6"}, "", "f1f1^ a7a6 f1^b5^", ""},
	}
}
