// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/sensing"
	"boardd/sensing/button"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/journal"
	"boardd/sync/mirror"
	"boardd/sync/web"
	"boardd/sync/wire"
	"boardd/systemd/watchdog"

	"github.com/coreos/go-systemd/v22/daemon"
)

// board is one board's daemon. The goroutine of run owns everything below the line.
type board struct {
	id       string
	conf     config.Config      // as it is carried out: a virtual board has its own buses
	asked    config.Config      // as the file has it
	reloads  chan config.Config // capacity 0: files that were read again
	log      *slog.Logger
	rig      *rig.Rig
	mirror   *mirror.Mirror // nil: without a broker
	link     mirror.Options // of mirror
	feed     *web.Feed
	requests chan request // capacity 0: who asks waits, with a deadline of its own
	readings chan sensing.Reading
	started  time.Time
	bench    *bench // the last minute of what was sensed, for the workshop

	// ---- owned by the loop
	journal     *journal.Journal
	key         ed25519.PrivateKey // nil: the moves are not signed
	unsigned    error              // why there is no key
	trust       trust
	doubt       *doubt // why the rival's last message is not believed, nil when it is
	mended      string // what the journal lost before this start, "" for nothing
	broken      error  // the journal's last failure, nil while it writes
	retried     time.Time
	record      record
	handMade    bool   // what is being committed was recognised on the board
	byWord      bool   // or people have said which of several moves it was
	kept        stance // of the wood, as the journal has it
	game        *game.Game
	decoder     decoder
	renew       bool      // the decoder's settings have changed
	latest      time.Time // that the decoder was told of, or asked about
	lamp        *lamp
	screen      *screen
	wood        woodState
	explain     reconcile.Explanation
	array       int // index of the base that is the array put up again, 0 when there is none
	view        leds.View
	lit         bool // view has been shown
	hold        hold
	told        wire.Game // as last published
	toldAt      time.Time
	conflict    string
	clashing    string               // the id of another game that the conflict is about, "" when it is about this one
	linkUp      bool                 // the broker was reached when it was last heard of
	linkTrouble string               // what is wrong with the link, "" when nothing is
	linkSaid    string               // the last trouble with the broker that was told
	away        absence              // of the board that plays against this one
	rivals      map[string]wire.Game // newest game of each board we follow
}

// request is a command on its way into the loop.
type request struct {
	command wire.Command
	reply   chan<- wire.Reply // capacity 1
}

// woodState is how the wood stands to the game.
type woodState struct {
	ply     int       // the ply that the wood shows
	state   string    // wire.Synced ...
	goal    string    // while the wood has to be brought to the game: wire.Executing, wire.Setup or wire.Wrong; "" in play
	asked   time.Time // when the open question was asked
	choices []reconcile.Choice
	stood   []int        // how many pieces stood on the place of each choice when it was asked
	base    int          // of the choices
	answer  rules.Move   // the choice whose piece is lifted, NoMove for none
	lifted  time.Time    // when
	settled int          // plies of the game when an answer settled what the last move was; 0: none did
	left    bool         // the wood has left the position since the game ended
	kings   []wood.Place // while the array stands in the middle of the game: those of its kings, one of which begins a new game when it is lifted and put back
	crowned bool         // one was lifted
}

// newBoard opens the hardware and the journal and takes up the game where it was left.
func newBoard(c config.Config, log *slog.Logger) (*board, error) {
	conf := c
	log = log.With("board", c.Board)
	r, err := rig.Open(&conf, log)
	if err != nil {
		return nil, err
	}
	return takeUp(conf, c, r, journal.Options{}, log)
}

// takeUp makes a board of its hardware, which it closes when it cannot, and takes up the game that its journal holds.
func takeUp(conf, asked config.Config, r *rig.Rig, o journal.Options, log *slog.Logger) (*board, error) {
	b := &board{
		id: conf.Board, conf: conf, asked: asked, rig: r, reloads: make(chan config.Config), log: log, feed: web.NewFeed(), started: time.Now(),
		bench: newBench(), requests: make(chan request), readings: make(chan sensing.Reading, 64), rivals: map[string]wire.Game{},
	}
	if err := r.Calibrate(&b.conf, log); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	b.decoder = decode(r, &b.conf)
	if r.Lamps != nil {
		b.lamp = newLamp(r.Lamps)
		if r.Virtual == nil {
			b.lamp.shown = b.showLights // of a virtual board, what its line decodes is shown
		}
	}
	if r.Display != nil {
		b.screen = newScreen(r.Display)
	}
	if err := b.resume(o); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	b.stand()
	return b, nil
}

