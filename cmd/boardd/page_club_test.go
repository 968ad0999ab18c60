// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sync/broker"
	"boardd/sync/wire"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// TestTwoBrowsers: two people with a browser each play on two boards. A third one without a token sees the game and
// can change nothing. After the daemon was killed and started again every page goes on by itself.
func TestTwoBrowsers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	if err := os.WriteFile(tokens, []byte("player knows-the-rules\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	conf := writeConfig(t, dir, "locking", "stack", "  visitors: spectator\n  token_file: "+tokens+"\n")
	r := start(t, "run", "--config", conf)
	address := strings.TrimSuffix(strings.TrimPrefix(r.page, "http://"), "/")
	player, looker := browser(t, 1200, 1000, r.page), browser(t, 390, 844, r.page)
	drawn := `document.querySelectorAll("section.board .deck .cube").length === 32`
	soon(t, player, "the board is drawn", drawn)
	soon(t, looker, "it is drawn for the looker-on", drawn)
	if evaluate[bool](t, looker, `[...document.querySelectorAll(".needs-player")].some(e => e.offsetParent)`) {
		t.Error("a looker-on is shown what only players may do")
	}
	evaluate[bool](t, player,
		`(() => { const f = document.querySelector(".login form"); f.querySelector("[type=password]").value = "knows-the-rules"; f.requestSubmit(); return true; })()`)
	soon(t, player, "the token is taken", `document.body.dataset.right === "player"`)
	soon(t, player, "the board is drawn again", drawn)
	drag(t, player, grip(t, player, "table", "lower", "e2", 0), grip(t, player, "table", "lower", "e4", -1))
	for _, ctx := range []context.Context{player, looker} {
		soon(t, ctx, "the move is shown", `document.querySelector(".moves").textContent.includes("e4")`)
	}
	tap(t, looker, grip(t, looker, "table", "lower", "e7", 0))
	if n := evaluate[int](t, looker, `document.querySelectorAll(".deck .cube").length`); n != 32 {
		t.Errorf("a looker-on has lifted a piece: %d stand", n)
	}
	keep(t, looker, "phone.png")

	r.stop()
	soon(t, looker, "it says that the connection is gone", `document.querySelector(".link").className === "link off"`)
	text, err := os.ReadFile(conf)
	if err == nil {
		err = os.WriteFile(conf, []byte(strings.Replace(string(text), "127.0.0.1:0", address, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	start(t, "run", "--config", conf)
	for _, ctx := range []context.Context{player, looker} {
		soon(t, ctx, "it is connected again", `document.querySelector(".link").className === "link on"`)
	}
	soon(t, player, "the hands are back", `document.querySelector(".held") !== null`)
	drag(t, player, grip(t, player, "table", "lower", "e7", 0), grip(t, player, "table", "lower", "e5", -1))
	soon(t, looker, "play goes on", `document.querySelector(".moves").textContent.includes("e5")`)
}

// TestAskingOnThePage: two people with a browser each, at two boards. A request of one appears on the other's page
// with its answers, and a refusal comes back to the asker. No button does anything twice when it is pressed twice.
func TestAskingOnThePage(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	north, south := browser(t, 1440, 900, r.page+"?board=north"), browser(t, 390, 844, r.page+"?board=south")
	twice := func(ctx context.Context, css string) {
		t.Helper()
		soon(t, ctx, "there is "+css, `document.querySelector("[data-board] `+css+`")?.hidden === false`)
		evaluate[bool](t, ctx, `(() => { const b = document.querySelector("[data-board] `+css+
			`"); b.click(); b.click(); return true; })()`)
	}
	asked := func(ctx context.Context, what string) {
		t.Helper()
		soon(t, ctx, "the page asks for the answer: "+what, `document.querySelector(".now").dataset.ask === "`+what+`"`)
	}
	for _, ctx := range []context.Context{north, south} {
		soon(t, ctx, "the board is drawn", `document.querySelectorAll("section.board .deck .cube").length === 32`)
	}
	r.await("north", "the array stands", synced)
	drag(t, north, grip(t, north, "north", "lower", "e2", 0), grip(t, north, "north", "lower", "e4", -1))
	twice(south, ".mend")
	r.await("south", "the move is copied", func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == 1 })
	drag(t, south, grip(t, south, "south", "lower", "d7", 0), grip(t, south, "south", "lower", "d5", -1))
	drag(t, north, grip(t, north, "north", "lower", "d7", 0), grip(t, north, "north", "lower", "d5", -1))
	r.await("north", "the answer is copied", func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == 2 })
	keep(t, north, "desk.png")

	twice(south, "[data-do='takeback']")
	asked(north, "takeback")
	soon(t, south, "it says that the other side has to answer",
		`document.querySelector(".state").textContent.includes("waiting")`)
	soon(t, north, "it says how to answer, and does not ask a second time", `document.querySelector(".tip").textContent ===
		"Answer on the page, or say yes by lifting your king and putting it back."`)
	soon(t, north, "the king that says yes is lit",
		`document.querySelector("[data-square='e1']").classList.contains("answer")`)
	twice(north, "[data-do='decline-takeback']")
	soon(t, south, "who asked is told", `document.querySelector(".tip").textContent.includes("declines")`)

	twice(south, "[data-do='abort']")
	asked(north, "abort")
	if !shows(south, `document.querySelector(".state").textContent.includes("waiting") && // it is forgotten after 12 s anyway
		!document.querySelector(".tip").textContent`) {
		t.Error("while it is asked to end the game, it is still said that the takeback was declined")
	}
	twice(south, ".now [data-do='decline']")
	soon(t, north, "who was asked is told that it is withdrawn",
		`!document.querySelector(".now").dataset.ask && document.querySelector(".tip").textContent.startsWith("Withdrawn")`)
	soon(t, south, "nothing waits for an answer", `!document.querySelector(".state").textContent.includes("waiting")`)

	drag(t, north, grip(t, north, "north", "lower", "e4", 0), grip(t, north, "north", "lower", "d5", -1))
	r.await("south", "the capture is made", moved("e2e4", "d7d5", "e4d5"))
	drag(t, south, grip(t, south, "south", "lower", "e4", 0), grip(t, south, "south", "lower", "d5", -1))
	r.await("south", "and copied, the pawn taken off by the page's hand",
		func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == 3 })
	twice(north, "[data-do='offer-draw']")
	asked(south, "draw")
	keep(t, south, "asked-phone.png")
	twice(south, "[data-do='accept-draw']")
	for _, ctx := range []context.Context{north, south} {
		soon(t, ctx, "it is a draw", `document.querySelector(".state").textContent.includes("Drawn")`)
		if n := evaluate[int](t, ctx, `document.querySelectorAll(".pile > .cube").length`); n != 31 {
			t.Errorf("%d pieces stand, want 31", n)
		}
	}

	twice(north, "[data-do='rematch']")
	for board, ctx := range map[string]context.Context{"north": north, "south": south} {
		r.await(board, "the rematch has begun", func(g *wire.Game) bool { return g.Outcome == "" && len(g.Moves) == 0 })
		twice(ctx, ".mend")
		r.await(board, "the array stands again", synced)
		soon(t, ctx, "it says who moves, and does not ask who plays",
			`document.querySelector(".state").textContent.startsWith("White to move") && !document.querySelector(".main .guest")`)
	}
}

// TestGuest: the demo's first line says what to do and offers a virtual person with one click. That person follows the
// lights, moves by hand, and leaves the board to anybody who touches it.
func TestGuest(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the first line invites", `document.querySelectorAll(".main .guest").length === 4`)
	keep(t, ctx, "invitation.png")
	evaluate[bool](t, ctx, `(() => { document.querySelector(".main .guest").click(); return true; })()`)
	drag(t, ctx, grip(t, ctx, "north", "lower", "e2", 0), grip(t, ctx, "north", "lower", "e4", -1))
	r.await("south", "the guest has copied the move and made one",
		func(g *wire.Game) bool { return len(g.Moves) == 2 && synced(g) && g.Wood.Ply == 2 })
	g := r.await("north", "the guest's move is to be copied here",
		func(g *wire.Game) bool { return len(g.Moves) == 2 && len(g.Wood.Squares) > 0 })
	if g.Wood.State == wire.Synced {
		t.Error("north shows a move that nobody has copied")
	}
	r.command("north", `{"id":"1","do":"takeback","plies":2}`)
	r.await("north", "the guest allows the takeback", func(g *wire.Game) bool { return len(g.Moves) == 0 })
	r.await("south", "and has put its board right",
		func(g *wire.Game) bool { return len(g.Moves) == 0 && synced(g) && g.Wood.Ply == 0 })
	r.hand("south", `{"do":"lift","square":"a8"}`)
	r.await("south", "somebody's hand is seen", func(g *wire.Game) bool { return g.Wood.State != wire.Synced })
	soon(t, ctx, "the guest has left", `(async () => !(await (await fetch("api/opponent")).json()).person)()`)
	r.hand("south", `{"do":"place","square":"a8"}`)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".legend button").click(); return true; })()`)
	soon(t, ctx, "the menu has brought the guest back",
		`(async () => (await (await fetch("api/opponent")).json()).person)()`)
}

// TestTwoAtOneBoard: with one click two people play at one board of the demo. The other board is left to itself, and
// says nothing of a rival that is gone.
func TestTwoAtOneBoard(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "chess")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the first line invites", `document.querySelectorAll(".main .guest").length === 4`)
	evaluate[bool](t, ctx, `(() => { document.querySelectorAll(".main .guest")[1].click(); return true; })()`)
	for _, board := range []string{"north", "south"} {
		r.await(board, "both sides play here",
			func(g *wire.Game) bool { return g.Seats == wire.Seats{White: "local", Black: "local"} })
	}
	r.move("north", "e2", "e4", 1)
	r.await("north", "a move is made", moved("e2e4"))
	r.move("north", "e7", "e5", 1)
	r.await("north", "it is answered at the same board", moved("e2e4", "e7e5"))
	if g := r.await("south", "its own array stands", synced); len(g.Moves) > 0 || g.Conflict != "" {
		t.Errorf("the board that was left has %v and says %q", g.Moves, g.Conflict)
	}
}

// TestWatched: with one click two virtual persons play a game that others watch. Whoever touches a board takes it
// over.
func TestWatched(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the first line invites", `document.querySelectorAll(".main .guest").length === 4`)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".main .guest:last-child").click(); return true; })()`)
	r.await("north", "both have moved", func(g *wire.Game) bool { return len(g.Moves) >= 3 })
	r.hand("north", `{"do":"lift","square":"a1"}`)
	soon(t, ctx, "one of them has left",
		`(async () => { const o = await (await fetch("api/opponent")).json(); return o.person && !o.both; })()`)
}

