// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"boardd/rules"
	"boardd/rules/search"
)

// Engine is one conversation with a client. Its loop owns everything except what was handed to a thought.
type Engine struct {
	version string
	variant *rules.Variant
	pos     rules.Position
	past    []uint64 // keys of the positions before pos
	numbers []number
	keep    bool           // a search limited in nodes goes on from what earlier ones found
	search  *search.Search // nil when options have changed
	thought *thought       // what is being thought, nil if nothing is
	queue   []string       // lines that wait for the thought to end

	mu  sync.Mutex // of out: the thinking goroutine writes too
	out io.Writer
}

// longestLine is how long a line may be, in bytes: a game of a thousand moves takes some 10,000.
const longestLine = 1 << 20

// mostQueued is how many lines may wait for a thought to end; more are refused.
const mostQueued = 1000

// Run talks to a client until it says quit, its input ends or the context ends. When the input ends, a thought with a
// limit is finished and one without is stopped. At a quit, only thoughts limited in nodes or depth are finished, and
// for lastWords at most. So a script that ends with quit gets the moves of such searches.
func Run(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	chess := rules.Variants()[0]
	e := &Engine{version: version, variant: chess, pos: chess.Start(), numbers: numbers(), out: out}
	lines, failed := read(ctx, in)
	defer func() { e.stop(); e.wait() }()
	for {
		var over chan struct{}
		if e.thought != nil {
			over = e.thought.over
		}
		select {
		case <-ctx.Done():
			return nil
		case <-over:
			e.wait()
			e.catchUp()
		case line, more := <-lines:
			if !more {
				e.finish(ctx)
				return <-failed
			}
			if quit := e.obey(line); quit {
				e.farewell(ctx)
				return nil
			}
		}
	}
}

// catchUp carries out the lines that waited, up to the next one that begins a thought.
func (e *Engine) catchUp() {
	for len(e.queue) > 0 && e.thought == nil {
		line := e.queue[0]
		e.queue = e.queue[1:]
		e.obey(line)
	}
}

// finish carries out what is left to do when no more lines come, until the context ends.
func (e *Engine) finish(ctx context.Context) {
	for e.thought != nil {
		if e.thought.endless() {
			e.stop()
		}
		var late <-chan time.Time // a proof says nothing for hours, so it does not notice that nobody listens
		if e.thought.limits.mate != 0 {
			late = time.After(lastProof)
		}
		select {
		case <-ctx.Done():
			return
		case <-late:
			e.stop()
		case <-e.thought.over:
		}
		e.wait()
		e.catchUp()
	}
}

// farewell carries out what was asked before a quit.
func (e *Engine) farewell(ctx context.Context) {
	ctx, done := context.WithTimeout(ctx, lastWords)
	defer done()
	for e.thought != nil {
		if l := e.thought.limits; e.thought.endless() || l.clock || l.moveTime > 0 || l.nodes == 0 && l.depth == 0 {
			e.stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-e.thought.over:
		}
		e.wait()
		e.catchUp()
	}
}

// read sends the lines one by one, unbuffered, until the input or the context ends. A reader that never returns is
// left behind when the program ends.
func read(ctx context.Context, in io.Reader) (<-chan string, <-chan error) {
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		s := bufio.NewScanner(in)
		s.Buffer(make([]byte, 4096), longestLine)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		failed <- s.Err()
		close(lines)
	}()
	return lines, failed
}

// say writes a line.
func (e *Engine) say(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.out, format+"\n", args...)
}

// obey carries out a line, or lets it wait for the thought to end. It reports whether the line was quit. Errors are
// written as an info string.
func (e *Engine) obey(line string) (quit bool) {
	c, err := parse(line)
	if err == nil {
		err = e.now(&c, line)
	}
	if err != nil {
		e.say("info string %v", err)
	}
	if err != nil && c.word == "go" && e.thought == nil {
		e.say("bestmove (none)") // the client would wait for ever
	}
	return c.word == "quit"
}

// now carries out what can be done while something is thought, and the rest if nothing is.
func (e *Engine) now(c *command, line string) error {
	switch c.word {
	case "uci":
		e.say("id name boardd %s\nid author the boardd authors", e.version)
		for _, line := range e.options() {
			e.say("%s", line)
		}
		e.say("uciok")
	case "isready":
		e.say("readyok")
	case "stop":
		e.stop()
	case "ponderhit":
		if e.thought != nil {
			e.thought.hit()
		}
	case "setoption", "ucinewgame", "position", "go":
		switch {
		case e.thought == nil:
			return e.do(c)
		case e.thought.endless() && !e.thought.stopped.up.Load():
			return fmt.Errorf("%s: still thinking, send stop first", c.word)
		case len(e.queue) >= mostQueued:
			return fmt.Errorf("%s: %d lines wait for the search to end already", c.word, mostQueued)
		}
		e.queue = append(e.queue, line)
	}
	return nil
}

// do carries out what waits for the thought to end.
func (e *Engine) do(c *command) error {
	switch c.word {
	case "setoption":
		return e.setOption(c.name, c.value)
	case "ucinewgame":
		e.search = nil
	case "position":
		return e.setPosition(c.fen, c.moves)
	case "go":
		return e.think(&c.go_)
	}
	return nil
}

// stop tells the thought to end, wait waits until it has.
func (e *Engine) stop() {
	if e.thought != nil {
		e.thought.end()
	}
}

func (e *Engine) wait() {
	if e.thought != nil {
		<-e.thought.over
		e.thought = nil
	}
}

// flag is a condition that is raised once and may be waited for.
type flag struct {
	up   atomic.Bool
	once sync.Once
	ch   chan struct{}
}

func newFlag() *flag { return &flag{ch: make(chan struct{})} }

func (f *flag) raise() {
	f.once.Do(func() {
		f.up.Store(true)
		close(f.ch)
	})
}