// run is the loop. It ends with ctx, with lights out and everything closed.
func (b *board) run(ctx context.Context) error {
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	sensed := b.rig.Sense(inner, b.readings, b.log)
	lampDone := make(chan struct{})
	go func() {
		defer close(lampDone)
		if b.lamp != nil {
			b.lamp.run(inner, b.log)
		}
	}()
	mirrorDone := make(chan struct{})
	go func() {
		defer close(mirrorDone)
		if b.mirror != nil {
			if err := b.mirror.Run(inner); err != nil && inner.Err() == nil {
				b.log.Error("the mirror stopped: this board is alone until it is restarted", "error", err)
			}
		}
	}()
	lights := make(chan struct{})
	go func() {
		defer close(lights)
		if b.rig.Virtual != nil {
			b.watchLights(inner)
		}
	}()
	screen := make(chan struct{})
	go func() {
		defer close(screen)
		if b.screen != nil {
			b.screen.run(inner, b.log)
		}
	}()
	presses, released := b.rig.Press(inner)
	b.loop(ctx, presses)
	stop()
	released()
	<-screen
	<-lampDone
	<-lights
	<-mirrorDone
	sensed()
	b.record.close()
	return errors.Join(b.journal.Close(), b.rig.Close())
}

// loop takes one thing at a time until ctx ends.
func (b *board) loop(ctx context.Context, presses <-chan button.Press) {
	b.publish()
	b.tellMended()
	b.health()
	wake := time.NewTimer(time.Second)
	defer wake.Stop()
	beat := time.NewTicker(heartbeat) // of its own: readings come so often that a timer set anew at each would never fire
	defer beat.Stop()
	health := time.NewTicker(10 * time.Second)
	defer health.Stop()
	var incoming <-chan mirror.Incoming
	if b.mirror != nil {
		incoming = b.mirror.Incoming()
		b.follow()
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
			q.reply <- b.answer(&q.command)
		case in, open := <-incoming:
			if !open {
				incoming = nil // the mirror has stopped and said why
				continue
			}
			b.receive(&in)
		case p := <-presses:
			b.pressed(&p)
		case c := <-b.reloads:
			b.reload(ctx, &c)
		case <-wake.C:
			b.woken()
		case <-beat.C:
			b.tick(time.Now())
			dog.Feed(time.Now())
		case <-health.C:
			b.health()
		}
		wake.Reset(b.again(time.Now()))
	}
}

// heartbeat is how often the clock is looked at, and what could not be written is tried again.
const heartbeat = 100 * time.Millisecond

// tick does what is due without anything having come in.
func (b *board) tick(now time.Time) {
	if flag, ok := b.untilFlag(now); ok && flag <= 0 {
		if err := b.do(game.Action{Do: game.Flag}); err != nil {
			b.log.Warn("the flag did not fall", "error", err)
		}
		b.refresh(b.game.Plies())
	}
	if b.broken != nil && now.Sub(b.retried) > time.Second {
		b.retried = now
		b.written(b.journal.Retry())
	}
	b.retell(now)
	b.missRival(now)
	b.queen(now)
	b.record.flush(now)
}

// again is how long nothing has to happen before the wood is looked at again.
func (b *board) again(now time.Time) time.Duration {
	next := time.Second
	if at := b.explain.Again; !at.IsZero() {
		next = min(next, max(time.Millisecond, at.Sub(now)))
	}
	return next
}

// ask carries a command into the loop and waits for the reply, or until ctx ends.
func (b *board) ask(ctx context.Context, c wire.Command) wire.Reply {
	reply := make(chan wire.Reply, 1)
	select {
	case b.requests <- request{c, reply}:
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

func refusal(id string, err error) wire.Reply { return wire.Reply{ID: id, Error: err.Error()} }

// holds tells whether this board plays a side.
func (b *board) holds(c rules.Color) bool {
	return b.game.Setup().Here(game.SideOf(c))
}

func (b *board) seat(c rules.Color) string {
	return b.game.Setup().Seat(game.SideOf(c))
}

// rival is the board that plays against this one, "" when both sides sit here.
func (b *board) rival() string {
	for _, c := range []rules.Color{rules.White, rules.Black} {
		if !b.holds(c) {
			return b.seat(c)
		}
	}
	return ""
}

func (b *board) follow() {
	if b.mirror == nil {
		return
	}
	if r := b.rival(); r != "" {
		b.mirror.Follow(r)
	} else {
		b.mirror.Follow()
	}
}
