// SPDX-License-Identifier: Apache-2.0

package club

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// exported is what a pairing program writes: games without moves.
const exported = `[Event "Open Haifa"]
[Site "Haifa"]
[Date "2026.11.23"]
[Round "3.1"]
[White "Polgar, Judit"]
[Black "Blunt, Rook"]
[WhiteTitle "GM"]
[WhiteFideId "700070"]
[WhiteElo "2675"]
[Result "*"]

*

[Event "Open Haifa"]
[Round "3.2"]
[White "Ivanov, Ivan"]
[Black "Levi, \"Leo\""]
[BlackFederation "ISR"]
[Result "1/2-1/2"]
[Round "3.3"]
[White "Alone"]
[Black "bye"]
[Result "1-0"]

1-0
[Event "Open Haifa"]
[Round "4"]
[Board "table-09"]
[White "A"]
[Black "B"]

1. e4 { [brackets in a comment } e5
[%clk is no tag either
*
`

func TestReadPairings(t *testing.T) {
	list, err := ReadPairings([]byte(exported))
	if err != nil {
		t.Fatal(err)
	}
	want := []Pairing{
		{Round: "3", Table: 1, Names: wire.Names{Event: "Open Haifa", Site: "Haifa", White: "Polgar, Judit",
			Black: "Blunt, Rook", WhiteTitle: "GM", WhiteFIDE: 700070}, line: 1},
		{Round: "3", Table: 2, Names: wire.Names{Event: "Open Haifa", White: "Ivanov, Ivan", Black: `Levi, "Leo"`,
			BlackFederation: "ISR"}, Result: "1/2-1/2", line: 14},
		{Round: "4", Table: 1, Names: wire.Names{Event: "Open Haifa", White: "A", Black: "B"}, Board: "table-09", line: 26},
	}
	if !slices.Equal(list, want) {
		t.Errorf("got\n%+v\nwant\n%+v", list, want)
	}
	for name, text := range map[string]string{
		"commas": "Table,White,Black,White Title,Result,Elo\n2,\"Polgar, Judit\",\"Müller, Jörg\",GM,,2675\n" +
			"1,C,D,,1-0,\n",
		"semicolons": "table;white;black;whitetitle;result\n2;Polgar, Judit;Müller, Jörg;GM;*\n1;C;D;;1-0\n",
		"tabs":       "no\twhite\tblack\twhite_title\tresult\n2\tPolgar, Judit\tM\xfcller, J\xf6rg\tGM\t?\n1\tC\tD\t\t1-0\n",
		"a mark":     "\ufeffno;white;black;white_title;result\r\n2;Polgar, Judit;Müller, Jörg;GM;\r\n1;C;D;;1-0\r\n",
	} {
		list, err := ReadPairings([]byte(text))
		want := []Pairing{{Table: 2, Names: wire.Names{White: "Polgar, Judit", WhiteTitle: "GM", Black: "Müller, Jörg"},
			line: 2}, {Table: 1, Names: wire.Names{White: "C", Black: "D"}, Result: "1-0", line: 3}}
		if err != nil || !slices.Equal(list, want) {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
	}
}

// TestPairingsRefused: each fault is reported with its line and what would be right.
func TestPairingsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                         "no line of column names",
		"table,white\n1,A\n":                                       "want white and black",
		"table,white,black\n":                                      "no pairing in it",
		"table,white,black\nx,A,B\n":                               `line 2: table "x": want a number`,
		"table,white,black\n1,A,B\n1,C,D\n":                        "line 3: table 1 is that of line 2 as well",
		"table,white,black\n1,Polgar, Judit,B\n":                   "stand in quotes",
		"table,white,black,result\n1,A,B,2-0\n":                    `result "2-0": want 1-0`,
		"round,table,white,black\na/b,1,A,B\n":                     "names a folder",
		"table,white,black,seat\n1,A,B,Table 7\n":                  `'T' is not allowed`,
		"table,white,black,seat\n1,A,B,north\n2,C,D,north":         "line 3: board north is at the table of line 2 as well",
		"table,white,black\n1," + strings.Repeat("x", 65) + ",B\n": "at most 64 bytes",
		"[White \"A\"\n[Black \"B\"]\n":                            "line 1: \"[White \\\"A\\\"\" is no tag",
		"[Round \"3.x\"]\n[White \"A\"]\n[Black \"B\"]\n":          `line 1: round "3.x": want the number`,
		"[White \"A\"]\n[Black \"B\"]\n[WhiteFideId \"-4\"]\n":     "want a number",
	} {
		if list, err := ReadPairings([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, list, err, want)
		}
	}
	if _, err := ReadPairings(make([]byte, maxFile+1)); err == nil {
		t.Error("a file without end was read")
	}
}

func FuzzReadPairings(f *testing.F) {
	f.Add([]byte(exported))
	f.Add([]byte("table;white;black\n1;A;B\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ReadPairings(data)
		if err != nil {
			return
		}
		r := New(Options{Pairings: list})
		for name, text := range r.Files() {
			if len(text) == 0 && name != "games.pgn" {
				t.Errorf("%s is empty", name)
			}
		}
		for _, p := range list {
			if p.Table < 1 || p.Names.White == "" || p.Names.Black == "" {
				t.Errorf("taken: %+v", p)
			}
		}
		_ = fmt.Sprint(r.Report())
	})
}
