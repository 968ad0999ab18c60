// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// guess is the question that the program ponders on: the position after the move that it expects.
type guess struct {
	question Question
	replies  <-chan Reply
}

// is reports whether the guess is that question, whatever the clock shows.
func (g *guess) is(q *Question) bool {
	return q.Time == 0 && q.Nodes == 0 && q.Level == g.question.Level && q.Seed == g.question.Seed &&
		q.Start == g.question.Start && slices.Equal(q.Moves, g.question.Moves)
}

// ponder lets the program ponder on the move that it expects next. spent is how long its answer took. An idle program
// is ended even while it ponders.
func (c *Client) ponder(q *Question, a *Answer, spent time.Duration) {
	p := q.Start
	for _, m := range q.Moves {
		p.Play(m)
	}
	us := p.Turn()
	p.Play(a.Move)
	next, ok := legal(&p, a.next)
	if !ok || !c.options.Ponder || !c.child.offer.ponders() || q.Time > 0 || q.Nodes > 0 {
		return
	}
	if p.Play(next); p.CountMoves() == 0 {
		return
	}
	g := &guess{question: Question{Start: q.Start, Moves: append(slices.Clone(q.Moves), a.Move, next),
		Level: q.Level, Think: q.Think, Seed: q.Seed}}
	if q.Clock != nil {
		clock := *q.Clock
		clock.Left[us] = max(clock.Left[us]-spent+clock.Gain[us], time.Millisecond)
		g.question.Clock = &clock
	}
	limit, _ := g.question.limit(c.think(&g.question), &p)
	if err := c.child.write(c.times.Reply, g.question.position(), strings.Replace(limit, "go ", "go ponder ",
		1)); err != nil {
		c.end()
		return
	}
	g.replies = c.child.listen(p)
	c.guess = g
}

// guessed ends pondering. If the guess is the question, the program is told so, and its reply comes over the channel.
// Otherwise it is stopped, and the channel is nil.
func (c *Client) guessed(q *Question) (<-chan Reply, error) {
	g := c.guess
	c.guess = nil
	switch {
	case g == nil:
		return nil, nil
	case q != nil && g.is(q):
		return g.replies, c.child.write(c.times.Reply, "ponderhit")
	}
	if err := c.child.write(c.times.Reply, "stop"); err != nil {
		c.end()
		return nil, nil
	}
	late := time.NewTimer(c.times.Reply)
	defer late.Stop()
	select {
	case r := <-g.replies:
		if r.Err != nil {
			c.end()
		}
	case <-late.C:
		c.end()
	}
	return nil, nil
}

// StopPondering ends pondering. It waits for an open question.
func (c *Client) StopPondering() {
	<-c.turn
	defer func() { c.turn <- struct{}{} }()
	_, _ = c.guessed(nil)
}

// listen collects the program's lines up to its move. The channel, of capacity one, gets exactly one reply.
func (c *child) listen(p rules.Position) <-chan Reply {
	replies := make(chan Reply, 1)
	go func() {
		var h heard
		for line := range c.lines {
			switch word, rest := cut(line); word {
			case "info":
				h.take(line)
			case "bestmove":
				a := h.answer(&p)
				err := a.finish(&p, rest)
				replies <- Reply{a, err}
				return
			}
		}
		replies <- Reply{h.answer(&p), c.died()}
	}()
	return replies
}

// finish adds the move that was named.
func (a *Answer) finish(p *rules.Position, rest string) error {
	word, rest := cut(rest)
	m, ok := legal(p, word)
	if !ok {
		return say.Error("the engine answers %q, which is not a legal move in coordinate form in %s", word,
			p.FEN())
	}
	if a.Move = m; len(a.Line) == 0 || a.Line[0] != m {
		a.Line = []rules.Move{m}
	}
	if word, next := cut(rest); word == "ponder" {
		a.next, _ = cut(next)
	}
	return nil
}
