// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"boardd/hardware/box/emulator"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/wire"
)

// resumed: the first of this many cuts is followed by a real start of the computer, which shows that the game goes on
// by itself.
const resumed = 25

// power pulls the plug, starting from a saved state of the machine in the middle of a game. It does so first at random
// moments, then at each of a series of writes. What the board has told anybody must be on the disk.
func (b *box) power(ctx context.Context) error {
	if b.parts != nil { // with devices that are served from outside the machine's state cannot be saved
		if err := b.rewire(ctx, "board.yaml", nil); err != nil {
			return fmt.Errorf("the chips inside the daemon: %w", err)
		}
	}
	if err := b.ready(ctx); err != nil {
		return fmt.Errorf("a new game for the power cuts: %w", err)
	}
	state := filepath.Join(b.dir, "state")
	if err := b.m.Save(state); err != nil {
		return err
	}
	durable, cache := b.disk.Snapshot()
	b.m.Kill()
	native := filepath.Join(b.dir, "boardd")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", native, "./cmd/boardd").CombinedOutput(); err != nil {
		return fmt.Errorf("build for this computer: %w: %s", err, out)
	}
	r := rand.New(rand.NewPCG(b.seed, 0x706f776572))
	told, torn := 0, 0
	for i := range b.cuts + b.every {
		b.disk.Again()
		b.disk.Restore(durable, cache)
		write := 0
		if i >= b.cuts {
			write = i - b.cuts + 1
		}
		ack, dropped, err := b.cut(ctx, state, write, r)
		if err == nil {
			err = b.kept(ctx, native, ack)
		}
		if err == nil && i%resumed == 0 {
			err = b.resumes(ctx, ack)
		}
		if err != nil {
			return fmt.Errorf("cut %d (write %d): %w", i+1, write, err)
		}
		told += len(ack)
		if dropped > 0 {
			torn++
		}
		if (i+1)%10 == 0 {
			fmt.Printf("    cut %d of %d: %d moves told, %d sectors lost\n", i+1, b.cuts+b.every, len(ack), dropped)
		}
	}
	fmt.Printf("ok  %d power cuts, %d of them at successive writes: of %d moves told none was lost; %d cuts lost "+
		"sectors\n", b.cuts+b.every, b.every, told, torn)
	return nil
}

// ready begins a game and plays its first two moves.
func (b *box) ready(ctx context.Context) error {
	if err := b.begin(ctx, nil); err != nil {
		return err
	}
	if _, err := b.playTo(ctx, 2); err != nil {
		return err
	}
	// What was installed and configured is no acknowledged move: an administrator has waited for the half minute that
	// Linux takes to write it.
	_, err := b.m.Run(ctx, "sync")
	return err
}

// cut lets the machine go on from the saved state, plays, and takes the power away: at the given write, or at a random
// moment.
func (b *box) cut(ctx context.Context, state string, write int, r *rand.Rand) (told []string, dropped int, err error) {
	if b.m, err = b.boot(ctx, state); err != nil {
		return nil, 0, err
	}
	defer func() { b.m.Kill() }()
	if err := b.wake(ctx); err != nil {
		return nil, 0, err
	}
	b.disk.Arm(write)
	playing, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	ended := make(chan error, 1)
	go func() {
		ended <- b.table.play(playing, b.line, b.coords[:min(len(b.coords), 40)], 2)
	}()
	go func() { // what anybody can see is told
		for playing.Err() == nil {
			if g, err := b.table.game(playing); err == nil {
				mu.Lock()
				if len(g.Moves) > len(told) {
					told = g.Moves
				}
				mu.Unlock()
			}
		}
	}()
	limit := leastPlay + time.Duration(r.Float64()*float64(mostPlay))
	if write > 0 {
		limit = emulator.Patience
	}
	select {
	case <-b.disk.Lost():
	case <-time.After(limit):
		if write > 0 {
			return nil, 0, errors.New("so many writes were never made")
		}
	case err := <-ended:
		return nil, 0, fmt.Errorf("the play ended before the cut: %w", err)
	}
	_, dropped = b.disk.Cut(0.5, r)
	b.m.Kill()
	stop()
	<-ended
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(told), dropped, nil
}

