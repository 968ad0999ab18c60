// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"boardd/cmd/boardd/live"
	"boardd/sync/club"
	"boardd/sync/lichess"
)

// tournament is tournament.json: how many games each round has, and how many of them are played now.
type tournament struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Location string  `json:"location,omitempty"`
	Rounds   []count `json:"rounds"`
}

type count struct {
	Count int `json:"count"`
	Live  int `json:"live"`
}

// report is status.json, for the organiser.
type report struct {
	club.Report
	Trouble   string          `json:"trouble"` // with the pairings, the folder or the broadcast
	Broadcast *lichess.Status `json:"broadcast,omitempty"`
}

// pushed adds the state of the broadcast.
func (r *report) pushed(s lichess.Status) {
	r.Broadcast = &s
	if s.Trouble != "" {
		r.Trouble = strings.TrimPrefix(r.Trouble+"; the broadcast: "+s.Trouble, "; ")
	}
	for i := range r.Tables {
		l := &r.Tables[i]
		if fault := s.Faults[l.Table]; fault != "" {
			l.Fault = strings.TrimPrefix(l.Fault+"; the broadcast does not take the game: "+fault, "; ")
		}
	}
}

// pushTo has the orthodox games of the round pushed to a broadcast.
func (p *program) pushTo(c *lichess.Client) {
	p.pusher = lichess.NewPusher(c, p.conf.ClubLichess, func() {
		select {
		case p.told <- struct{}{}:
		default: // it will be shown
		}
	})
}

// publish writes the changed files and serves them. The state is written first, because a restarted program must not
// know less than it has shown.
func (p *program) publish() {
	files := p.round.Files()
	folder := path.Base(filepath.ToSlash(p.folder))
	shown := map[string][]byte{}
	for name, data := range files {
		shown["/"+folder+"/"+name] = data
		shown["/"+name] = data // the round that is played now
	}
	about := p.round.Report()
	shown["/tournament.json"] = p.tournament(&about)
	state := filepath.Join(p.folder, stateFile)
	fault := p.write(state, p.round.Save())
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := p.write(filepath.Join(p.folder, name), files[name]); err != nil {
			fault = err
		}
	}
	for _, name := range []string{"tournament.json", "games.pgn", "orthodox.pgn"} {
		if err := p.write(filepath.Join(p.conf.ClubFolder, name), shown["/"+name]); err != nil {
			fault = err
		}
	}
	status := report{Report: about, Trouble: p.trouble}
	if fault != nil {
		p.log.Error("the files of the round are not written", "error", fault)
		status.Trouble = "club.dir: " + fault.Error()
	}
	if p.pusher != nil {
		p.pusher.Set(p.round.Orthodox())
		status.pushed(p.pusher.Status())
	}
	shown["/status.json"] = encoded(status)
	p.shown.Store(&shown)
}

// write replaces a file if its text has changed.
func (p *program) write(name string, data []byte) error {
	if old, ok := p.kept[name]; ok && bytes.Equal(old, data) {
		return nil
	}
	if err := live.Replace(name, data); err != nil {
		return err
	}
	p.kept[name] = data
	return nil
}

func (p *program) tournament(about *club.Report) []byte {
	n := &p.conf.Names
	t := tournament{ID: cmp.Or(n.Event, "club"), Name: cmp.Or(n.Event, "club"), Location: n.Site, Rounds: []count{}}
	paired := map[string]int{}
	for _, x := range p.pairings {
		paired[x.Round]++
	}
	last, err := strconv.Atoi(cmp.Or(p.round.Number(), "1"))
	if err != nil || last > 100 {
		last = 0 // rounds with names stand in folders of their own, and in no list
	}
	for i := 1; i <= last; i++ {
		c := count{Count: paired[strconv.Itoa(i)]}
		if i == last {
			c = count{Count: len(about.Tables)}
			for _, l := range about.Tables {
				if l.Online && l.Turn != "" {
					c.Live++
				}
			}
		}
		t.Rounds = append(t.Rounds, c)
	}
	return encoded(t)
}

func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("club: " + err.Error()) // types of this package
	}
	return append(data, '\n')
}
