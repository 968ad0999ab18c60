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
	asked *uci.Client
	own   *uci.Client // nil: nobody named another program
	name  string      // of the other program, for people
	say   func(text say.Said, trouble bool)

	mu      sync.Mutex
	instead *rules.Variant // the game that own was asked about last; nil: it was not, or asked has played since
}

// newPlayer returns the player that the configuration names, with options for either program. The settings of the
// other program mean nothing to the own one.
func newPlayer(c *config.Config, o uci.Options) *Player {
	words := strings.Fields(c.EngineCommand)
	o.MemoryMB = memoryMB
	own := o
	own.Command = self()
	if len(words) == 0 {
		own.Settings = c.EngineOptions
		return &Player{asked: uci.New(own)}
	}
	o.Command, o.Settings = words, c.EngineOptions
	return &Player{asked: uci.New(o), own: uci.New(own), name: filepath.Base(words[0]), say: o.Say}
}

// Ask asks the program that plays the game. When it is not the one of the configuration, it says so, once in a row.
func (p *Player) Ask(ctx context.Context, q uci.Question) (uci.Answer, error) {
	a, err := p.asked.Ask(ctx, q)
	v := q.Start.Variant()
	if p.own == nil || !errors.As(err, new(*uci.NotPlayed)) {
		if err == nil {
			p.turnTo(nil)
		}
		return a, err
	}
	if p.turnTo(v) {
		p.say(say.That("%s does not play %s: boardd engine is asked instead", p.name, v.Name()), true)
	}
	return p.own.Ask(ctx, q)
}

// turnTo notes the game that the own engine is asked about, nil for none, and reports whether it was another one
// before.
func (p *Player) turnTo(v *rules.Variant) (changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed, p.instead = p.instead != v, v
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
