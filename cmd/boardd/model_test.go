// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/bus"
	"boardd/sensing/wood"
	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
	"boardd/sync/mirror"
	"boardd/sync/mirror/mirrortest"
	"boardd/sync/wire"

	"periph.io/x/conn/v3/i2c/i2ctest"
)

// The number of random histories that TestTwoCities plays; `make soak` plays 10,000.
var (
	modelled = flag.Int("modelled", 24, "random histories of two daemons, a broker and what happens to them")
	first    = flag.Int("first", 0, "the seed of the first history")
)

// city is a board of the model: the daemon's own loop, journal and mirror, without sensors. People there give their
// moves by command.
type city struct {
	name string
	conf config.Config

	disk    *journaltest.Memory
	steps   atomic.Int32  // steps of the disk until the power goes; negative: it stays on
	reached chan struct{} // closed when the power went, in the middle of a write
	torn    journaltest.Step
	dead    chan struct{} // closed when the daemon is gone

	b   *board // nil while it is off
	off func() // ends b

	mu   sync.Mutex
	said *wire.Game // the last game that reached the broker, on which others may have acted
}

// cities is the model: two boards, a broker, the network, and a record of what happened.
type cities struct {
	t     *testing.T
	r     *rand.Rand
	net   *mirrortest.Net
	two   [2]*city
	mail  []message // all messages of boards, to be repeated
	saved map[string][]byte
	trace []string
	count map[string]int

	mu        sync.Mutex
	repeating bool // the model is publishing, not a board
}

type message struct {
	topic   string
	payload []byte
}

var errPower = errors.New("the power is gone")

func (w *cities) log(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf(format, args...))
}

// on starts a daemon from its disk.
func (w *cities) on(i int) {
	c := w.two[i]
	c.steps.Store(-1)
	c.reached, c.dead = make(chan struct{}), make(chan struct{})
	c.disk.Refuse = c.refuse
	g := wood.Reference()
	g.Weights = true
	r := &rig.Rig{Geometry: g, Bus: bus.New(&i2ctest.Record{}, bus.Opts{})}
	b, err := openBoard(c.conf, c.conf, r, journal.Options{FS: c.disk}, slog.New(slog.DiscardHandler))
	if err != nil {
		w.t.Fatal(err)
	}
	b.mirror = mirror.New(mirror.Options{Board: c.name, URL: "tcp://broker", Dial: w.net.Dial(c.name)})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := b.run(ctx); err != nil && !errors.Is(err, errPower) {
			w.t.Error(err)
		}
	})
	c.b, c.off = b, func() { cancel(); wg.Wait() }
	w.kept(c)
}

// refuse cuts the power at the step that was drawn. The write never returns to the daemon.
func (c *city) refuse(s journaltest.Step) (int, error) {
	select {
	case <-c.dead:
		return 0, errPower
	default:
	}
	if c.steps.Load() < 0 || c.steps.Add(-1) >= 0 {
		return 0, nil
	}
	c.torn = s
	close(c.reached)
	<-c.dead
	return 0, errPower
}

// crash ends a daemon without a farewell, at rest or in the middle of a write. It restores the disk as a power cut
// leaves it.
func (w *cities) crash(i int) {
	c := w.two[i]
	if w.r.IntN(2) == 0 {
		c.steps.Store(int32(w.r.IntN(4)))
		for range 8 { // most of what people try is refused and not written
			if c.steps.Load() < 0 {
				break
			}
			w.act(i)
			w.pass(time.Second)
		}
	}
	w.net.CutOff(c.name, true)
	n, part := len(c.disk.Steps), 0
	select {
	case <-c.reached:
		c.disk.Steps = append(c.disk.Steps, c.torn)
		part = w.r.IntN(len(c.torn.Data) + 1)
		w.count["power cut in a write"]++
	default:
	}
	after := c.disk.PowerCut(n, part, w.r.IntN(2) == 0)
	close(c.dead)
	c.off()
	c.disk, c.b = after, nil
	w.net.CutOff(c.name, false)
	w.count["power cut"]++
	w.log("%s loses power", c.name)
}

