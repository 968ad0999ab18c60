// SPDX-License-Identifier: Apache-2.0

package club

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/corentings/chess/v2"

	"boardd/config"
	"boardd/rules/game"
	"boardd/sync/mirror"
	"boardd/sync/mirror/mirrortest"
	"boardd/sync/wire"
	"boardd/sync/words"
)

// seat is one virtual table: a game that goes on by itself, on a broker.
type seat struct {
	t      *testing.T
	board  string
	game   *game.Game
	mirror *mirror.Mirror
	random *rand.Rand
	moves  int  // until it ends
	deaf   bool // it takes no commands
}

// sit begins a table; it plays until ctx ends.
func sit(ctx context.Context, t *testing.T, n *mirrortest.Net, number int) (s *seat, done chan struct{}) {
	board := fmt.Sprintf("table-%02d", number)
	s = &seat{t: t, board: board, random: rand.New(rand.NewPCG(25, uint64(number))), moves: 12 + number,
		deaf: number == 13}
	s.mirror = mirror.New(mirror.Options{Board: board, URL: "tcp://broker:1883", Dial: n.Dial(board)})
	s.begin("")
	done = make(chan struct{})
	running := make(chan struct{})
	go func() {
		defer close(running)
		if err := s.mirror.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	go func() {
		defer close(done)
		s.play(ctx, number)
		<-running
	}()
	return s, done
}

// begin begins another game, with a clock.
func (s *seat) begin(after string) {
	e, err := game.Start(game.Setup{ID: game.NewID(time.Now(), s.random.Uint64(), after), Variant: "chess",
		White: game.Local, Black: game.Local, Board: s.board,
		Clock: &game.Timing{Kind: game.Fischer, Initial: 5_400_000, Increment: 30_000}}, time.Now())
	if err == nil {
		s.game, err = game.New(e)
	}
	if err != nil {
		s.t.Error(err)
	}
}

// do lets something happen in the game.
func (s *seat) do(a game.Action) error {
	events, err := s.game.Decide(a, time.Now())
	for _, e := range events {
		if err == nil {
			err = s.game.Apply(e)
		}
	}
	return err
}

// publish publishes the whole game.
func (s *seat) publish() {
	g, set, start, p := s.game, s.game.Setup(), s.game.Start(), s.game.Position()
	m := wire.Game{Schema: wire.Schema, Game: g.ID(), Variant: set.Variant,
		Seats: wire.Seats{White: set.White, Black: set.Black}, Start: start.FEN(), Moves: g.Coords(), SAN: g.SAN(),
		FEN: p.FEN(), Turn: p.Turn().String(), Outcome: g.Outcome(), Takebacks: g.Takebacks(),
		Timing: words.Clock(set.Clock), Names: words.Names(g.Names())}
	if g.Over() {
		m.Reason = string(g.Reason())
	}
	m.Date, m.Clocks = words.Times(g)
	s.mirror.Publish(m)
}

// play makes a move now and then, and what else a table does, until its game is over.
func (s *seat) play(ctx context.Context, number int) {
	s.publish()
	next := time.NewTimer(10 * time.Second)
	restarted := number != 5
	for {
		select {
		case <-ctx.Done():
			return
		case in, open := <-s.mirror.Incoming():
			if !open {
				return
			}
			if in.Command != nil {
				s.obey(in.Command)
			}
			continue
		case <-next.C:
		}
		next.Reset(time.Duration(2+s.random.IntN(6)) * time.Second)
		var err error
		switch {
		case s.game.Over():
			next.Stop()
		case !restarted && s.game.Plies() == 7: // a game that began with the wrong colors
			restarted = true
			s.begin(s.game.ID())
		case number == 6 && s.game.Plies() == 12 && s.game.Takebacks() == 0: // a move that the board had read wrongly
			err = s.do(game.Action{Do: game.Takeback, Plies: 1})
		case s.game.Plies() >= s.moves:
			err = s.do([]game.Action{{Do: game.Resign, By: game.White}, {Do: game.Resign, By: game.Black},
				{Do: game.Kings, Outcome: game.Draw}}[number%3])
		default:
			legal := s.game.Legal()
			err = s.do(game.Action{Do: game.Move, Move: legal[s.random.IntN(len(legal))]})
		}
		if err != nil {
			s.t.Errorf("%s: %v", s.board, err)
			return
		}
		s.publish()
	}
}

// obey carries out a command that came from the club.
func (s *seat) obey(c *wire.Command) {
	r := wire.Reply{ID: c.ID, OK: true}
	switch {
	case c.Do != wire.DoName || c.Names == nil:
		s.t.Errorf("%s is asked for %+v", s.board, c)
	case s.deaf:
		r = wire.Reply{ID: c.ID, Error: "this board takes no commands over MQTT (mqtt.commands is off)"}
	default:
		names := game.Names(*c.Names)
		if err := s.do(game.Action{Do: game.Name, Names: &names}); err != nil {
			s.t.Errorf("%s: %v", s.board, err)
		}
		s.publish()
	}
	s.mirror.Reply(r)
}

// organiser is the club's program, in a test.
type organiser struct {
	t       *testing.T
	program *program
	handler http.Handler
}

func organise(ctx context.Context, t *testing.T, n *mirrortest.Net, c *config.Config) (*organiser, chan struct{}) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	o := mirror.Options{URL: "tcp://broker:1883", Dial: n.Dial("club"), Replies: true}
	p, err := open(c, mirror.NewSpectator(o), log)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := p.run(ctx); err != nil {
			t.Error(err)
		}
	}()
	return &organiser{t, p, p.handler(mirror.NewSpectator(o))}, done
}