// wake continues a machine whose state was loaded.
func (b *box) wake(ctx context.Context) error {
	for range 300 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := b.m.Monitor("cont"); err == nil {
			break
		}
		time.Sleep(lookEvery)
	}
	for range 300 {
		_, _ = b.m.Monitor("cont") // refused while the state is still coming in
		short, cancel := context.WithTimeout(ctx, wakesIn)
		_, err := b.table.game(short)
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(lookEvery)
	}
	return errors.New("the machine does not go on from its saved state")
}

// kept mounts the disk as the cut left it, lets the file system mend itself, and reads the games with this computer's
// boardd.
func (b *box) kept(ctx context.Context, native string, told []string) (err error) {
	image, mnt := filepath.Join(b.dir, "cut.img"), filepath.Join(b.dir, "mnt")
	if err := b.disk.Image(image); err != nil {
		return err
	}
	defer os.Remove(image) //nolint:errcheck // the next one overwrites it
	if err := os.MkdirAll(mnt, 0o750); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "mount", "-o", "loop", image, mnt).CombinedOutput(); err != nil {
		return fmt.Errorf("the file system does not mount: %w: %s", err, out)
	}
	defer func() {
		out, e := exec.Command("umount", mnt).CombinedOutput()
		if e != nil {
			err = errors.Join(err, fmt.Errorf("unmount: %w: %s", e, out))
		}
	}()
	conf := filepath.Join(b.dir, "cut.yaml")
	text := fmt.Sprintf("board: %s\nstate_dir: %s/var/lib/boardd\nhardware: {virtual: true}\n", boardID, mnt)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		return err
	}
	pgnFile := filepath.Join(b.dir, "cut.pgn")
	out, err := exec.CommandContext(ctx, native, "export", "--config", conf).Output()
	if err == nil {
		err = os.WriteFile(pgnFile, out, 0o600)
	}
	if err != nil {
		return fmt.Errorf("export: %w: %s", err, out)
	}
	f, err := os.Open(pgnFile)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	games, err := pgn.Read(f, nil)
	if err != nil || len(games) == 0 {
		return fmt.Errorf("the exported games do not read: %d, %w", len(games), err)
	}
	got := coords(&games[len(games)-1])
	if len(got) < len(told) || !slices.Equal(got[:len(told)], told) {
		return fmt.Errorf("told were %v, and the disk has %v: acknowledged moves are lost", told, got)
	}
	return nil
}

// coords is a game's moves in coordinate form.
func coords(g *pgn.Game) (list []string) {
	p := g.Start
	for _, ply := range g.Plies {
		list = append(list, p.Coord(ply.Move))
		p.Play(ply.Move)
	}
	return list
}

// resumes starts the computer after a cut and waits until the game goes on by itself, to a next move by hand.
func (b *box) resumes(ctx context.Context, told []string) (err error) {
	b.disk.Again()
	left := filepath.Join(b.dir, "after-cut.img") // what the computer starts from
	if err := b.disk.Image(left); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("after the cut, with the disk as in %s: %w\n%s", left, err, b.why(ctx))
		}
		if b.m != nil {
			b.m.Kill()
		}
	}()
	if err := b.on(ctx); err != nil {
		return err
	}
	g, err := b.table.await(ctx, "the game is there again", func(g *wire.Game) bool { return len(g.Moves) >= len(told) })
	if err != nil {
		return err
	}
	if !slices.Equal(g.Moves[:len(told)], told) || !slices.Equal(g.Moves, b.coords[:len(g.Moves)]) {
		return fmt.Errorf("told were %v, and the board goes on with %v", told, g.Moves)
	}
	var at rules.Position = b.line[len(g.Moves)]
	if err := b.table.standAs(ctx, &at); err != nil { // the wood stands as the cut left it
		return err
	}
	_, err = b.playTo(ctx, len(g.Moves)+1)
	return err
}