// game is the game that a board shows.
func (c *city) game() wire.Game {
	var g wire.Game
	if err := json.Unmarshal(c.b.feed.Get("game"), &g); err != nil {
		panic(err)
	}
	return g
}

// kept checks that a board that comes back has at least what it had told others.
func (w *cities) kept(c *city) {
	synctest.Wait()
	c.mu.Lock()
	said := c.said
	c.mu.Unlock()
	if said == nil {
		return
	}
	g := c.game()
	// such a game gives way to any that people began
	lost := g.Game < said.Game && !strings.HasPrefix(said.Game, table.Automatic)
	if g.Game == said.Game {
		lost = g.Takebacks < said.Takebacks || said.Outcome != "" && g.Outcome != said.Outcome ||
			g.Takebacks == said.Takebacks &&
				(len(g.Moves) < len(said.Moves) || !slices.Equal(g.Moves[:len(said.Moves)], said.Moves))
	}
	if lost {
		w.fail("%s comes back with %s %v %s, and had told %s %v %s", c.name, g.Game, g.Moves, g.Outcome, said.Game,
			said.Moves, said.Outcome)
	}
}

func (w *cities) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), strings.Join(w.trace, "\n"))
}

// pass lets virtual time pass and everything come to rest.
func (w *cities) pass(most time.Duration) {
	time.Sleep(time.Duration(w.r.Int64N(int64(most))))
	synctest.Wait()
}

// act lets people at a board do something. Most of what is not a move is refused.
func (w *cities) act(i int) {
	c := w.two[i]
	g := c.game()
	cmd := wire.Command{ID: fmt.Sprint(w.r.Uint32()), Do: wire.DoMove}
	actions := []string{wire.DoOfferDraw, wire.DoAcceptDraw, wire.DoDeclineDraw, wire.DoTakeback, wire.DoTakeback,
		wire.DoAcceptTakeback, wire.DoAcceptTakeback,
		wire.DoDeclineTakeback, wire.DoAccept, wire.DoClaimDraw, wire.DoPause, wire.DoResume, wire.DoFlip}
	switch k := w.r.IntN(40); {
	case k == 0:
		cmd.Do = []string{wire.DoResign, wire.DoAbort}[w.r.IntN(2)]
	case k == 1 || g.Outcome != "" && k < 30:
		cmd.Do, cmd.Variant = wire.DoNew, []string{"chess", "locking", "meirav", "pillar", "superchess",
			"flying"}[w.r.IntN(6)]
		if w.r.IntN(2) == 0 {
			cmd.Clock = &wire.ClockSpec{Kind: game.Fischer, Initial: 60_000, Increment: 2000}
		}
	case k < 14:
		cmd.Do = actions[w.r.IntN(len(actions))]
		if cmd.Do == wire.DoTakeback {
			cmd.Plies = w.r.IntN(3)
		}
	case len(g.Legal) == 0 || g.Turn == "white" && g.Seats.White != c.name || g.Turn == "black" &&
		g.Seats.Black != c.name:
		return
	default:
		cmd.Move = g.Legal[w.r.IntN(len(g.Legal))]
	}
	if w.r.IntN(4) > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		reply := c.b.ask(ctx, cmd, atPage)
		if reply.OK {
			w.count[cmd.Do]++
		}
		w.log("%s: %s %s %s %v %s", c.name, cmd.Do, cmd.Move, cmd.Variant, reply.OK, reply.Error)
		return
	}
	payload, err := json.Marshal(cmd)
	if err != nil {
		w.t.Fatal(err)
	}
	w.log("%s: %s %s %s by the broker", c.name, cmd.Do, cmd.Move, cmd.Variant)
	for range 1 + w.r.IntN(2) {
		w.publish(message{wire.Topic(c.name, wire.LeafCommand), payload}, false)
	}
}

