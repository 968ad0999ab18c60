// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/corentings/chess/v2"
)

// contestant is a program that counts leaves, and its runs so far in Mnps.
type contestant struct {
	name   string
	played bool                            // it plays the leaves out rather than counting at the last ply
	run    func() (uint64, float64, error) // leaves, and seconds of CPU time
	rates  []float64
}

func (c *contestant) once() error {
	n, seconds, err := c.run()
	if err != nil {
		return err
	}
	c.rates = append(c.rates, float64(n)/seconds/1e6)
	return nil
}

// rate is the best run: what disturbs a run only slows it.
func (c *contestant) rate() (best float64) {
	for _, r := range c.rates {
		best = max(best, r)
	}
	return best
}

// spread is how far the worst run lies below the best, in percent.
func (c *contestant) spread() float64 {
	worst := c.rate()
	for _, r := range c.rates {
		worst = min(worst, r)
	}
	return 100 * (1 - worst/c.rate())
}

// timed runs f and measures the CPU time of this process meanwhile, in seconds.
func timed(f func() uint64) (uint64, float64, error) {
	before, err := cpu()
	if err != nil {
		return 0, 0, err
	}
	n := f()
	after, err := cpu()
	return n, (after - before).Seconds(), err
}

func cpu() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("asking for the CPU time used: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// corentings plays every leaf out with the peer's own moves.
func corentings(fen string, depth int) (uint64, float64, error) {
	set, err := chess.FEN(fen)
	if err != nil {
		return 0, 0, err
	}
	p := chess.NewGame(set).Position()
	return timed(func() uint64 { return playOut(p, depth) })
}

func playOut(p *chess.Position, depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	moves := p.ValidMoves()
	for i := range moves {
		n += playOut(p.Update(&moves[i]), depth-1)
	}
	return n
}

// stockfish runs "go perft" in one process twice, at the requested depth and one less. It takes the difference, so
// that the program's start is not counted.
func stockfish(path, fen string, depth int) (uint64, float64, error) {
	deep, seconds, err := stockfishPerft(path, fen, depth)
	if err != nil {
		return 0, 0, err
	}
	shallow, start, err := stockfishPerft(path, fen, depth-1)
	return deep - shallow, seconds - start, err
}

func stockfishPerft(path, fen string, depth int) (uint64, float64, error) {
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return 0, 0, fmt.Errorf("%w (Debian: apt-get install stockfish)", err)
	}
	// quit waits in the pipe: Stockfish reads it when perft, which runs in the reading thread, has ended.
	_, err = io.WriteString(in, fmt.Sprintf("position fen %s\ngo perft %d\nquit\n", fen, depth))
	if err := errors.Join(err, in.Close(), cmd.Wait()); err != nil {
		return 0, 0, err
	}
	_, count, found := strings.Cut(out.String(), "Nodes searched: ")
	if !found {
		return 0, 0, fmt.Errorf("no count of nodes in what %s printed", path)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(count), 10, 64)
	return n, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), err
}