// get is a file as a viewer gets it.
func (o *organiser) get(path string) string {
	o.t.Helper()
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if w.Code != http.StatusOK {
		o.t.Fatalf("%s: status %d: %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// comment is what stands behind a move, and what stands before it.
var comment = regexp.MustCompile(`\{[^}]*\}|[0-9]+\.+`)

// glance returns the games of the feed, parsed roughly: by table, the words of the moves and the result.
func (o *organiser) glance() (games [][]string) {
	o.t.Helper()
	for i, part := range strings.Split(o.get("/games.pgn"), "\n\n") {
		if i%2 == 1 {
			games = append(games, strings.Fields(comment.ReplaceAllString(part, "")))
		}
	}
	return games
}

// feed returns the games of the feed as an independent library reads them: by table, the moves and the result.
func (o *organiser) feed() (games [][]string) {
	o.t.Helper()
	read := chess.NewScanner(strings.NewReader(o.get("/games.pgn")))
	for read.HasNext() {
		g, err := read.ParseNext()
		if err != nil {
			o.t.Fatalf("%v in\n%s", err, o.get("/games.pgn"))
		}
		var line []string
		for _, m := range g.Moves() {
			line = append(line, m.String())
		}
		games = append(games, append(line, g.GetTagPair("Result")))
	}
	return games
}

// pairings are those of this many tables, as a pairing program writes them.
func pairings(tables int) string {
	var b strings.Builder
	for n := 1; n <= tables; n++ {
		fmt.Fprintf(&b, "[Event \"Open\"]\n[Round \"4.%d\"]\n[White \"White, %d\"]\n[Black \"Black, %d\"]\n"+
			"[WhiteFideId \"%d\"]\n[Result \"*\"]\n\n*\n\n", n, n, n, 1000+n)
	}
	return b.String()
}

// TestTournament: twenty tables play a round to its end. Pairings go in and results come out. A move is corrected, a
// game is restarted, a table takes no names, and another one is cut off for a minute. The feed never goes back except
// for the correction and the restart, and in the end it has what was played.
func TestTournament(t *testing.T) {
	dir := t.TempDir()
	c := config.Default()
	c.ClubFolder, c.ClubPairings = filepath.Join(dir, "club"), filepath.Join(dir, "round4.pgn")
	if err := os.WriteFile(c.ClubPairings, []byte(pairings(20)), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		n, err := mirrortest.NewNet(5*time.Millisecond, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		o, done := organise(ctx, t, n, &c)
		var seats []*seat
		ends := []chan struct{}{done}
		for k := 1; k <= 20; k++ {
			s, end := sit(ctx, t, n, k)
			seats, ends = append(seats, s), append(ends, end)
		}
		var before [][]string
		backs := map[int]int{}
		for second := range 4 * 60 {
			time.Sleep(time.Second)
			synctest.Wait()
			switch second {
			case 60:
				n.CutOff("table-09", true)
			case 90:
				if got := o.get("/status.json"); !strings.Contains(got, "its board is not connected") {
					t.Errorf("nobody is told that table 9 is away: %s", got)
				}
			case 120:
				n.CutOff("table-09", false)
			}
			now := o.glance()
			if len(now) != 20 {
				t.Fatalf("%d games in the feed after %d s", len(now), second)
			}
			for k := range before {
				was := before[k][:len(before[k])-1]
				if len(now[k])-1 < len(was) || !slices.Equal(now[k][:len(was)], was) || before[k][len(was)] != "*" &&
					!slices.Equal(before[k], now[k]) {
					backs[k+1]++
				}
			}
			before = now
		}
		if len(backs) != 2 || backs[5] != 1 || backs[6] != 1 {
			t.Errorf("the feed went back at the tables %v, want once each at 5 (restarted) and 6 (corrected)", backs)
		}
		stop()
		for _, end := range ends {
			<-end
		}
		finished(t, o, seats, o.feed())
		n.Close() //nolint:errcheck // the test is over
		time.Sleep(time.Minute)
	})
}

// finished compares what the club shows at the end with what was played.
func finished(t *testing.T, o *organiser, seats []*seat, feed [][]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(o.get("/results.csv"))).ReadAll()
	if err != nil || len(rows) != len(seats)+1 {
		t.Fatalf("results.csv: %d rows, %v", len(rows), err)
	}
	for i, s := range seats {
		if want := append(s.game.Coords(), s.game.Outcome()); !slices.Equal(feed[i], want) || !s.game.Over() {
			t.Errorf("%s: the feed has %v, played was %v", s.board, feed[i], want)
		}
		number := fmt.Sprint(i + 1)
		if want := []string{"4", number, "White, " + number, "Black, " + number, s.game.Outcome(), string(s.game.Reason()),
			fmt.Sprint((s.game.Plies() + 1) / 2), s.game.ID()}; !slices.Equal(rows[i+1], want) {
			t.Errorf("results.csv: %v, want %v", rows[i+1], want)
		}
		if got, want := s.game.Names().White, "White, "+number; got != want && !s.deaf {
			t.Errorf("%s shows %q, want %q", s.board, got, want)
		}
		one := fmt.Sprintf("game-%d.pgn", i+1)
		onDisk, err := os.ReadFile(filepath.Join(o.program.folder, one))
		if served := o.get("/round-4/" + one); err != nil || served != string(onDisk) ||
			!strings.Contains(o.get("/games.pgn"), served) {
			t.Errorf("%s: on disk, on its address and in games.pgn it is not the same: %v", one, err)
		}
	}
	if got := o.get("/status.json"); !strings.Contains(got, "it does not show the names: this board takes no commands") &&
		!strings.Contains(got, "table-13") {
		t.Errorf("the organiser is not told that table 13 shows no names: %s", got)
	}
	if got, want := o.get("/tournament.json"),
		`{"id":"club","name":"club","rounds":[{"count":0,"live":0},{"count":0,"live":0},{"count":0,"live":0},{"count":20,"live":0}]}`+"\n"; got != want {
		t.Errorf("tournament.json %s, want %s", got, want)
	}
}

// TestPairingsChange: changed pairings count at once, and faulty ones change nothing. Another round begins in a folder
// of its own. A program that is started again shows what it showed before.
func TestPairingsChange(t *testing.T) {
	dir := t.TempDir()
	c := config.Default()
	c.ClubFolder, c.ClubPairings = filepath.Join(dir, "club"), filepath.Join(dir, "pairings.csv")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(c.ClubPairings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("round,table,white,black\n1,1,A,B\n")
	synctest.Test(t, func(t *testing.T) {
		n, err := mirrortest.NewNet(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		playing, end := context.WithCancel(t.Context())
		o, done := organise(ctx, t, n, &c)
		s, over := sit(playing, t, n, 1)
		shows := func(what, path string, want ...string) {
			t.Helper()
			time.Sleep(90 * time.Second)
			synctest.Wait()
			for _, w := range want {
				if got := o.get(path); !strings.Contains(got, w) {
					t.Errorf("%s: %s is %s, want %q in it", what, path, got, w)
				}
			}
		}
		shows("at first", "/games.pgn", `[White "A"]`, `[Round "1.1"]`, "1.")
		put("round,table,white,black\n1,1,A,B")
		put("round,table,white,black\n1,1,A,\"Better, Bea\"\n")
		shows("a name is put right", "/games.pgn", `[Black "Better, Bea"]`)
		put("round,table,white,black\n1,one,A,B\n")
		shows("a slip", "/status.json", "line 2: table", "Better, Bea")
		stop()
		<-done
		ctx, stop = context.WithCancel(t.Context())
		put("round,table,white,black\n1,1,A,\"Better, Bea\"\n")
		before := o.get("/games.pgn")
		o, done = organise(ctx, t, n, &c)
		if got := o.get("/games.pgn"); got != before {
			t.Errorf("started again it shows\n%s\nwant\n%s", got, before)
		}
		shows("the game is over", "/results.csv", `1,1,A,"Better, Bea",`+s.game.Outcome())
		last := o.get("/round-1/games.pgn")
		put("round,table,white,black\n1,1,A,\"Better, Bea\"\n2,1,B,A\n")
		shows("the next round", "/games.pgn", `[Round "2.1"]`, `[White "B"]`, "\n\n*\n")
		if got := o.get("/round-1/games.pgn"); got != last {
			t.Errorf("the last round has changed: %s", got)
		}
		stop()
		<-done
		end()
		<-over
		n.Close() //nolint:errcheck // the test is over
		time.Sleep(time.Minute)
	})
}