// club is boards that only exist as what they say to a broker.
type club struct {
	t      *testing.T
	client mqtt.Client
	games  []wire.Game
	at     []rules.Position
	r      *rand.Rand
}

// play makes a random move on a board, if there is any, and publishes it.
func (c *club) play(i int) {
	c.move(i)
	c.tell(i)
}

// move makes a random move on a board.
func (c *club) move(i int) {
	g, p := &c.games[i], &c.at[i]
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return
	}
	m := moves[c.r.IntN(len(moves))]
	g.Moves, g.SAN = append(g.Moves, p.Coord(m)), append(g.SAN, p.SAN(m))
	p.Play(m)
	if c.at[i].Turn() == rules.White {
		g.Clock = &wire.Clock{White: g.Clock.White - 5000, Black: g.Clock.Black, Running: "white", At: timestamp(time.Now())}
	} else {
		g.Clock = &wire.Clock{White: g.Clock.White, Black: g.Clock.Black - 5000, Running: "black", At: timestamp(time.Now())}
	}
	g.FEN, g.Turn, g.Check = p.FEN(), p.Turn().String(), p.InCheck()
	g.Reason = string(p.Result())
	if p.Result().IsMate() {
		g.Outcome = map[rules.Color]string{rules.White: "0-1", rules.Black: "1-0"}[p.Turn()]
	}
}

