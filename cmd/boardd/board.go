// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"boardd/cmd/boardd/analysis"
	"boardd/cmd/boardd/beside"
	"boardd/cmd/boardd/games"
	"boardd/cmd/boardd/history"
	"boardd/cmd/boardd/link"
	"boardd/cmd/boardd/live"
	"boardd/cmd/boardd/recorder"
	"boardd/cmd/boardd/screen"
	"boardd/cmd/boardd/seat"
	"boardd/cmd/boardd/senses"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/button"
	"boardd/sync/journal"
	"boardd/sync/lichess"
	"boardd/sync/mirror"
	"boardd/sync/tongue"
	"boardd/sync/trust"
	"boardd/sync/web"
	"boardd/sync/wire"
	"boardd/systemd/watchdog"

	"github.com/coreos/go-systemd/v22/daemon"
)

// board is one board's daemon. The goroutine of run owns everything below the line.
type board struct {
	id       string
	conf     config.Config // as it is in force: a virtual board has its own buses
	asked    config.Config // as the file has it
	log      *slog.Logger
	rig      *rig.Rig
	mirror   *mirror.Mirror // nil: without a broker
	link     mirror.Options // of mirror
	feed     *web.Feed
	live     *live.File // the game, as a game file
	beside   *beside.Parts
	requests chan request // capacity 0: whoever asks waits, with its own deadline
	acts     chan func()  // capacity 0: functions for the loop to call
	readings chan sensing.Reading
	started  time.Time
	analyst  *analysis.Analyst
	bench    *senses.Minutes // the readings of the last minute, for the workshop page

	// ---- owned by the loop
	table     *table.Table
	keys      *trust.Keys
	orders    *trust.SignedCommands
	strangers link.Strangers
	journal   *journal.Journal
	ended     *games.Ended
	scribe    history.Scribe
	removed   int64         // bytes of old games that the journal gave up, not told yet
	signed    bool          // the journal has moves that this board signed before it began
	unsigned  error         // why the moves are not signed
	illFit    error         // why the calibration is not in use
	unasked   error         // why no signed command is taken
	full      error         // what people have to know about the journal's size, nil for nothing
	mended    string        // what the journal lost before this start, "" for nothing
	foreign   *history.Kept // another board's game that is newer in the journal than this one's; nil for none
	record    recorder.Recorder
	lighting  *rig.Lighting
	screen    *rig.Screen
	turned    atomic.Bool  // the game lies on the board the other way round
	voice     screen.Voice // of the display
	engine    *seat.Seat
	sheet     analysis.Finished // of the game, or of an earlier one
	online    *lichess.Seat     // nil: no account at Lichess
}

// request is a command on its way into the loop.
type request struct {
	command wire.Command
	via     string            // by which way it came, see [game.Action]
	reply   chan<- wire.Reply // capacity 1
}

// opener opens the hardware: all of it, or only the parts that are there (rig.OpenMost).
type opener func(*config.Config, *slog.Logger) (*rig.Rig, error)

// newBoard opens the hardware and the journal and resumes the game.
func newBoard(c config.Config, open opener, log *slog.Logger) (*board, error) {
	conf := c
	log = log.With("board", c.Board)
	r, err := open(&conf, log)
	if err != nil {
		return nil, err
	}
	return openBoard(conf, c, r, journal.Options{}, log)
}

