// SPDX-License-Identifier: Apache-2.0

package club

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"boardd/config"
	"boardd/config/size"
	"boardd/sync/club"
	"boardd/sync/lichess"
	"boardd/sync/wire"
)

type command = wire.Command

// program is the organiser's program. Its loop owns everything except what is atomic.
type program struct {
	conf      *config.Config
	spectator spectator
	log       *slog.Logger
	inbox     *inbox

	pusher *lichess.Pusher // nil: nothing is pushed
	told   chan struct{}   // capacity 1: its status has changed

	round    *club.Round
	folder   string                            // of the round
	pairings []club.Pairing                    // of all rounds
	paired   time.Time                         // when the file of pairings last changed
	size     int64                             // its size then
	trouble  string                            // what is wrong with the pairings or the folder
	latest   map[string]*news                  // of each board
	kept     map[string][]byte                 // files as they were written last
	orders   map[string]string                 // by the id of a command: the board that it went to
	sent     int                               // commands so far
	shown    atomic.Pointer[map[string][]byte] // the files that are served, by path
}

// open begins or resumes the round.
func open(c *config.Config, h spectator, log *slog.Logger) (*program, error) {
	p := &program{conf: c, spectator: h, log: log, inbox: newInbox(), latest: map[string]*news{},
		kept:   map[string][]byte{},
		orders: map[string]string{}, told: make(chan struct{}, 1)}
	if err := os.MkdirAll(c.ClubFolder, 0o755); err != nil {
		return nil, fmt.Errorf("club.dir: %w", err)
	}
	if c.ClubPairings != "" {
		if p.pair(); p.trouble != "" {
			return nil, errors.New(p.trouble)
		}
	} else if err := p.begin(nil); err != nil {
		return nil, err
	}
	p.publish()
	return p, nil
}

// pair reads the pairings again if the file has changed, and reports whether the round has to be shown again. A file
// with faults changes nothing.
func (p *program) pair() (changed bool) {
	if p.conf.ClubPairings == "" {
		return false
	}
	info, err := os.Stat(p.conf.ClubPairings)
	if err == nil && info.ModTime().Equal(p.paired) && info.Size() == p.size {
		return false
	}
	var data []byte
	if err == nil {
		p.paired, p.size = info.ModTime(), info.Size()
		data, err = size.Read(p.conf.ClubPairings, size.Kept)
	}
	var list []club.Pairing
	if err == nil {
		list, err = club.ReadPairings(data)
	}
	if err == nil {
		err = p.begin(list)
	}
	before := p.trouble
	if p.trouble = ""; err != nil {
		p.trouble = fmt.Sprintf("club.pairings: %s: %v", p.conf.ClubPairings, err)
	}
	if p.trouble != "" && p.trouble != before {
		p.log.Error("the pairings have faults, and those from before stand", "error", p.trouble)
	}
	return err == nil || p.trouble != before
}

// begin makes a round from the pairings, with everything that is known of its games.
func (p *program) begin(list []club.Pairing) error {
	number := p.conf.ClubRound
	if number == "" {
		number = lastRound(list)
	}
	var paired []club.Pairing
	for _, x := range list {
		if x.Round == number || x.Round == "" {
			paired = append(paired, x)
		}
	}
	if len(list) > 0 && len(paired) == 0 {
		return fmt.Errorf("nobody is paired in round %q (club.round): there are %s", number,
			strings.Join(rounds(list), ", "))
	}
	n := &p.conf.Names
	next := club.New(club.Options{Event: n.Event, Site: n.Site, Number: number, Pairings: paired,
		Boards: p.conf.ClubTables})
	folder := filepath.Join(p.conf.ClubFolder, "round-"+cmp.Or(number, "1"))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("club.dir: %w", err)
	}
	saved, err := size.Read(filepath.Join(folder, stateFile), size.Kept)
	if p.round != nil && p.round.Number() == number {
		saved, err = p.round.Save(), nil
	}
	if err == nil {
		err = next.Restore(saved)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		p.log.Error("what was kept of the round is not taken up: its games are heard anew", "error", err)
	}
	p.round, p.folder, p.pairings = next, folder, list
	for _, board := range slices.Sorted(maps.Keys(p.latest)) {
		p.hear(board, p.latest[board])
	}
	p.log.Info("the round", "number", number, "pairings", len(paired))
	return nil
}

// stateFile keeps in the folder of a round which games count.
const stateFile = ".state.json"

// rounds lists the rounds of the pairings in their order.
func rounds(list []club.Pairing) (names []string) {
	for _, x := range list {
		if !slices.Contains(names, x.Round) {
			names = append(names, x.Round)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		m, err1 := strconv.Atoi(a)
		n, err2 := strconv.Atoi(b)
		if err1 != nil || err2 != nil {
			return 0
		}
		return m - n
	})
	return names
}

func lastRound(list []club.Pairing) string {
	if names := rounds(list); len(names) > 0 {
		return names[len(names)-1]
	}
	return ""
}

// hear adds news of a board to the round, and reports whether the round has changed.
func (p *program) hear(board string, n *news) (changed bool) {
	if n.online != nil {
		changed = p.round.Online(board, *n.online)
	}
	if n.game != nil {
		changed = p.round.Hear(board, n.game) || changed
	}
	return changed
}

// read handles the inbox, and reports whether the round has changed.
func (p *program) read() (changed bool) {
	order, all, replies := p.inbox.take()
	for _, board := range order {
		n := all[board]
		changed = p.hear(board, n) || changed
		known := p.latest[board]
		if known == nil {
			known = &news{}
			p.latest[board] = known
		}
		if n.game != nil {
			known.game = n.game
		}
		if n.online != nil {
			known.online = n.online
		}
	}
	for _, s := range replies {
		board, ours := p.orders[s.Reply.ID]
		if !ours || board != s.Board {
			continue
		}
		delete(p.orders, s.Reply.ID)
		why := ""
		if !s.Reply.OK {
			why = s.Reply.Error
		}
		changed = p.round.Refused(board, why) || changed
	}
	p.order(time.Now())
	return changed
}

// order tells boards who plays at them.
func (p *program) order(now time.Time) {
	for _, o := range p.round.Orders(now) {
		p.sent++
		id := fmt.Sprintf("club-%d-%d", now.UnixMilli(), p.sent)
		names := o.Names
		if err := p.spectator.SendCommand(o.Board, command{ID: id, Do: wire.DoName, Names: &names}); err != nil {
			p.log.Warn("a board is not told who plays there", "board", o.Board, "error", err)
			continue
		}
		if len(p.orders) > mostReplies {
			clear(p.orders) // boards that are gone never answered
		}
		p.orders[id] = o.Board
	}
}