// bad returns why nobody would accept the game of a board.
func (c *club) bad(i int) error {
	data, err := json.Marshal(c.games[i])
	if err == nil {
		_, err = wire.DecodeGame(data)
	}
	return err
}

func (c *club) tell(i int) {
	data, err := json.Marshal(c.games[i])
	if err != nil {
		c.t.Fatal(err)
	}
	name := fmt.Sprintf("table-%d", i+1)
	for leaf, payload := range map[string]string{wire.LeafGame: string(data), wire.LeafStatus: wire.Online} {
		if k := c.client.Publish(wire.Topic(name, leaf), 1, true, payload); !k.WaitTimeout(soonEnough) || k.Error() != nil {
			c.t.Fatalf("cannot publish: %v", k.Error())
		}
	}
}

func newClub(t *testing.T, url string, n int) *club {
	c := &club{t: t, client: mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID("test-club")),
		r: rand.New(rand.NewPCG(1, 2))}
	if k := c.client.Connect(); !k.WaitTimeout(soonEnough) || k.Error() != nil {
		t.Fatalf("cannot connect to %s: %v", url, k.Error())
	}
	t.Cleanup(func() { c.client.Disconnect(100) })
	all := rules.Variants()
	for i := range n {
		v := all[i%len(all)]
		p := v.Start()
		c.games = append(c.games, wire.Game{Schema: wire.Schema, Game: fmt.Sprintf("%010d-x", i), Variant: v.ID(),
			Seats: wire.Seats{White: fmt.Sprint("anna-", i+1), Black: fmt.Sprint("bernd-", i+1)},
			Start: p.FEN(), FEN: p.FEN(), Turn: "white", Wood: wire.Wood{State: wire.Synced},
			Clock: &wire.Clock{White: 600000, Black: 540000, Running: "white", At: timestamp(time.Now())}})
		c.at = append(c.at, p)
		for range c.r.IntN(30) {
			c.move(i)
		}
		if c.tell(i); c.bad(i) != nil {
			t.Fatal(c.bad(i))
		}
	}
	return c
}

