// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/page"
	"boardd/config"
	"boardd/config/size"
	"boardd/hardware/rig"
	"boardd/hardware/virtual/play"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/search"
	"boardd/rules/search/level"
	"boardd/sync/broker"
	"boardd/sync/wire"
	"boardd/systemd/steady"
)

// demoFlags is the demo's settings.
type demoFlags struct {
	listen, mqtt         string
	listenSpare, mqttTry bool // a default port that is in use may be replaced
	variant, kind, file  string
	hands                string
	exit                 bool
	pace                 float64
	verbose              bool
	opponent             string
}

func parseDemo(s cli.Std, args []string) (demoFlags, error) {
	var d demoFlags
	f := flag.NewFlagSet("demo", flag.ContinueOnError)
	f.StringVar(&d.listen, "listen", "127.0.0.1:8080", "address of the page")
	f.StringVar(&d.mqtt, "mqtt", "127.0.0.1:1883", "address of the broker")
	f.StringVar(&d.variant, "variant", "locking", "the rule set: "+cli.VariantIDs())
	f.StringVar(&d.kind, "board", "stack", "the kind of board: stack, twin or scale")
	f.StringVar(&d.file, "play", "", "a game file that virtual hands play")
	f.StringVar(&d.hands, "hands", "tidy", "how the hands of --play move and how bad the boards are: tidy, club or rough")
	f.StringVar(&d.opponent, "opponent", "none", "who plays at south: none (both boards wait for hands) or person (a "+
		"virtual one, who follows the lights)")
	f.BoolVar(&d.exit, "exit", false, "end after the file's last move; status 0 if all agree on every move and the "+
		"result")
	f.Float64Var(&d.pace, "pace", 1, "pauses of the hands: 0.5 is twice as fast")
	f.BoolVar(&d.verbose, "v", false, "say everything that happens")
	rest, err := cli.Parse(f, s, args)
	if err != nil {
		return d, err
	}
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	d.listenSpare, d.mqttTry = !given["listen"], !given["mqtt"]
	return d, d.check(rest)
}

func (d *demoFlags) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return cli.Misuse("%q is too much: the demo takes flags only", rest[0])
	case d.kind != "stack" && d.kind != "twin" && d.kind != "scale":
		return cli.Misuse("--board %q: it is stack, twin or scale", d.kind)
	case d.hands != "tidy" && d.hands != "club" && d.hands != "rough":
		return cli.Misuse("--hands %q: it is tidy, club or rough", d.hands)
	case d.opponent != "none" && d.opponent != "person":
		return cli.Misuse("--opponent %q: it is person or none", d.opponent)
	case d.opponent == "person" && d.file != "":
		return cli.Misuse("--opponent person goes without --play: there the hands of a file play both sides")
	case d.exit && d.file == "":
		return cli.Misuse("--exit goes with --play FILE")
	case !(d.pace >= 0 && d.pace <= 100): // also false for NaN
		return cli.Misuse("--pace %v: give 0 to 100", d.pace)
	}
	for _, a := range []string{d.listen, d.mqtt} {
		if err := config.CheckAddress(a); err != nil {
			return cli.Wrong(err)
		}
	}
	if _, err := rules.ByID(d.variant); err != nil {
		return cli.Wrong(err)
	}
	return nil
}