// publish publishes a message in the name of others.
func (w *cities) publish(m message, retain bool) {
	w.mu.Lock()
	w.repeating = true
	w.mu.Unlock()
	_ = w.net.Publish(m.topic, m.payload, retain) // fails while the broker is down
	w.mu.Lock()
	w.repeating = false
	w.mu.Unlock()
}

// hear notes what a board has told.
func (w *cities) hear(topic string, payload []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.repeating {
		return
	}
	var g wire.Game
	if err := json.Unmarshal(payload, &g); err != nil {
		return
	}
	w.mail = append(w.mail, message{topic, payload})
	for _, c := range w.two {
		if topic == wire.Topic(c.name, wire.LeafGame) {
			c.mu.Lock()
			c.said = &g
			c.mu.Unlock()
		}
	}
}

func (w *cities) watch() {
	if err := w.net.Watch("boardd/v1/+/game", w.hear); err != nil {
		w.t.Fatal(err)
	}
}

// step lets one random thing happen.
func (w *cities) step() {
	w.pass(2 * time.Second)
	i := w.r.IntN(2)
	c := w.two[i]
	if c.b == nil {
		if w.r.IntN(2) == 0 {
			w.log("%s is switched on", c.name)
			w.on(i)
		}
		return
	}
	switch k := w.r.IntN(100); {
	case k < 70:
		w.act(i)
	case k < 76:
		w.log("the link of %s breaks", c.name)
		w.net.Cut(c.name)
	case k < 80:
		w.log("no way to the broker")
		w.net.Leave(true)
		w.net.Cut("north")
		w.net.Cut("south")
		w.pass(30 * time.Second)
		w.net.Leave(false)
	case k < 86 && len(w.mail) > 0:
		w.mu.Lock()
		m := w.mail[len(w.mail)-1-w.r.IntN(min(8, len(w.mail)))]
		w.mu.Unlock()
		w.log("an old message comes again on %s", m.topic)
		w.publish(m, w.r.IntN(2) == 0)
	case k < 88:
		w.saved = w.net.Retained()
	case k < 92:
		w.crashBroker()
	default:
		w.crash(i)
	}
}

// crashBroker ends the broker. The next one has what it retained, an old copy of that, or nothing.
func (w *cities) crashBroker() {
	kept := w.net.Retained()
	switch w.r.IntN(3) {
	case 0:
		kept = nil
	case 1:
		kept = w.saved
	}
	w.log("the broker crashes; the next one holds %v", slices.Sorted(maps.Keys(kept)))
	w.count["broker crash"]++
	w.net.Crash()
	w.pass(20 * time.Second)
	w.repeating = true
	if err := w.net.Restart(kept); err != nil {
		w.t.Fatal(err)
	}
	w.repeating = false
	w.watch()
}

// agree checks that both boards hold prefixes of one game, if they know of the same game and takebacks.
func (w *cities) agree() {
	if w.two[0].b == nil || w.two[1].b == nil {
		return
	}
	synctest.Wait()
	x, y := w.two[0].game(), w.two[1].game()
	if n := min(len(x.Moves), len(y.Moves)); x.Game == y.Game && x.Takebacks == y.Takebacks &&
		!slices.Equal(x.Moves[:n], y.Moves[:n]) {
		w.fail("the boards hold %v and %v", x.Moves, y.Moves)
	}
}

// agrees lets people say yes to a new game that the other board asks for, or has begun while they could not be asked.
func (w *cities) agrees(c *city) {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if c.b.ask(ctx, wire.Command{ID: "1", Do: wire.DoAccept}, atPage).OK {
		w.count["agreed when healed"]++
		w.log("%s agrees", c.name)
	}
}

