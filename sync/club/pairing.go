// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardd/sync/wire"
)

// Pairing is who plays whom at a table.
type Pairing struct {
	Round  string
	Table  int // number in the round, from 1
	Names  wire.Names
	Board  string // the board at that table; "" when the number says it
	Result string // as the arbiter says; "": as played
	Game   string // id of the game that counts; "": the one that is played
	line   int    // of the file
}

// maxFile is the size of the largest file of pairings, in bytes.
const maxFile = 1 << 20

// maxTables is how many pairings a file may hold.
const maxTables = 2000

// ReadPairings reads pairings: PGN without moves, as pairing programs write it, or CSV with a line of column names.
// The error joins everything that is wrong, with its lines.
func ReadPairings(data []byte) ([]Pairing, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("the pairings are larger than %d bytes", maxFile)
	}
	text := strings.TrimPrefix(decoded(data), "\ufeff")
	var list []Pairing
	var err error
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		list, err = readTags(text)
	} else {
		list, err = readTable(text)
	}
	if err == nil {
		err = check(list)
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// decoded is a text in UTF-8. Older programs write Windows-1252, whose letters are those of Latin-1.
func decoded(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b bytes.Buffer
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// check returns an error that joins all faults of pairings.
func check(list []Pairing) error {
	var faults []error
	fault := func(p *Pairing, format string, args ...any) {
		faults = append(faults, fmt.Errorf("line %d: "+format, append([]any{p.line}, args...)...))
	}
	if len(list) == 0 {
		return errors.New("there is no pairing in it: want PGN without moves, or CSV with the columns table, white " +
			"and black")
	}
	if len(list) > maxTables {
		return fmt.Errorf("%d pairings: at most %d are taken", len(list), maxTables)
	}
	taken, held := map[string]int{}, map[string]int{}
	for i := range list {
		p := &list[i]
		n := &p.Names
		at := fmt.Sprintf("table %d of round %s", p.Table, p.Round)
		if p.Round == "" {
			at = fmt.Sprintf("table %d", p.Table)
		}
		if p.Table < 1 || p.Table > maxTables {
			fault(p, "table %d: want a number from 1 to %d", p.Table, maxTables)
		} else if other, ok := taken[at]; ok {
			fault(p, "%s is that of line %d as well", at, other)
		}
		taken[at] = p.line
		for what, text := range map[string]string{"round": p.Round, "event": n.Event, "site": n.Site, "white": n.White,
			"black": n.Black, "white's title": n.WhiteTitle, "black's title": n.BlackTitle,
			"white's federation": n.WhiteFederation, "black's federation": n.BlackFederation, "game": p.Game} {
			if len(text) > wire.MaxName || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
				fault(p, "%s %.80q: want at most %d bytes in one line", what, text, wire.MaxName)
			}
		}
		if strings.ContainsAny(p.Round, "/\\") || strings.HasPrefix(p.Round, ".") {
			fault(p, "round %q: it names a folder: want letters and digits", p.Round)
		}
		if p.Result != "" && !slices.Contains([]string{"1-0", "0-1", "1/2-1/2"}, p.Result) {
			fault(p, "result %q: want 1-0, 0-1, 1/2-1/2, or * while it is played", p.Result)
		}
		if p.Board == "" {
			continue
		}
		if err := wire.CheckBoard(p.Board); err != nil {
			fault(p, "%v", err)
		} else if other, ok := held[p.Round+" "+p.Board]; ok {
			fault(p, "board %s is at the table of line %d as well", p.Board, other)
		}
		held[p.Round+" "+p.Board] = p.line
	}
	return errors.Join(faults...)
}

// set fills in one value by the name of its tag or column, in lower case without spaces and underscores. It reports
// whether the name is known.
func (p *Pairing) set(name, value string) (known bool, err error) {
	n := &p.Names
	number := func(into *int) error {
		if value == "" || value == "?" {
			return nil
		}
		v, err := strconv.Atoi(value)
		if err != nil || v < 0 {
			return fmt.Errorf("%s %q: want a number", name, value)
		}
		*into = v
		return nil
	}
	text := map[string]*string{
		"event": &n.Event, "site": &n.Site, "white": &n.White, "black": &n.Black, "whitetitle": &n.WhiteTitle,
		"blacktitle":      &n.BlackTitle,
		"whitefederation": &n.WhiteFederation, "blackfederation": &n.BlackFederation, "whitefed": &n.WhiteFederation,
		"blackfed":         &n.BlackFederation,
		"whiteteamcountry": &n.WhiteFederation, "blackteamcountry": &n.BlackFederation, "gameid": &p.Game, "game": &p.Game,
		"seat": &p.Board, "boardid": &p.Board,
	}[name]
	switch name {
	case "round":
		return true, p.round(value)
	case "board":
		if strings.Trim(value, "0123456789?") != "" {
			p.Board = value // a board's name
			return true, nil
		}
		return true, number(&p.Table)
	case "table", "no", "bo", "bo.", "no.":
		return true, number(&p.Table)
	case "whitefideid", "whitefide":
		return true, number(&n.WhiteFIDE)
	case "blackfideid", "blackfide":
		return true, number(&n.BlackFIDE)
	case "result":
		if value != "*" && value != "?" {
			p.Result = strings.NewReplacer("½-½", "1/2-1/2", "½", "1/2-1/2").Replace(value)
		}
		return true, nil
	}
	if text == nil {
		return false, nil
	}
	if value != "?" {
		*text = value
	}
	return true, nil
}

// round reads "3", or "3.7", which is table 7 of round 3.
func (p *Pairing) round(value string) error {
	if value == "?" || value == "-" {
		return nil
	}
	round, table, both := strings.Cut(value, ".")
	p.Round = round
	if !both {
		return nil
	}
	n, err := strconv.Atoi(table)
	if err != nil || n < 1 {
		return fmt.Errorf("round %q: want the number of the round, or round and table such as 3.7", value)
	}
	p.Table = n
	return nil
}

// bye reports whether nobody plays at the table.
func (p *Pairing) bye() bool {
	for _, name := range []string{p.Names.White, p.Names.Black} {
		if name == "" || slices.Contains([]string{"bye", "spielfrei", "exempt", "libre", "not paired"},
			strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// number gives pairings without a table the first that is free in their round, in the order of the file.
func number(list []Pairing) {
	taken := map[string]map[int]bool{}
	of := func(round string) map[int]bool {
		if taken[round] == nil {
			taken[round] = map[int]bool{}
		}
		return taken[round]
	}
	for _, p := range list {
		of(p.Round)[p.Table] = true
	}
	for i := range list {
		p := &list[i]
		for n := 1; p.Table == 0; n++ {
			if !of(p.Round)[n] {
				p.Table = n
			}
		}
		of(p.Round)[p.Table] = true
	}
}
