// SPDX-License-Identifier: Apache-2.0

package seat

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"boardd/config"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sync/uci"
)

// Player is the program of the configuration, and this program's own engine for the games that the other one does not
// play. Which ones these are it says itself when it is asked for the first time.
type Player struct {
	asked  *uci.Client
	own    *uci.Client // nil: nobody named another program
	stands *standIn    // nil: nobody named another program
}

// standIn tells that this program's own engine plays in place of the other one. All players of a board share it, so
// that people hear it once.
type standIn struct {
	name string // of the other program, for people
	say  func(text say.Said, trouble bool)

	mu      sync.Mutex
	instead *rules.Variant // the game that own was asked about last; nil: it was not, or asked has played since
}

// newPlayers returns players of the program that the configuration names, with options for either program. The
// settings of the other program mean nothing to the own one. Say of the first options tells who stands in.
func newPlayers(c *config.Config, options ...uci.Options) (list []*Player) {
	words := strings.Fields(c.EngineCommand)
	var standing *standIn
	if len(words) > 0 {
		standing = &standIn{name: filepath.Base(words[0]), say: options[0].Say}
	}
	for _, o := range options {
		o.MemoryMB = memoryMB
		own := o
		own.Command = self()
		if len(words) == 0 {
			own.Settings = c.EngineOptions
			list = append(list, &Player{asked: uci.New(own)})
			continue
		}
		o.Command, o.Settings = words, c.EngineOptions
		list = append(list, &Player{asked: uci.New(o), own: uci.New(own), stands: standing})
	}
	return list
}

// Ask asks the program that plays the game. When it is not the one of the configuration, it says so, once in a row. A
// proof is always asked of this program's own engine, as no other one gives it.
func (p *Player) Ask(ctx context.Context, q uci.Question) (uci.Answer, error) {
	if q.Mate > 0 && p.own != nil {
		return p.own.Ask(ctx, q)
	}
	a, err := p.asked.Ask(ctx, q)
	if p.own == nil {
		return a, err
	}
	if !errors.As(err, new(*uci.NotPlayed)) {
		if err == nil {
			p.stands.turnTo(nil)
			p.own.StopPondering()
		}
		return a, err
	}
	if v := q.Start.Variant(); p.stands.turnTo(v) {
		p.stands.say(say.That("%s does not play %s: boardd engine is asked instead", p.stands.name, v.Name()), true)
	}
	return p.own.Ask(ctx, q)
}

// turnTo notes the game that the own engine is asked about, nil for none, and reports whether it was another one
// before.
func (s *standIn) turnTo(v *rules.Variant) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, s.instead = s.instead != v, v
	return changed
}

// StopPondering ends pondering. It waits for an open question.
func (p *Player) StopPondering() {
	p.asked.StopPondering()
	if p.own != nil {
		p.own.StopPondering()
	}
}

// Close ends the programs.
func (p *Player) Close() {
	p.asked.Close()
	if p.own != nil {
		p.own.Close()
	}
}