// TestWall shows a hundred boards at once. It measures the time from publishing a move to its pixels, and what a move
// costs the browser.
func TestWall(t *testing.T) {
	t.Parallel()
	looked(t)
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	c := newClub(t, br.URL(), 99)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
	ctx := browser(t, 1920, 1080, r.page+"wall")
	t.Cleanup(func() {
		if t.Failed() {
			keep(t, ctx, "failed-wall.png")
		}
	})
	soon(t, ctx, "a hundred boards are drawn",
		`document.querySelectorAll(".table svg use").length > 100 && document.querySelectorAll(".table").length >= 100`)
	keep(t, ctx, "wall.png")
	if over := evaluate[int](t, ctx, "document.documentElement.scrollHeight - innerHeight"); over > 0 {
		t.Errorf("a hundred boards need %d pixels more than the screen has", over)
	}
	if name := evaluate[float64](t, ctx, `Math.min(...[...document.querySelectorAll(".table:not([hidden]) :is(.who, time)")]
		.map((e) => parseFloat(getComputedStyle(e).fontSize)))`); name < 16 {
		t.Errorf("names and clocks of a hundred boards are of %v pixels, want 16 at least", name)
	}
	if _, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	before := busy(t, ctx)["TaskDuration"]
	var waits []float64
	moves := *wallMoves
	for i := range moves {
		name := fmt.Sprintf("table-%d", i+1)
		plies := len(c.games[i].Moves)
		evaluate[bool](t, ctx, fmt.Sprintf(`(() => { const e = document.querySelector(".table[data-board='%s']"); window.seen = 0;
			new MutationObserver((_, o) => { o.disconnect(); requestAnimationFrame(() => requestAnimationFrame(() => { window.seen = Date.now(); })); }).observe(e, {childList: true, subtree: true, characterData: true, attributes: true}); return true; })()`, name))
		began := time.Now()
		c.play(i)
		if len(c.games[i].Moves) == plies {
			continue // a game that has ended
		}
		soon(t, ctx, "the move is on the wall", "window.seen > 0")
		waits = append(waits, evaluate[float64](t, ctx, "window.seen")-float64(began.UnixMilli()))
	}
	slices.Sort(waits)
	t.Logf("100 boards: from publishing a move to its pixels: median %.0f ms, worst of %d %.0f ms; %.1f ms of the "+
		"browser's main thread a move, clocks and all",
		waits[len(waits)/2], len(waits), waits[len(waits)-1], 1000*(busy(t, ctx)["TaskDuration"]-before)/float64(moves))
}

