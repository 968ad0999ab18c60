// SPDX-License-Identifier: Apache-2.0

package club

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/corentings/chess/v2"

	"boardd/rules"
	"boardd/sync/wire"
)

// message is a game as a board says it.
func message(t *testing.T, id, variant string, moves ...string) *wire.Game {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	m := &wire.Game{Schema: wire.Schema, Game: id, Variant: variant, Seats: wire.Seats{White: "local", Black: "local"},
		Start: p.FEN(), Date: "2026-11-23",
		Clock: &wire.Clock{White: 3_599_500, Black: 3_590_000, Running: "white", At: "2026-11-23T18:00:00.000Z"}}
	for i, text := range moves {
		move, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		m.Moves, m.SAN, m.Clocks = append(m.Moves, p.Coord(move)), append(m.SAN, p.SAN(move)),
			append(m.Clocks, int64(3_600_000-1000*i))
		p.Play(move)
	}
	m.FEN, m.Turn = p.FEN(), p.Turn().String()
	return m
}

// over ends a game.
func over(m *wire.Game, outcome string) *wire.Game {
	n := *m
	n.Outcome, n.Reason = outcome, "resignation"
	return &n
}

// paired is a round of two tables.
func paired() *Round {
	return New(Options{Event: "Open", Number: "3", Pairings: []Pairing{
		{Round: "3", Table: 1, Names: wire.Names{White: "Polgar, Judit", WhiteTitle: "GM", WhiteFIDE: 700070, Black: "B"}},
		{Round: "3", Table: 2, Names: wire.Names{White: "C", Black: "D"}},
	}})
}

