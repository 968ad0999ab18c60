// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/layertree"
	"github.com/chromedp/chromedp"

	"boardd/rules"
	"boardd/sync/wire"
)

// layers counts the pictures of which the browser composes the page, and their bytes, four a pixel. The browser tells
// them at the next change of the page, which a moved element makes.
func layers(t *testing.T, ctx context.Context) (n, size int) {
	t.Helper()
	var mu sync.Mutex
	err := chromedp.Listen(ctx, func(ev any) {
		e, ok := ev.(*layertree.EventLayerTreeDidChange)
		if !ok || len(e.Layers) == 0 {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		n, size = 0, 0
		for _, l := range e.Layers {
			if l.DrawsContent {
				n, size = n+1, size+4*int(l.Width*l.Height)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, dom.Enable, dom.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, layertree.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	draw(ctx) // what is not drawn has no layers
	for end := time.Now().Add(soonEnough); ; {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise((go) => {
			const e = document.querySelector(".plane");
			e.style.top = "1px";
			requestAnimationFrame(() => requestAnimationFrame(() => { e.style.top = ""; go(true); })); })`,
			chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		told := n
		mu.Unlock()
		if told > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the browser told nothing of its layers")
		}
	}
	if _, err := chromedp.Call(ctx, layertree.Disable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	return n, size
}

// mostLayers is how many pictures two boards with all their pieces may be composed of. Each costs time in every frame
// in which the board turns. The cubes need one for all their tops, one for each of four ranks and eight files, and the
// boards themselves six.
const mostLayers = 30

// TestLayers: sides that look away are left out, and a board beside the large one is one picture. When the board is
// turned, the sides that are seen then are there.
func TestLayers(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 390, 844, r.page)
	soon(t, ctx, "the boards are drawn", `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
	n, size := layers(t, ctx)
	t.Logf("%d layers, %d bytes", n, size)
	if n > mostLayers {
		t.Errorf("%d layers, want at most %d", n, mostLayers)
	}
	seen := func(square, side string) string {
		return `(() => { const f = document.querySelector("section.main .` + side + `[data-at='` + square +
			`']"); return !!f && f.offsetParent !== null; })()`
	}
	for _, c := range []struct {
		square, side string
		want         bool
	}{{"a1", "right", true}, {"a1", "left", false}, {"h1", "left", true}, {"h1", "right", false}, {"a1", "front", true}} {
		if got := evaluate[bool](t, ctx, seen(c.square, c.side)); got != c.want {
			t.Errorf("%s, %s side: drawn %v, want %v", c.square, c.side, got, c.want)
		}
	}
	// beside the pieces, far enough that the middle of the board is passed
	from := grip(t, ctx, "north", "lower", "e5", -1)
	drag(t, ctx, from, point{from.X - 150, from.Y})
	soon(t, ctx, "the side of h1 that is seen now is drawn", seen("h1", "right"))
	soon(t, ctx, "at rest the other one goes", "!"+seen("h1", "left"))
}

// TestTurnedBoardIsSeenWhole: however a board is turned and tilted, its corners stay in its stage. The page gets no
// wider for it, which would let a phone scroll sideways and would paint the whole page at every step.
func TestTurnedBoardIsSeenWhole(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	for _, size := range [][2]int{{390, 844}, {1440, 900}} {
		ctx := browser(t, size[0], size[1], r.page)
		soon(t, ctx, "the boards are drawn",
			`document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
		for _, by := range []point{{-140, 0}, {250, 60}, {0, -150}} {
			from := grip(t, ctx, "north", "lower", "e5", -1)
			drag(t, ctx, from, point{from.X + by.X, from.Y + by.Y})
			if out := evaluate[string](t, ctx, `(() => {
				const s = document.querySelector(".main .stage").getBoundingClientRect(),
					g = document.querySelector(".main .ground").getBoundingClientRect();
				return g.x < s.x - 1 || g.right > s.right + 1 || g.y < s.y - 1 || g.bottom > s.bottom + 1
					? [g.x, g.right, g.y, g.bottom].map(Math.round) + " of " + [s.x, s.right, s.y, s.bottom].map(Math.round)
					: ""; })()`); out != "" {
				t.Errorf("%d wide, turned by %v: the board lies at %s", size[0], by, out)
			}
			if wide := evaluate[int](t, ctx, "document.documentElement.scrollWidth"); wide > size[0] {
				t.Errorf("turned by %v, a page %d wide gets %d wide", by, size[0], wide)
			}
		}
	}
}

// TestLiftedPieceHidesNoLight: a lifted piece is seen over its own square, also when the board is turned. The middle
// of every square where it may go is seen, and a pointer reaches it.
func TestLiftedPieceHidesNoLight(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"chess","seats":{"white":"local","black":"local"}}`)
	ctx := browser(t, 1280, 800, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 32 &&
		document.querySelector(".main .state.synced") !== null`)
	for _, by := range []point{{}, {-100, 0}, {200, 0}, {-100, 50}} {
		if by != (point{}) {
			from := grip(t, ctx, "table", "lower", "e5", -1)
			drag(t, ctx, from, point{from.X + by.X, from.Y + by.Y})
		}
		tap(t, ctx, grip(t, ctx, "table", "lower", "e2", 0))
		soon(t, ctx, "its squares are lit", `document.querySelectorAll(".main .sq.quiet").length === 2 &&
			document.querySelector(".main .pile > .held .face") !== null`)
		laidOut(t, ctx)
		for _, s := range evaluate[[]string](t, ctx, `[...document.querySelectorAll(".main .sq.quiet")].filter((e) => {
			const r = e.getBoundingClientRect();
			return !e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); }).map((e) => e.dataset.square)`) {
			t.Errorf("turned by %v: the lifted piece hides the middle of %s", by, s)
		}
		if far := evaluate[float64](t, ctx, `(() => { const s = document.querySelector(".main [data-square=e2]").getBoundingClientRect(),
			f = document.querySelector(".main .pile > .held .face.top").getBoundingClientRect();
			return Math.hypot(f.x + f.width / 2 - s.x - s.width / 2, f.bottom - s.bottom + s.height / 2); })()`); far > 40 {
			t.Errorf("turned by %v: the lifted piece is seen %.0f px beside its square", by, far)
		}
		tap(t, ctx, grip(t, ctx, "table", "lower", "e2", -1))
		soon(t, ctx, "it stands again", `document.querySelector(".main .sq.lit, .main .pile > .held") === null`)
	}
}

// TestPilesOnAPhone: where the squares are too small for figures on the sides of cubes, a chip shows what lies beneath
// a piece. It is seen up to its corners, however high the pile is and whatever stands before it.
func TestPilesOnAPhone(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "pillar")
	r.await("north", "the array stands", synced)
	const piles = "4k3/8/2[Pq]5/2p5/2[pPnBQ]5/3P4/5[PpPpPpN]2/4K3 w - - 0 1"
	r.command("north", `{"id":"1","do":"setup","start":"`+piles+`"}`)
	r.await("north", "piles are to be set up", func(g *wire.Game) bool { return len(g.Wood.Squares) > 20 })
	v, err := rules.ByID("pillar")
	if err != nil {
		t.Fatal(err)
	}
	r.build("north", v, piles)
	r.await("north", "they stand", synced)
	ctx := browser(t, 390, 844, r.page)
	soon(t, ctx, "three chips are drawn",
		`[...document.querySelectorAll("section.main .under .chip")].filter((e) => e.offsetParent).length === 3`)
	for _, fault := range evaluate[[]string](t, ctx, `[...document.querySelectorAll("section.main .under")].flatMap((u) => {
		const r = u.querySelector(".chip").getBoundingClientRect(), at = u.closest(".pile").dataset.at;
		return [[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]].filter(([x, y]) =>
			!u.contains(document.elementFromPoint(r.x + x * r.width, r.y + y * r.height))).map((p) => at + " at " + p);
	})`) {
		t.Errorf("the chip of %s is hidden", fault)
	}

	// Without a graphics chip, Chromium loses a part of what reaches over the edge of the window. The sheet of a top that
	// stands high must not reach there.
	desk := browser(t, 1440, 900, r.page)
	soon(t, desk, "three piles are drawn", `document.querySelectorAll("section.main .under .chip").length === 3`)
	for _, sq := range []string{"f2", "c4", "c6"} {
		top := evaluate[float64](t, desk, fmt.Sprintf(`((f) => (f.closest(".sheet") || f).getBoundingClientRect().top)(
			[...document.querySelectorAll("section.main .face.top")].find((f) => f.closest("[data-at]").dataset.at === %q))`, sq))
		if top < 0 {
			t.Errorf("what shows the top of the pile on %s begins %.0f px above the window", sq, -top)
		}
	}
}

// TestBadgesOnAPhone: what a light means is seen whole beside the piece that stands on it.
func TestBadgesOnAPhone(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	r.move("north", "e2", "e4", 1)
	r.await("south", "the move is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
	ctx := browser(t, 390, 844, r.page+"?board=south")
	soon(t, ctx, "e2 has a badge that nothing cuts", `((b) => {
		if (!b) return false;
		b.style.pointerEvents = "auto";
		const r = b.getBoundingClientRect();
		return [[0.2, 0.5], [0.5, 0.2], [0.8, 0.5], [0.5, 0.8]].every(([x, y]) =>
			b.contains(document.elementFromPoint(r.x + x * r.width, r.y + y * r.height)));
	})(document.querySelector("section.main [data-at=e2] .badge"))`)
}

// TestDecksTurnTogether: the two decks of a twin board are one thing: who turns one turns both.
func TestDecksTurnTogether(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "meirav", "--board", "twin")
	ctx := browser(t, 1440, 900, r.page)
	const turns = `[...document.querySelectorAll("section.main .plane")].map((e) => e.style.transform.match(/rotateZ\((.*)deg/)?.[1])`
	soon(t, ctx, "both decks are drawn", `(([a, b]) => a === "0" && b === "0")(`+turns+`)`)
	from := grip(t, ctx, "north", "lower", "e5", -1)
	drag(t, ctx, from, point{from.X - 90, from.Y})
	soon(t, ctx, "both are turned alike", `(([a, b]) => +a > 10 && a === b)(`+turns+`)`)
}
