// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/history"
	"boardd/sync/journal"

	"github.com/google/renameio/v2"
)

// salvage writes what can be saved of a journal into a new one.
func salvage(s cli.Std, args []string) error {
	f := flag.NewFlagSet("journal salvage", flag.ContinueOnError)
	where := stateFlags(f)
	format := f.Uint("format", journal.Version, "the version of the format to write: 1 for boardd up to 0.1")
	rest, err := cli.Parse(f, s, args)
	switch {
	case err != nil:
		return err
	case len(rest) != 1:
		return cli.Misuse("name the one new folder to write to")
	case *format < 1 || *format > journal.Version:
		return cli.Misuse("--format %d is unknown, want 1 to %d", *format, journal.Version)
	}
	dir, err := where()
	if err != nil || never(s, dir) {
		return err
	}
	records, _, err := journal.Read(dir, journal.Options{})
	if err != nil {
		return err
	}
	cut, err := journal.ReadSideFiles(dir, journal.Options{})
	if err != nil {
		return err
	}
	book := history.Read(records)
	earlier := book.Join(history.Read(cut)) // an older version cut off what stood behind a damage
	payloads, left, err := book.Write(uint32(*format), records)
	if err != nil {
		return err
	}
	if err := journal.Create(rest[0], journal.Options{}, uint32(*format), payloads); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "games in the new journal %s: %d", rest[0], len(book.Games))
	if earlier > 0 {
		fmt.Fprintf(s.Out, ", %d of them from what was cut off earlier", earlier)
	}
	fmt.Fprintln(s.Out)
	if left > 0 {
		fmt.Fprintf(s.Out, "left out, because version 0.1.0 does not know them: names that were changed in a game: %d\n",
			left)
	}
	for _, fault := range book.Faults() {
		fmt.Fprintln(s.Out, "damaged:", fault)
	}
	aside := book.Aside
	if n := len(book.Passed); n > 0 && *format == 1 {
		fmt.Fprintf(s.Out, "records that this version does not know, set aside: %d\n", n)
		aside = append(aside, history.Aside{Why: errors.New("its kind or version is unknown"), Records: book.Passed})
	} else if n > 0 {
		fmt.Fprintf(s.Out, "records that this version does not know, kept in their place: %d\n", n)
	}
	if len(aside) > 0 {
		name := filepath.Join(rest[0], "aside.jsonl")
		if err := renameio.WriteFile(name, asideLines(aside), 0o640); err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "what is set aside is in %s, a record a line\n", name)
	}
	fmt.Fprintf(s.Out, "To use it: stop boardd, move %s aside and put %s in its place. Nothing in the old one was "+
		"changed.\n", dir, rest[0])
	return nil
}

// setAside is a line of the file of what fits no game, or is not known.
type setAside struct {
	Game   string          `json:"game,omitempty"`
	Why    string          `json:"why"`
	Record json.RawMessage `json:"record,omitempty"`
	Text   string          `json:"text,omitempty"` // of a record that is no JSON
}

func asideLines(all []history.Aside) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, a := range all {
		for _, r := range a.Records {
			line := setAside{Game: a.Game, Why: a.Why.Error(), Record: r.Payload}
			if !json.Valid(r.Payload) {
				line.Record, line.Text = nil, strings.ToValidUTF8(string(r.Payload), "?")
			}
			e.Encode(line) //nolint:errcheck // a buffer takes everything
		}
	}
	return out.Bytes()
}