// wallMoves is how many moves TestWall waits for; `make page-report` measures 60.
var wallMoves = flag.Int("wallmoves", 8, "moves whose way to the wall is measured")

// wallTime is how long `make page-report` lets a club play for its figures.
var wallTime = flag.Duration("wall", 0, "how long a hundred boards play while the daemon's work is measured")

// TestWallLoad measures what a hundred boards that move every ten seconds cost the daemon that shows them. It shows
// them to nobody, to one browser, and to two hundred spectators as well.
func TestWallLoad(t *testing.T) {
	if *wallTime == 0 {
		t.Skip("a measurement: make page-report")
	}
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	c := newClub(t, br.URL(), 100)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "reeds", "mqtt:\n  url: "+br.URL()+"\n"))
	play := func() (share float64) {
		before, began := cpuOf(t, r.cmd.Process.Pid), time.Now()
		for i := 0; time.Since(began) < *wallTime; i++ {
			time.Sleep(time.Until(began.Add(time.Duration(i) * 100 * time.Millisecond))) // the boards move at this pace
			c.play(i % 100)
		}
		return (cpuOf(t, r.cmd.Process.Pid) - before).Seconds() / time.Since(began).Seconds() * 100
	}
	t.Logf("the daemon with its own board, 10 moves a second heard from 100 boards, nobody looking: %.1f %% of a core",
		play())
	ctx := browser(t, 1920, 1080, r.page+"wall")
	soon(t, ctx, "a hundred boards are drawn", `document.querySelectorAll(".table").length >= 100`)
	if _, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	before := busy(t, ctx)["TaskDuration"]
	share := play()
	t.Logf("with the wall open in a browser: %.1f %%; the browser's main thread: %.0f %%", share,
		(busy(t, ctx)["TaskDuration"]-before)/wallTime.Seconds()*100)
	for range 200 {
		resp, err := http.Get(r.page + "api/wall/events")
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusOK {
			t.Fatal(resp.Status)
		}
		t.Cleanup(func() { resp.Body.Close() })
		go io.Copy(io.Discard, resp.Body) //nolint:errcheck // it ends with the test
	}
	share = play()
	t.Logf("with 200 more streams: %.1f %%, resident %d MB", share, residentOf(t, r.cmd.Process.Pid)>>20)
}

// cpuOf is the time that a process has worked (proc(5): fields 14 and 15 of stat, in hundredths of a second).
func cpuOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	var sum int
	for _, f := range strings.Fields(rest)[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond
}

func residentOf(t *testing.T, pid int) int {
	t.Helper()
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	return n * os.Getpagesize()
}

// busy is how many seconds the page's main thread has worked, by kind of work; TaskDuration is the total.
func busy(t *testing.T, ctx context.Context) map[string]float64 {
	t.Helper()
	m, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, x := range m.Metrics {
		all[x.Name] = x.Value
	}
	if all["TaskDuration"] == 0 {
		t.Fatal("the browser does not say how busy it was")
	}
	return all
}
