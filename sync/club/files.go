// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"

	"boardd/rules/pgn"
)

// orthodox is the game that programs of others know.
const orthodox = "chess"

// Files returns the files of the round by name. games.pgn has all games, orthodox.pgn those of chess, and game-N.pgn
// and game-N.json one each. index.json and round.json have the pairings. results.csv and results.pgn are for the
// pairing program.
func (r *Round) Files() map[string][]byte {
	files := map[string][]byte{}
	var all, results bytes.Buffer
	index := roundJSON{Pairings: []pairingJSON{}}
	for _, n := range r.numbers() {
		t := r.tables[n]
		text := t.text
		if text == nil {
			text = r.bare(t)
		}
		all.Write(text)
		files[fmt.Sprintf("game-%d.pgn", n)] = text
		files[fmt.Sprintf("game-%d.json", n)] = encode(r.gameJSON(t))
		index.Pairings = append(index.Pairings, r.pairingJSON(t))
		if t.game != nil && index.Date == "" {
			index.Date = t.game.Date
		}
		results.Write(r.bare(t))
	}
	files["games.pgn"], files["results.pgn"], files["results.csv"] = all.Bytes(), results.Bytes(), r.results()
	_, texts := r.Orthodox()
	files["orthodox.pgn"] = bytes.Join(texts, nil)
	files["index.json"] = encode(index)
	files["round.json"] = files["index.json"]
	return files
}

// Orthodox returns the games of chess, for broadcasts at other sites, by table, each as its game file. Games that have
// not begun are included.
func (r *Round) Orthodox() (tables []int, texts [][]byte) {
	for _, n := range r.numbers() {
		t := r.tables[n]
		switch {
		case t.game == nil && t.pairing != nil:
			tables, texts = append(tables, n), append(texts, r.bare(t))
		case t.game != nil && t.game.Variant == orthodox:
			tables, texts = append(tables, n), append(texts, t.text)
		}
	}
	return tables, texts
}

// bare is the game of a table without its moves.
func (r *Round) bare(t *table) []byte {
	n := r.names(t, t.game)
	h := pgn.Header{
		Event: n.Event, Site: n.Site, Round: n.Round + "." + n.Table, White: n.White, Black: n.Black,
		WhiteTitle: n.WhiteTitle, BlackTitle: n.BlackTitle,
		WhiteFederation: n.WhiteFederation, BlackFederation: n.BlackFederation, WhiteFIDE: n.WhiteFIDE,
		BlackFIDE: n.BlackFIDE, Table: n.Table,
	}
	if n.Round == "" || strings.Contains(n.Round, ".") {
		h.Round = n.Round
	}
	if t.game != nil {
		h.Date = strings.ReplaceAll(t.game.Date, "-", ".")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n\n", pgn.Tags(h.Tags(), t.result()), t.result())
	return b.Bytes()
}

// result is the result of the game of a table, "*" while it is played.
func (t *table) result() string {
	switch {
	case t.pairing != nil && t.pairing.Result != "":
		return t.pairing.Result
	case t.game != nil && t.game.Outcome != "":
		return t.game.Outcome
	}
	return "*"
}

// results is the results as a table.
func (r *Round) results() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"round", "table", "white", "black", "result", "reason", "moves", "game"}}
	for _, n := range r.numbers() {
		t := r.tables[n]
		names := r.names(t, t.game)
		row := []string{names.Round, names.Table, names.White, names.Black, t.result(), "", "0", ""}
		if t.game != nil {
			row[5], row[6], row[7] = t.game.Reason, fmt.Sprint((len(t.game.Moves)+1)/2), t.game.Game
		}
		rows = append(rows, row)
	}
	w.WriteAll(rows) //nolint:errcheck // a buffer takes everything
	return b.Bytes()
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("club: " + err.Error()) // types of this package, never an input
	}
	return append(data, '\n')
}