// openBoard makes a board from its hardware and resumes the game in its journal. If that fails it closes the hardware.
func openBoard(conf, asked config.Config, r *rig.Rig, o journal.Options, log *slog.Logger) (*board, error) {
	b := &board{
		id: conf.Board, conf: conf, asked: asked, rig: r, log: log, feed: web.NewFeed(),
		live: live.New(filepath.Join(conf.StateDir, "live.pgn")), started: time.Now(),
		ended: games.NewEnded(conf.StateDir, log),
		bench: senses.New(), beside: beside.New(log), requests: make(chan request), acts: make(chan func()),
		readings: make(chan sensing.Reading, 64), engine: seat.New(&conf, log), online: seat.Online(&conf, log),
	}
	b.analyst = analysis.New(games.Sheets(conf.StateDir), seat.Analyst(&conf, log),
		func(a web.AnalysisProgress) { b.feed.Set("analysis", a) }, log)
	if b.illFit = r.Calibrate(&b.conf, log); b.illFit != nil {
		log.Error("the calibration is not used", "error", b.illFit)
	}
	if r.Lights != nil {
		b.lighting = r.NewLighting()
		if r.Virtual == nil {
			b.lighting.Shown = b.showLights // a virtual board shows what it decodes from its LED line
		}
	}
	if r.Display != nil {
		b.screen = r.NewScreen()
		var err error
		if b.voice, err = tongue.Voice(conf.Language); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	if err := b.resume(o); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	b.standWood()
	return b, nil
}

// run runs the board until ctx ends. In the end the lights are out and everything is closed.
func (b *board) run(ctx context.Context) error {
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	sensed := b.rig.RunSources(inner, b.readings, b.log)
	part := func(there bool, name string, run func(context.Context)) {
		if there {
			b.beside.Run(inner, name, run)
		}
	}
	part(b.lighting != nil, "lights", func(ctx context.Context) { b.lighting.Run(ctx, b.log) })
	part(b.rig.Virtual != nil, "lights of the page", b.watchLights)
	part(b.screen != nil, "display", func(ctx context.Context) { b.screen.Run(ctx, b.log) })
	part(true, "file of the running game", func(ctx context.Context) { b.live.Run(ctx, b.log) })
	part(true, "analysis", b.analyst.Run)
	part(b.online != nil, "Lichess", func(ctx context.Context) { b.online.Run(ctx) })
	if b.mirror != nil {
		b.beside.Go(inner, "mirror", func(ctx context.Context, _ func()) error { return b.mirror.Run(ctx) })
	}
	presses, released := b.rig.RunButtons(inner)
	b.loop(ctx, presses)
	b.engine.Close()
	stop()
	released()
	b.beside.Wait()
	sensed()
	b.record.Close()
	return errors.Join(b.journal.Close(), b.rig.Close())
}

// loop takes one input at a time until ctx ends.
func (b *board) loop(ctx context.Context, presses <-chan button.Press) {
	b.table.SetBroker(b.mirror != nil)
	b.publish(b.table.Unsaved() == nil)
	b.tellMended()
	b.health()
	wake := time.NewTimer(time.Second)
	defer wake.Stop()
	beat := time.NewTicker(heartbeat) // a ticker of its own: a timer that each reading sets again would never fire
	defer beat.Stop()
	health := time.NewTicker(healthEvery)
	defer health.Stop()
	var incoming <-chan mirror.Incoming
	if b.mirror != nil {
		incoming = b.mirror.Incoming()
		b.follow(b.table.Opponent())
	}
	dog := watchdog.New()
	dog.Say(daemon.SdNotifyReady)
	defer dog.Say(daemon.SdNotifyStopping)
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-b.readings:
			b.observe(&r)
		case q := <-b.requests:
			q.reply <- b.answer(&q.command, q.via)
		case f := <-b.acts:
			f()
		case in, open := <-incoming:
			if !open {
				incoming = nil // the mirror has stopped and said why
				continue
			}
			b.receive(&in)
		case p := <-presses:
			b.carry(b.table.Press(time.Now(), p.At, game.Side(p.Name), p.Held))
		case t := <-b.engine.Thoughts():
			b.carry(t.Answer(b.table, time.Now()))
		case b.sheet = <-b.analyst.Finished():
			b.saveAnalysis()
		case s := <-b.online.Said():
			b.lichessUpdate(&s)
		case text := <-b.engine.Troubles():
			b.carry(b.table.EngineTrouble(time.Now(), text))
		case <-wake.C:
			b.look()
		case <-beat.C:
			b.carry(b.table.Tick(time.Now()))
			b.record.Flush(time.Now(), b.traceStart)
			dog.Feed(time.Now())
		case <-health.C:
			b.health()
		}
		wake.Reset(b.lookAgainAfter(time.Now()))
	}
}

const (
	heartbeat   = 100 * time.Millisecond // how often the game clock is checked, and failed writes are tried again
	healthEvery = 10 * time.Second       // how often the health of the parts is published

	// handTime is the time of each movement of a virtual hand, in which the sensors must notice it. With load cells it is
	// half the time of a blitz player. Height sensors are read 12 times a second and see the hand first: the whole time.
	handTime     = 60 * time.Millisecond
	handTimeTwin = 120 * time.Millisecond
)

// traceStart is the position and the game with which a trace begins now.
func (b *board) traceStart() table.Begin {
	return table.Begin{Position: b.table.Game().Position(), Plies: b.table.Game().Plies()}
}

// observe takes a reading to the table.
func (b *board) observe(r *sensing.Reading) {
	b.bench.Take(r) // in squares of the board, even if the game lies the other way round
	b.carry(b.table.Sense(time.Now(), r))
}

// look looks at the wood after nothing has come in for a while. On a busy machine readings may be waiting all the
// same, and they come first. But if they keep coming, the loop has to go on to its other work.
func (b *board) look() {
	for range cap(b.readings) {
		select {
		case r := <-b.readings:
			b.observe(&r)
		default:
			b.carry(b.table.Look(time.Now()))
			return
		}
	}
}

// lookAgainAfter is the time without readings after which the wood is looked at again.
func (b *board) lookAgainAfter(now time.Time) time.Duration {
	if soon := b.table.NextLook(now); soon > 0 {
		return min(time.Second, soon)
	}
	return time.Second
}

// ask sends a command to the loop and waits for the reply, or until ctx ends.
func (b *board) ask(ctx context.Context, c wire.Command, v web.Visitor) wire.Reply {
	return b.take(ctx, c, game.OnPage(v.Token, v.Here), v.Address)
}

// take is ask for a command that was given in any way.
func (b *board) take(ctx context.Context, c wire.Command, via, from string) wire.Reply {
	reply := make(chan wire.Reply, 1)
	b.log.Info("a command came", "do", c.Do, "id", c.ID, "given", game.Given(via), "from", from)
	select {
	case b.requests <- request{c, via, reply}:
	case <-ctx.Done():
		return refusal(c.ID, errors.New("the board does not answer: it is starting or stopping"))
	}
	select {
	case r := <-reply:
		return r
	case <-ctx.Done():
		return refusal(c.ID, errors.New("the board has not answered in time; look at the game before asking again"))
	}
}

func refusal(id string, err error) wire.Reply {
	return wire.Reply{ID: id, Error: err.Error(), Said: sentences(say.Of(err))}
}