// demo runs two virtual boards that play each other, with a broker and a page.
func demo(ctx context.Context, s cli.Std, args []string) error {
	d, err := parseDemo(s, args)
	if err != nil {
		return err
	}
	v, err := rules.ByID(d.variant)
	if err != nil {
		return err
	}
	var file *pgn.Game
	if d.file != "" {
		if file, err = readGame(d.file, v); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "boardd-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	level := slog.LevelWarn
	if d.verbose {
		level = slog.LevelInfo
	}
	log, told := steady.New(s.Err, level)
	defer told()
	br, err := startBroker(broker.Options{Listen: d.mqtt, Dir: filepath.Join(dir, "broker"), Log: log}, d.mqttTry)
	if err != nil {
		return err
	}
	defer br.Close()
	if d.mqttTry && port(br.Addr()) != port(d.mqtt) {
		fmt.Fprintf(s.Out, "%s is taken: the broker has the next free port\n", d.mqtt)
	}
	fmt.Fprintf(s.Out, "broker: %s  (watch it: mosquitto_sub -h 127.0.0.1 -p %s -v -t 'boardd/v1/#')\n", br.URL(),
		port(br.Addr()))
	return d.play(ctx, s, log, dir, br.URL(), v, file)
}

func port(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }

// startBroker starts the broker. With spare, a port that is in use is replaced by the next free one.
func startBroker(o broker.Options, spare bool) (*broker.Broker, error) {
	br, err := broker.Start(o)
	if err == nil || !spare {
		return br, err
	}
	var n int
	if _, e := fmt.Sscan(port(o.Listen), &n); e != nil {
		return nil, err
	}
	host := strings.TrimSuffix(o.Listen, port(o.Listen))
	for k := n + 1; k < n+100; k++ {
		o.Listen = fmt.Sprint(host, k)
		if br, e := broker.Start(o); e == nil {
			return br, nil
		}
	}
	return nil, err
}

// readGame reads a file that contains one game.
func readGame(path string, v *rules.Variant) (*pgn.Game, error) {
	f, err := size.OpenPipe(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the game file: %w", err)
	}
	defer f.Close()
	games, err := pgn.Read(f, v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(games) != 1 {
		return nil, fmt.Errorf("%s holds %d games: the demo plays a file with one", path, len(games))
	}
	return &games[0], nil
}

// play starts the two boards and, if there is a file, the hands that play its game.
func (d *demoFlags) play(ctx context.Context, s cli.Std, log *slog.Logger, dir, broker string, v *rules.Variant,
	file *pgn.Game) error {
	start := ""
	if file != nil {
		v, start = file.Variant, file.Start.FEN()
	}
	var boards []*board
	id := ""
	for _, name := range []string{"north", "south"} {
		c := config.Default()
		c.Board, c.StateDir, c.Kind, c.Virtual, c.Brightness = name, filepath.Join(dir, name), d.kind, true, 100
		c.MQTTCommands = []string{"on"} // only this machine can reach the demo, and it has nothing to lose
		c.MQTTURL, c.Variant, c.White, c.Black = broker, v.ID(), "north", "south"
		if d.hands != "tidy" {
			c.Level = d.hands
		}
		b, err := startBoard(c, rig.Open, nil, log)
		if err != nil {
			return errors.Join(err, closeAll(boards))
		}
		boards = append(boards, b)
		if id == "" {
			id = b.table.NextID(time.Now())
		}
		set := game.Setup{ID: id, Variant: v.ID(), Board: name, White: "north", Black: "south", Start: start}
		effects, err := b.table.Start(time.Now(), set)
		if err != nil {
			return errors.Join(err, closeAll(boards))
		}
		b.carry(effects)
		b.standWood()
	}
	if file == nil {
		persons := play.NewGuests(ctx, playBoards(boards), choose, log)
		defer persons.SetPersons(0)
		if d.opponent == "person" {
			persons.SetPersons(1)
		}
		return runBoards(ctx, &page.Site{Address: d.listen, Spare: d.listenSpare, Visitors: "workshop", Must: true,
			Opponent: persons}, s, log, boards...)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	played := make(chan error, 1)
	go func() {
		err := play.File(ctx, s.Out, broker, d.pace, d.hands, file, playBoards(boards))
		if err == nil {
			fmt.Fprintln(s.Out, "played out: both boards, both topics and the file agree on every move and on the result")
		}
		if d.exit || err != nil {
			stop()
		}
		played <- err
	}()
	err := runBoards(ctx, &page.Site{Address: d.listen, Spare: d.listenSpare, Visitors: "workshop", Must: true}, s, log,
		boards...)
	stop()
	return errors.Join(err, withoutCancel(<-played))
}

func closeAll(boards []*board) error {
	var errs []error
	for _, b := range boards {
		errs = append(errs, b.journal.Close(), b.rig.Close())
	}
	return errors.Join(errs...)
}

// withoutCancel drops the error that says that the program was told to stop.
func withoutCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// playBoards gives virtual hands their boards.
func playBoards(boards []*board) (list []*play.Board) {
	for _, b := range boards {
		list = append(list, &play.Board{ID: b.id, Virtual: b.rig.Virtual, Geometry: &b.rig.Geometry, Moved: b.hands().Done,
			Game: func() []byte { return b.feed.Get("game") }, Changed: b.feed.Changed, Turned: b.turned.Load,
			Ask: func(ctx context.Context, c wire.Command) wire.Reply { return b.take(ctx, c, game.ByPerson, "") }})
	}
	return list
}

// guestLevel is how well a virtual person plays: a newcomer should be able to win.
const guestLevel = 2

// choose returns a virtual person's move, NoMove if there is none.
func choose(p rules.Position) rules.Move {
	if len(p.AppendMoves(nil)) == 0 {
		return rules.NoMove
	}
	v := p.Variant()
	info := search.New(level.Eval(v, guestLevel), 4<<20).Run(p, nil, level.Limits(v, guestLevel),
		func(search.Info) bool { return true })
	return info.Move()
}
