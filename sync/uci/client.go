// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"cmp"
	"context"
	"errors"
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// Options is the program to play against, and its settings.
type Options struct {
	Command  []string          // the program and its arguments
	Settings map[string]string // UCI options of the user's
	Level    int               // 1 to 8, 0 for the program's own strength
	Best     bool              // it plays as well as it can: of Settings, those that make it weaker are left out
	Lines    int               // how many best lines are wanted, if the program can give several; 0 is one
	MemoryMB int               // how much memory of its own it may take; 0 is 256
	Ponder   bool              // it thinks while the opponent does, if it can
	Times    Times
	// Say, if not nil, is called when the program was started, and with trouble when it failed and a new start helped. It
	// is called by the goroutine that asks.
	Say func(text say.Said, trouble bool)

	// Ordinary leaves it the priority of this program, for a match between equals. Otherwise it has the lowest, and on a
	// busy machine no time at all.
	Ordinary bool
}

// Question is a position to think about.
type Question struct {
	Start rules.Position // where the game began
	Moves []rules.Move   // what was played since
	Clock *Clock         // nil if none runs
	Time  time.Duration  // think so long, whatever the clock; 0 to leave it to the clock or the level
	Nodes uint64         // or this many positions; 0 for no limit
	Level int            // 1 to 8, whatever Options.Settings say of strength; 0 for that of Options
	Think time.Duration  // how long it takes where nothing else limits it; 0 for Times.Think
	Seed  uint32         // of what a program leaves to chance, if it has an option Seed; 0 for nothing
	// Mate, if not 0, asks boardd's own engine for a proof, for Time at most. Is the side to move mated in that many
	// moves of its opponent, whatever it plays?
	Mate int
}

// NotPlayed is the error of a program that does not play a game, as it says itself.
type NotPlayed struct{ error }

// Unwrap is the error itself, whose sentence can be translated.
func (n *NotPlayed) Unwrap() error { return n.error }

// Clock holds the times of both sides and what they gain with each move, White's first.
type Clock struct{ Left, Gain [2]time.Duration }

// Client is a seat for a program. Its methods may be called from several goroutines; the program is asked one question
// at a time.
type Client struct {
	options Options
	times   Times
	turn    chan struct{}    // has one token; whoever took it may use the fields below
	child   *child           // nil when none runs
	told    told             // what it was told to play; empty for nothing
	game    int              // counts the games that it was asked about
	start   uint64           // the key of the position where the last one began
	plies   int              // and how many moves had been played when it was last asked
	lacks   map[string]error // by game: that it does not play it, as it said when it was asked
	guess   *guess           // what it ponders on; nil for nothing
	rest    *time.Timer      // ends it when nobody asks
}

// New returns a client of a program that does not run yet.
func New(o Options) *Client {
	c := &Client{options: o, times: o.Times.or(), turn: make(chan struct{}, 1), lacks: map[string]error{}}
	c.turn <- struct{}{}
	return c
}

// tries is how often a question is asked, each time of a newly started program, before it is given up.
const tries = 2

// ErrNoMove is the answer of a position in which no move is legal.
var ErrNoMove = errors.New("there is no legal move to think about")

// Begin asks in the background. The channel, of capacity one, gets exactly one reply.
func (c *Client) Begin(ctx context.Context, q Question) <-chan Reply {
	replies := make(chan Reply, 1)
	go func() {
		a, err := c.Ask(ctx, q)
		replies <- Reply{a, err}
	}()
	return replies
}

// Reply is an answer or why there is none.
type Reply struct {
	Answer Answer
	Err    error
}