// moves returns the moves of a table in its game file.
func moves(t *testing.T, r *Round, name string) string {
	t.Helper()
	_, text, _ := strings.Cut(string(r.Files()[name]), "\n\n")
	var words []string
	for _, w := range strings.Fields(text) {
		if !strings.HasPrefix(w, "{") && !strings.HasSuffix(w, "}") {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// TestFeedGoesBackOnlyWhereItIsRight goes through the messages of a table, and checks the feed after each.
func TestFeedGoesBackOnlyWhereItIsRight(t *testing.T) {
	r := paired()
	say := func(what string, m *wire.Game, want, fault string) {
		t.Helper()
		r.Hear("table-1", m)
		if got := moves(t, r, "game-1.pgn"); got != want {
			t.Errorf("%s: the feed says %q, want %q", what, got, want)
		}
		if got := r.Report().Tables[0].Fault; !strings.Contains(got, fault) || fault == "" && strings.Contains(got, "game") {
			t.Errorf("%s: the organiser is told %q, want %q", what, got, fault)
		}
	}
	taken := func(m *wire.Game, n int) *wire.Game { m.Takebacks = n; return m }
	r.Online("table-1", true)
	say("the game of the last round", over(message(t, "a", "chess", "d4"), "1-0"), "*", "over before the round began")
	say("the array", message(t, "b", "chess"), "*", "")
	say("a move", message(t, "b", "chess", "e4"), "1.e4 *", "")
	say("more", message(t, "b", "chess", "e4", "e5", "Nf3"), "1.e4 1...e5 2.Nf3 *", "")
	say("an old message", message(t, "b", "chess", "e4"), "1.e4 1...e5 2.Nf3 *", "")
	say("a game from before", message(t, "a", "chess", "d4", "d5"), "1.e4 1...e5 2.Nf3 *", "")
	say("other moves", message(t, "b", "chess", "e4", "c5", "Nf3", "d6"), "1.e4 1...e5 2.Nf3 *",
		"other moves than before")
	say("a correction", taken(message(t, "b", "chess", "e4", "e5", "Nc3"), 1), "1.e4 1...e5 2.Nc3 *", "")
	say("what it was corrected from", message(t, "b", "chess", "e4", "e5", "Nf3", "Nc6"), "1.e4 1...e5 2.Nc3 *", "")
	nonsense := taken(message(t, "b", "chess", "e4", "e5", "Nc3"), 1)
	nonsense.Moves = append(nonsense.Moves, "a1a8")
	say("a move that is not legal", nonsense, "1.e4 1...e5 2.Nc3 *", "is no game: move 4")
	say("begun anew", message(t, "c", "chess", "c4"), "1.c4 *", "")
	lost := message(t, "0000000000-abcdef", "chess")
	say("a board that lost its card", lost, "1.c4 *", "")
	say("and goes on playing", message(t, "0000000000-abcdef", "chess", "g3"), "1.g3 *", "")
	say("a game begun by people", message(t, "d", "chess", "f3"), "1.f3 *", "")
	say("resigned", over(message(t, "d", "chess", "f3"), "0-1"), "1.f3 0-1", "")
	say("before that", message(t, "d", "chess", "f3"), "1.f3 0-1", "")
	say("a game after it", message(t, "e", "chess", "h4"), "1.f3 0-1", "another one is on the board")
	say("the end taken back", taken(message(t, "d", "chess", "f3"), 1), "1.f3 *", "")
}

// TestNamedGameCounts: the arbiter may say in the pairings which game counts, and its result.
func TestNamedGameCounts(t *testing.T) {
	o := Options{Number: "1", Pairings: []Pairing{{Table: 1, Names: wire.Names{White: "A", Black: "B"}, Game: "e"}}}
	r := New(o)
	r.Hear("t1", over(message(t, "d", "chess", "f3"), "0-1"))
	if got := moves(t, r, "game-1.pgn"); got != "*" {
		t.Errorf("a game that is not named: %s", got)
	}
	r.Hear("t1", over(message(t, "e", "chess", "h4"), "1-0"))
	if got := moves(t, r, "game-1.pgn"); got != "1.h4 1-0" {
		t.Errorf("the named game: %s", got)
	}
	o.Pairings[0].Result = "1/2-1/2"
	r = New(o)
	r.Hear("t1", over(message(t, "e", "chess", "h4"), "1-0"))
	if got := moves(t, r, "game-1.pgn"); got != "1.h4 1/2-1/2" {
		t.Errorf("the arbiter's result: %s", got)
	}
	if got := string(r.Files()["results.csv"]); !strings.Contains(got, "1,1,A,B,1/2-1/2,resignation,1,e\n") {
		t.Errorf("results.csv:\n%s", got)
	}
}

// TestFiles: the files of a round are what the viewers of broadcasts read.
func TestFiles(t *testing.T) {
	r := paired()
	r.Online("table-1", true)
	r.Hear("table-1", message(t, "b", "chess", "e4", "e5"))
	files := r.Files()
	if string(files["index.json"]) != string(files["round.json"]) {
		t.Error("index.json and round.json differ")
	}
	want := `{"date":"2026-11-23","pairings":[` +
		`{"white":{"fname":"Judit","mname":null,"lname":"Polgar","title":"GM","federation":null,"fideid":700070},"black":{"fname":null,"mname":null,"lname":"B","title":null,"federation":null,"fideid":null},"result":"*","live":true},` +
		`{"white":{"fname":null,"mname":null,"lname":"C","title":null,"federation":null,"fideid":null},"black":{"fname":null,"mname":null,"lname":"D","title":null,"federation":null,"fideid":null},"result":"*","live":false}]}` + "\n"
	if got := string(files["index.json"]); got != want {
		t.Errorf("index.json\n%s\nwant\n%s", got, want)
	}
	want = `{"live":true,"serialNr":"table-1","moves":["e4 3600","e5 3599"],"result":null,"clock":{"white":3599,"black":3590,"time":1795456800000},"chess960":518}` + "\n"
	if got := string(files["game-1.json"]); got != want {
		t.Errorf("game-1.json\n%s\nwant\n%s", got, want)
	}
	if got := string(files["game-2.json"]); !strings.Contains(got, `"moves":[]`) {
		t.Errorf("game-2.json of a table where nothing is played yet: %s", got)
	}
	r.Hear("table-2", message(t, "b", "locking", "e4", "d5", "Bg2*"))
	if got := string(r.Files()["game-2.json"]); !strings.Contains(got, `"moves":[]`) ||
		!strings.Contains(got, `"variant":"locking"`) {
		t.Errorf("game-2.json of a game that others do not know: %s", got)
	}
	if tables, _ := r.Orthodox(); len(tables) != 1 || tables[0] != 1 {
		t.Errorf("broadcasts of others get the tables %v", tables)
	}
	if files := r.Files(); string(files["orthodox.pgn"]) != string(files["game-1.pgn"]) ||
		string(files["games.pgn"]) != string(files["game-1.pgn"])+string(files["game-2.pgn"]) {
		t.Errorf("orthodox.pgn is\n%s\nand games.pgn\n%s", files["orthodox.pgn"], files["games.pgn"])
	}
	r.Hear("table-2", over(message(t, "c", "chess", "d4"), "1/2-1/2"))
	read := chess.NewScanner(strings.NewReader(string(r.Files()["games.pgn"])))
	for n, want := range [][3]string{{"3.1", "Polgar, Judit", "*"}, {"3.2", "C", "1/2-1/2"}} {
		g, err := read.ParseNext()
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]string{g.GetTagPair("Round"), g.GetTagPair("White"), g.GetTagPair("Result")}; got != want {
			t.Errorf("game %d is %v, want %v", n+1, got, want)
		}
	}
	if !json.Valid(r.Save()) {
		t.Error("what is saved is no JSON")
	}
}

// TestSaved: a restarted program shows what it showed before, even if a board's first message is an old one.
func TestSaved(t *testing.T) {
	r := paired()
	r.Hear("table-1", message(t, "b", "chess"))
	r.Hear("table-1", over(message(t, "b", "chess", "e4", "e5"), "1-0"))
	again := paired()
	if err := again.Restore(r.Save()); err != nil {
		t.Fatal(err)
	}
	again.Hear("table-1", message(t, "b", "chess", "e4"))
	if got, want := string(again.Files()["games.pgn"]), string(r.Files()["games.pgn"]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, rubbish := range []string{"", "[]", `{"table-1":{}}`,
		`{"table-1":{"schema":1,"game":"x","variant":"chess","start":"nonsense"}}`} {
		if err := paired().Restore([]byte(rubbish)); err == nil {
			t.Errorf("%q was taken up", rubbish)
		}
	}
}

// TestOrders: boards are told who plays, while their game goes on, and not again and again.
func TestOrders(t *testing.T) {
	r, now := paired(), time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)
	orders := func(after time.Duration) (n int) {
		now = now.Add(after)
		list := r.Orders(now)
		for _, o := range list {
			if o.Board != "table-1" || o.Names.White != "Polgar, Judit" || o.Names.Round != "3" || o.Names.Table != "1" ||
				o.Names.Event != "Open" {
				t.Errorf("order %+v", o)
			}
		}
		return len(list)
	}
	m := message(t, "b", "chess")
	r.Hear("table-1", over(message(t, "a", "chess", "d4"), "1-0"))
	if n := orders(0); n != 0 {
		t.Error("told to a board that is away, of a game that is over")
	}
	r.Online("table-1", true)
	r.Hear("table-1", m)
	if a, b, c := orders(0), orders(time.Second), orders(nameAgain); a != 1 || b != 0 || c != 1 {
		t.Errorf("told %d, %d and %d times", a, b, c)
	}
	r.Refused("table-1", "mqtt.commands")
	if n := orders(nameAgain); n != 0 || !strings.Contains(r.Report().Tables[0].Fault, "mqtt.commands") {
		t.Errorf("told %d times after a refusal; the organiser sees %q", n, r.Report().Tables[0].Fault)
	}
	if n := orders(refusedAgain); n != 1 {
		t.Errorf("told %d times five minutes later", n)
	}
	named := *m
	names := r.names(r.tables[1], m)
	named.Names = &names
	r.Hear("table-1", &named)
	if n := orders(refusedAgain); n != 0 || r.Report().Tables[0].Fault != "" {
		t.Errorf("told %d times what it shows; %q", n, r.Report().Tables[0].Fault)
	}
}

// TestNamesOfTheBoard: the event and the place stay as the owner of the board has set them, unless the pairings or the
// club say otherwise.
func TestNamesOfTheBoard(t *testing.T) {
	r := New(Options{Number: "3", Pairings: []Pairing{{Round: "3", Table: 1, Names: wire.Names{White: "A", Black: "B"}}}})
	m := message(t, "b", "chess")
	m.Names = &wire.Names{Event: "Club evening", Site: "Haifa", White: "somebody"}
	r.Online("table-1", true)
	r.Hear("table-1", m)
	list := r.Orders(time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC))
	if want := (wire.Names{Event: "Club evening", Site: "Haifa", Round: "3", Table: "1", White: "A",
		Black: "B"}); len(list) != 1 || list[0].Names != want {
		t.Errorf("told %+v, want %+v", list, want)
	}
	if got := string(r.Files()["games.pgn"]); !strings.Contains(got, `[Event "Club evening"]`) ||
		!strings.Contains(got, `[Site "Haifa"]`) {
		t.Errorf("the file says\n%s", got)
	}
}

// TestPlaces: which board is at which table.
func TestPlaces(t *testing.T) {
	named := New(Options{Boards: []string{"oslo", "rome"}})
	loose := New(Options{})
	for _, b := range []string{"rome", "table-02", "wall", "oslo", "x-2"} {
		named.Hear(b, message(t, "a", "chess"))
		loose.Hear(b, message(t, "a", "chess"))
	}
	two := paired()
	two.Hear("table-9", message(t, "a", "chess"))
	two.Hear("b1", message(t, "a", "chess"))
	two.Hear("c01", message(t, "a", "chess"))
	for what, c := range map[string]struct {
		r    *Round
		want string
	}{
		"named": {named, "1 oslo, 2 rome; table-02, wall, x-2"},
		"loose": {loose, "1 rome, 2 table-02, 3 wall, 4 oslo; x-2"},
		"two":   {two, "1 b1, 2 ; c01, table-9"},
	} {
		rep := c.r.Report()
		var at, spare []string
		for _, l := range rep.Tables {
			at = append(at, seconds(int64(l.Table)*1000)+" "+l.Board)
		}
		for _, s := range rep.Spare {
			spare = append(spare, s.Board)
		}
		if got := strings.Join(at, ", ") + "; " + strings.Join(spare, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

// TestSimul: one against all is counted from that one's side, whichever color it has.
func TestSimul(t *testing.T) {
	line := func(white, black, result string) Line { return Line{White: white, Black: black, Result: result} }
	all := []Line{line("P", "a", "1-0"), line("b", "P", "1-0"), line("P", "c", "1/2-1/2"), line("P", "d", "*"),
		line("e", "P", "0-1")}
	if got := simul(all); got == nil || *got != (Simul{"P", 2, 1, 1, 1}) {
		t.Errorf("got %+v", got)
	}
	for _, none := range [][]Line{all[:2], append(all[:3:3], line("x", "y", "*")),
		{line("", "", "*"), line("", "", "*"), line("", "", "*")}} {
		if got := simul(none); got != nil {
			t.Errorf("%+v: got %+v", none, got)
		}
	}
}

// TestSignatures: the file of a game has what both sides signed, so that it can be verified who made its moves.
func TestSignatures(t *testing.T) {
	r := New(Options{})
	m := message(t, "g1", "chess", "e4", "e5")
	m.Seals = &wire.Seals{White: &wire.Seal{Ply: 1, Key: "S2V5", Sig: "U2ln"},
		Black: &wire.Seal{Ply: 2, Takebacks: 3, Outcome: "1-0", Reason: "time", Key: "S2V5", Sig: "U2ln"}}
	r.Hear("north-1", m)
	text := string(r.Files()["game-1.pgn"])
	for _, want := range []string{`[WhiteSeal "1 0 - - S2V5 U2ln"]`, `[BlackSeal "2 3 1-0 time S2V5 U2ln"]`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("got no %s in\n%s", want, text)
		}
	}
}
