// SPDX-License-Identifier: Apache-2.0

// Package seat seats a chess engine at a board. It carries the table's questions to the program (sync/uci) and brings
// the answers back to the loop of the board.
package seat

import (
	"context"
	"hash/fnv"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"boardd/config"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sync/uci"
)

// Thought is what the engine answered to a question of the table.
type Thought struct {
	Number  int
	Opinion table.EngineAnswer
	Err     error
}

// Seat is the engine of one board. The program runs only while somebody plays against it. Think and Rest belong to the
// loop.
type Seat struct {
	player   *Player
	hints    *Player       // the same programs at their best, for people
	thoughts chan Thought  // capacity 1: at most one question is open, and the goroutine of a withdrawn one does not wait
	troubles chan say.Said // capacity 4: further ones are only logged
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// New is the seat of a board's engine: that of the configuration, or this program's own.
func New(c *config.Config, log *slog.Logger) *Seat {
	s := &Seat{thoughts: make(chan Thought, 1), troubles: make(chan say.Said, 4)}
	tell := func(text say.Said, trouble bool) {
		if !trouble {
			log.Info("engine", "text", text)
			return
		}
		select {
		case s.troubles <- text: // which is logged when it is told
		default:
			log.Warn("engine", "text", text)
		}
	}
	players := newPlayers(c, uci.Options{Level: c.EngineLevel, Ponder: c.EnginePonder, Say: tell,
		Times: uci.Times{Think: time.Duration(c.EngineSeconds) * time.Second}}, uci.Options{Best: true, Say: tell})
	s.player, s.hints = players[0], players[1]
	return s
}

// linesShown is how many best lines an analysis has.
const linesShown = 3

// Analyst returns the same program at full strength, for analyses that nobody waits for.
func Analyst(c *config.Config, log *slog.Logger) *Player {
	return newPlayers(c, uci.Options{Best: true, Lines: linesShown, Say: func(text say.Said, _ bool) {
		log.Info("analysis", "text", text)
	}})[0]
}

// self is this program as an engine.
func self() []string {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return []string{self, "engine"}
}

// Thoughts are the answers, Troubles what goes wrong, for the loop.
func (s *Seat) Thoughts() <-chan Thought { return s.thoughts }

// Troubles are what goes wrong with the program, in words.
func (s *Seat) Troubles() <-chan say.Said { return s.troubles }

// Think asks the engine; what was asked before is taken back.
func (s *Seat) Think(q table.Think) {
	s.withdraw()
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	question := uci.Question{Start: q.Start, Moves: q.Moves, Level: q.Level, Think: q.Think, Mate: q.Mate,
		Seed: seed(q.Game)}
	if q.Timed {
		question.Clock = &uci.Clock{Left: q.Left, Gain: q.Gain}
	}
	player := s.player
	if q.Best > 0 {
		player, question.Time, question.Clock, question.Seed = s.hints, q.Best, nil, 0
	}
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		defer cancel()
		a, err := player.Ask(ctx, question)
		select {
		case s.thoughts <- Thought{q.Number, table.EngineAnswer{Move: a.Move, Known: a.Score.Known, Cents: a.Score.Cents,
			Mate: a.Score.Mate, Holds: a.Holds}, err}:
		case <-ctx.Done(): // nobody waits for it
		}
	}()
}

// seed is what a level leaves to chance in a game: the same over a restart, and another one in each game.
func seed(game string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(game))
	return max(1, h.Sum32()&math.MaxInt32) // UCI has whole numbers of 31 bits, and 0 is no chance at all
}

// StopThinking withdraws the open question, and stops pondering.
func (s *Seat) StopThinking() {
	s.withdraw()
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		s.player.StopPondering()
	}()
}

// withdraw withdraws the open question.
func (s *Seat) withdraw() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

// Close ends the program.
func (s *Seat) Close() {
	s.StopThinking()
	s.running.Wait()
	s.player.Close()
	s.hints.Close()
}

// Answer takes a thought to the table.
func (t Thought) Answer(to *table.Table, now time.Time) []table.Effect {
	return to.Thought(now, t.Number, t.Opinion, t.Err)
}