// Ask asks the program for a move. A program that falls silent, dies or answers with an illegal move is started again
// and asked once more. When the context ends the program is told to stop thinking, but keeps running.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) {
	p := q.Start
	for _, m := range q.Moves {
		p.Play(m)
	}
	if p.CountMoves() == 0 {
		return Answer{}, ErrNoMove
	}
	select {
	case <-c.turn:
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	defer func() { c.turn <- struct{}{} }()
	if err := c.lacks[p.Variant().ID()]; err != nil {
		_, _ = c.guessed(nil)
		return Answer{}, err
	}
	if c.rest != nil {
		c.rest.Stop()
	}
	defer func() { c.rest = time.AfterFunc(c.times.Idle, c.Close) }()
	var failed error
	begun := time.Now()
	for range tries {
		a, err := c.ask(ctx, &q, &p)
		var not *refusal
		var lacks *NotPlayed
		switch {
		case err == nil:
			if failed != nil {
				c.say(say.That("%v; it was started again", failed), true)
			}
			c.ponder(&q, &a, time.Since(begun))
			return a, nil
		case ctx.Err() != nil:
			return a, err
		case errors.As(err, &not):
			if errors.As(err, &lacks) {
				c.lacks[p.Variant().ID()] = err
			}
			c.end()
			return a, err // another start would change nothing
		}
		failed = err
		c.end()
	}
	return Answer{}, say.Error("the engine was started %d times and gave no move: %v", tries, failed)
}

// refusal is an error that a new start does not help: the program cannot play this game, or lacks an option.
type refusal struct{ error }

func (r *refusal) Unwrap() error { return r.error }

// Close ends the program, when it is not thinking. It is started again by the next question.
func (c *Client) Close() {
	<-c.turn
	defer func() { c.turn <- struct{}{} }()
	if c.rest != nil {
		c.rest.Stop()
	}
	c.end()
}

func (c *Client) end() {
	if c.child != nil {
		c.child.end(c.times.Quit)
		c.child, c.guess = nil, nil
	}
}

func (c *Client) say(text say.Said, trouble bool) {
	if c.options.Say != nil {
		c.options.Say(text, trouble)
	}
}

// think is how long a question takes where nothing else limits it.
func (c *Client) think(q *Question) time.Duration { return cmp.Or(q.Think, c.times.Think) }

// follow notes whether a question is about another game than the one before it. Programs forget between games what
// they have learnt.
func (c *Client) follow(q *Question) {
	if q.Start.Key() != c.start || len(q.Moves) < min(2, c.plies) {
		c.game++
	}
	c.start, c.plies = q.Start.Key(), len(q.Moves)
}

// ask asks once.
func (c *Client) ask(ctx context.Context, q *Question, p *rules.Position) (Answer, error) {
	c.follow(q)
	_, most := q.limit(c.think(q), p)
	replies, err := c.guessed(q)
	if replies == nil && err == nil {
		begun := time.Now()
		if err := c.ready(ctx, told{p.Variant().ID(), cmp.Or(q.Level, c.options.Level), q.Level > 0, c.game,
			q.Seed}); err != nil {
			return Answer{}, err
		}
		asked := *q
		asked.Time = max(q.Time-time.Since(begun), q.Time/4) // the time for a hint includes the start of the program
		limit, _ := asked.limit(c.think(q), p)
		err = c.child.write(c.times.Reply, q.position(), limit)
		replies = c.child.listen(*p)
	}
	if err != nil {
		return Answer{}, err
	}
	stop := time.NewTimer(most + c.times.Grace)
	defer stop.Stop()
	stopped, done := false, ctx.Done()
	halt := func() error {
		stopped, done = true, nil
		stop.Reset(c.times.Reply)
		return c.child.write(c.times.Reply, "stop")
	}
	for {
		select {
		case r := <-replies:
			if r.Err == nil && ctx.Err() != nil {
				return Answer{}, ctx.Err()
			}
			return r.Answer, r.Err
		case <-done:
			if err := halt(); err != nil {
				c.end()
				return Answer{}, ctx.Err()
			}
		case <-stop.C:
			if stopped {
				err := say.Error("%s does not stop thinking", c.child.offer.called())
				c.end()
				return Answer{}, err
			}
			if err := halt(); err != nil {
				return Answer{}, err
			}
		}
	}
}