// heal brings everything back and waits until both boards show the same game. Open requests are granted.
func (w *cities) heal() {
	w.log("all is healed")
	for i, c := range w.two {
		if c.b == nil {
			w.on(i)
		}
	}
	same := func() bool {
		x, y := w.two[0].game(), w.two[1].game()
		return x.Game == y.Game && slices.Equal(x.Moves, y.Moves) && x.Takebacks == y.Takebacks && x.Outcome == y.Outcome &&
			x.Reason == y.Reason
	}
	for range 40 {
		w.pass(10 * time.Second)
		if same() {
			break
		}
		for _, c := range w.two {
			w.agrees(c)
		}
	}
	x, y := w.two[0].game(), w.two[1].game()
	if !same() {
		w.fail("after healing:\n%s %v %s %s takebacks %d conflict %q\n%s %v %s %s takebacks %d conflict %q", x.Game, x.Moves,
			x.Outcome, x.Reason, x.Takebacks, x.Conflict, y.Game, y.Moves, y.Outcome, y.Reason, y.Takebacks, y.Conflict)
	}
	w.count["moves in the last game"] += len(x.Moves)
	w.count["ended by "+x.Reason]++
}

// playHistory plays one schedule in a bubble of virtual time.
func playHistory(t *testing.T, seed uint64, dir string, count map[string]int) {
	r := rand.New(rand.NewPCG(seed, 9))
	net, err := mirrortest.NewNet(time.Duration(r.IntN(300))*time.Millisecond, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &cities{t: t, r: r, net: net, count: count}
	w.log("history %d", seed)
	w.watch()
	for i, name := range []string{"north", "south"} {
		conf := config.Default()
		conf.Board, conf.Kind, conf.Variant = name, "stack", "locking"
		conf.White, conf.Black, conf.Sign = "north", "south", seed%2 == 0
		conf.StateDir, conf.Takeback = filepath.Join(dir, name), []string{game.TakebackConsent, game.TakebackFree,
			game.TakebackNever}[seed%3]
		if err := os.MkdirAll(conf.StateDir, 0o750); err != nil {
			t.Fatal(err)
		}
		w.two[i] = &city{name: name, conf: conf, disk: journaltest.NewMemory()}
	}
	defer w.close()
	w.on(0)
	w.on(1)
	for range 40 {
		w.step()
		w.agree()
	}
	w.heal()
}

// close ends everything, so that the bubble can end.
func (w *cities) close() {
	for _, c := range w.two {
		if c.b != nil {
			close(c.dead)
			c.off()
		}
	}
	time.Sleep(time.Minute) // what is still on its way arrives
	w.net.Close()
	synctest.Wait()
}

// mended are histories in which a board asked to end the game and then did not know the answer. It had lost power, or
// had resigned meanwhile.
var mended = []uint64{921, 5597}

// TestTwoCities checks two boards with journal, signatures and mirror, a broker and a network, all in virtual time.
// Moves, commands, lost and repeated messages, power cuts (also in the middle of a write) and crashes of the broker
// are drawn at random. Both always hold prefixes of one legal game and agree when all is repaired. A board that comes
// back has what it had told others.
func TestTwoCities(t *testing.T) {
	const shards = 4
	histories := *modelled
	if shortened() {
		histories = min(histories, 4)
	}
	var mu sync.Mutex
	total := map[string]int{}
	t.Run("histories", func(t *testing.T) {
		for shard := range shards {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				dir, count := t.TempDir(), map[string]int{}
				if shard < len(mended) {
					synctest.Test(t, func(t *testing.T) { playHistory(t, mended[shard], dir, count) })
				}
				for seed := *first + shard; seed < *first+histories && !t.Failed(); seed += shards {
					synctest.Test(t, func(t *testing.T) { playHistory(t, uint64(seed), dir, count) })
				}
				mu.Lock()
				defer mu.Unlock()
				for what, n := range count {
					total[what] += n
				}
			})
		}
	})
	t.Logf("%d histories: %v", histories, total)
	for _, want := range []string{wire.DoMove, wire.DoNew, wire.DoTakeback, wire.DoResign, "power cut",
		"power cut in a write", "broker crash"} {
		if total[want] == 0 {
			t.Errorf("no history has a %s: the check does not reach it", want)
		}
	}
}
