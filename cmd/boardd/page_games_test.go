// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/config"
	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/broker"
	"boardd/sync/wire"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// dragger is a person at the page of a virtual board.
type dragger struct {
	t    *testing.T
	ctx  context.Context
	r    *running
	by   pointer
	wood wood.Wood // what stands on the board
	held map[hands.Hand]wood.Pile
}

// pointer is what a person moves cubes with, on a screen that has it.
type pointer interface {
	open(t *testing.T, page string) context.Context
	drag(d *dragger, from, to point)
	tap(d *dragger, at point)
	choose(d *dragger, css string) // presses what a selector finds, if it is still there
	use(d *dragger, hand string)   // chooses the hand that acts next
}

// cursor is the pointer of a large screen.
type cursor struct{}

func (cursor) open(t *testing.T, page string) context.Context { return gliding(t, 1300, 1250, page) }

// gliding opens a page on which pieces glide from square to square, as most people see it.
func gliding(t *testing.T, width, height int, page string) context.Context {
	t.Helper()
	ctx := browser(t, width, height, "about:blank")
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}})
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(page))
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

func (cursor) drag(d *dragger, from, to point) { drag(d.t, d.ctx, from, to) }

func (cursor) tap(d *dragger, at point) { tap(d.t, d.ctx, at) }

func (cursor) choose(d *dragger, css string) {
	evaluate[bool](d.t, d.ctx, fmt.Sprintf(`(() => { document.querySelector(%q)?.click(); return true; })()`, css))
}

func (c cursor) use(d *dragger, hand string) { c.choose(d, ".held[data-hand='"+hand+"']") }

// TestDraggedGames plays whole games with the mouse alone, each on the kind of board that suits it. It compares the
// moves with what the board publishes. A game with pillars is always played; make soak plays all six.
func TestDraggedGames(t *testing.T) {
	t.Parallel()
	looked(t)
	for _, c := range []struct {
		game, kind string
		always     bool
	}{{"chess", "stack", false}, {"locking", "stack", false}, {"superchess", "stack", false},
		{"pillar", "stack", true}, {"meirav", "twin", false}, {"flying", "twin", false}} {
		if !c.always && !*whole {
			continue
		}
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			playGame(t, c.game, c.kind, cursor{}, 1000)
		})
	}
}

// playGame plays the first plies of a game. The page shows each.
func playGame(t *testing.T, id, kind string, by pointer, plies int) {
	v, err := rules.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	file, err := readGame("testdata/games/dragged/"+id+".pgn", v)
	if err != nil {
		t.Fatal(err)
	}
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), id, kind, "mqtt:\n  url: "+br.URL()+"\n"))
	r.await("table", "the array stands", synced)
	conf := config.Default()
	conf.Kind = kind
	geometry := conf.Geometry()
	p := file.Start
	d := &dragger{t: t, ctx: by.open(t, r.page), r: r, by: by, wood: geometry.Lay(&p), held: map[hands.Hand]wood.Pile{}}
	t.Cleanup(func() {
		if t.Failed() {
			keep(t, d.ctx, "failed-"+id+".png")
		}
	})
	soon(t, d.ctx, "the board is drawn", `document.querySelectorAll("section.board .deck .cube").length === 32`)
	var made []string
	for _, ply := range file.Plies[:min(plies, len(file.Plies))] {
		before := p
		made = append(made, p.Coord(ply.Move))
		p.Play(ply.Move)
		want := geometry.Lay(&p)
		if !d.captures(&before, ply.Move, &want) {
			d.bring(&want)
		}
		d.settle(made)
	}
	keep(t, d.ctx, fmt.Sprintf("dragged-%T-%s.png", by, id))
	if len(made) < len(file.Plies) {
		return
	}
	soon(t, d.ctx, "the page names the result", fmt.Sprintf(`document.querySelector(".said").textContent.includes(%q)`,
		strings.ReplaceAll(string(p.Result()), "-", " ")))
	spectate(t, br.URL()).until("the topic tells the whole game", func(_, leaf string, payload []byte) bool {
		var g wire.Game
		if leaf != wire.LeafGame || json.Unmarshal(payload, &g) != nil {
			return false
		}
		return slices.Equal(g.Moves, made) && g.Outcome == file.Result && g.Reason == string(p.Result())
	})
}

// captures drops the captor on the captured piece, as a person does. If the page asks which move is meant, it answers
// by a picture. It reports whether the move is such a capture.
func (d *dragger) captures(p *rules.Position, m rules.Move, want *wood.Wood) bool {
	if !m.IsCapture() || m.IsEnPassant() || m.IsHeadbutt() || m.Promotion() != rules.NoKind {
		return false
	}
	from, to := place(p, m, m.From(), m.FromAir()), place(p, m, m.To(), m.ToAir())
	count := max(1, len(d.wood[from])-len(want[from]))
	if v := p.Variant(); v.TopFirst() && m.IsMarked() || from.Deck() == sensing.Upper {
		count = len(d.wood[from])
	}
	d.by.drag(d, d.grip(from, len(d.wood[from])-count), d.aim(to))
	stands := fmt.Sprintf(`document.querySelectorAll("[data-at='%v'][data-on='%v'] > [data-level]").length === %d && document.querySelectorAll(".held .chip").length === 0`, to.Square(), to.Deck(), len(want[to]))
	way := fmt.Sprintf(".now[data-ask='way'] [data-move='%s']", p.Coord(m))
	soon(d.t, d.ctx, "the page asks what is meant, or the captor stands",
		fmt.Sprintf(`document.querySelector(%q) !== null || %s`, way, stands))
	d.by.choose(d, way)
	soon(d.t, d.ctx, "the captor stands there", stands)
	d.wood = *want
	return true
}

// place is the place where a move begins or ends, on a board with two decks for the games with levels.
func place(p *rules.Position, m rules.Move, s rules.Square, air bool) wood.Place {
	if v := p.Variant(); v.Layered() && (v.TopFirst() && !m.IsMarked() || air) {
		return wood.PlaceAt(sensing.Upper, s)
	}
	return wood.PlaceAt(sensing.Lower, s)
}

// stands is the wood on the board now, not as it was last told.
func (d *dragger) stands() (w wood.Wood) {
	resp, err := d.r.client.Get(d.r.page + "api/boards/table/wood")
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	var now struct{ Lower, Upper map[string][]string }
	if err := json.NewDecoder(resp.Body).Decode(&now); err != nil {
		d.t.Fatal(err)
	}
	for deck, squares := range map[sensing.Deck]map[string][]string{sensing.Lower: now.Lower, sensing.Upper: now.Upper} {
		for name, pile := range squares {
			s, err := rules.ParseSquare(name)
			if err != nil {
				d.t.Fatal(err)
			}
			w[wood.PlaceAt(deck, s)] = wood.Pile(strings.Join(pile, ""))
		}
	}
	return w
}

// bring drags cubes until the wood stands as wanted. The page's own hand may help, as with the rook in castling.
func (d *dragger) bring(want *wood.Wood) {
	acts := hands.Plan(&d.wood, want)
	castles := len(acts) == 4 && strings.ContainsAny(string(d.wood[acts[0].Place]), "Kk") && acts[1].Do == hands.Put &&
		acts[3].Do == hands.Put
	for i := 0; i < len(acts); i++ {
		if castles && i == 2 {
			if now := d.stands(); now == *want {
				d.wood = now
				return
			}
		}
		if i+1 < len(acts) && acts[i].Do == hands.Lift && acts[i+1].Hand == acts[i].Hand &&
			(acts[i+1].Do == hands.Put || acts[i+1].Do == hands.Discard) {
			if d.drag(&acts[i], &acts[i+1], want) {
				return
			}
			i++
			continue
		}
		d.act(&acts[i])
	}
}

// use chooses the hand that an act names.
func (d *dragger) use(h hands.Hand) {
	name := map[hands.Hand]string{hands.Right: "right", hands.Left: "left"}[h]
	d.by.use(d, name)
}

// drag takes cubes from one place and drops them on another, or beside the board. It reports whether the page's own
// hand has done the rest of the move: a buried piece that is free again goes up by itself.
func (d *dragger) drag(lift, put *hands.Act, want *wood.Wood) (whole bool) {
	d.use(lift.Hand)
	from := d.grip(lift.Place, len(d.wood[lift.Place])-lift.Count)
	if put.Do == hands.Discard {
		d.by.drag(d, from, d.tray())
	} else {
		d.by.drag(d, from, d.aim(put.Place))
	}
	if d.stands() == *want {
		d.wood = *want
		return true
	}
	d.take(lift)
	d.put(put)
	return false
}

// act does one movement without dragging: it lifts and puts by taps.
func (d *dragger) act(a *hands.Act) {
	d.use(a.Hand)
	switch a.Do {
	case hands.Lift:
		d.by.tap(d, d.grip(a.Place, len(d.wood[a.Place])-a.Count))
		d.take(a)
	case hands.Put:
		d.by.tap(d, d.aim(a.Place))
		d.put(a)
	case hands.Discard:
		press(d.t, d.ctx, "table", "put aside")
		d.put(a)
	case hands.Take:
		for i := range len(a.Pieces) {
			evaluate[bool](d.t, d.ctx,
				fmt.Sprintf(`(() => { const s = document.querySelector(".hands select"); s.value = %q; s.onchange(); return true; })()`, a.Pieces[i:i+1]))
		}
		d.held[a.Hand] += wood.Pile(a.Pieces)
		soon(d.t, d.ctx, "the spare pieces are in the hand",
			fmt.Sprintf(`document.querySelectorAll(".held .chip").length === %d`,
				len(d.held[hands.Left])+len(d.held[hands.Right])))
	}
}

func (d *dragger) grip(p wood.Place, level int) point {
	return grip(d.t, d.ctx, "table", p.Deck().String(), p.Square().String(), level)
}

// aim is where a person lets go: on the top piece of a place, or on what is seen of the empty square. The middle of a
// square that is hidden behind piles counts as well.
func (d *dragger) aim(at wood.Place) point {
	if n := len(d.wood[at]); n > 0 {
		soon(d.t, d.ctx, "every cube has come to where it goes",
			`document.getAnimations().every((a) => a.effect.getTiming().iterations === Infinity)`)
		return d.grip(at, n-1)
	}
	d.grip(at, -1) // which brings it into sight
	return evaluate[point](d.t, d.ctx, fmt.Sprintf(`(() => {
		const s = document.querySelector("[data-square='%v'][data-deck='%v']"), r = s.getBoundingClientRect();
		for (const v of [0.45, 0.3, 0.6, 0.2, 0.75]) for (const u of [0.55, 0.4, 0.7, 0.25, 0.85]) {
			const x = r.x + u * r.width, y = r.y + v * r.height;
			if (document.elementFromPoint(x, y)?.closest("[data-square], [data-at]") === s) return {x, y};
		}
		return {x: r.x + r.width / 2, y: r.y + r.height / 2};
	})()`, at.Square(), at.Deck()))
}

func (d *dragger) tray() point {
	return evaluate[point](d.t, d.ctx,
		`(() => { const r = document.querySelector(".tray").getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`)
}

// take and put keep track of the wood, and wait until the page shows it.
func (d *dragger) take(a *hands.Act) {
	pile := d.wood[a.Place]
	d.held[a.Hand] += pile[len(pile)-a.Count:]
	d.wood[a.Place] = pile[:len(pile)-a.Count]
	d.shown(a.Place)
}

func (d *dragger) put(a *hands.Act) {
	if a.Do == hands.Put {
		d.wood[a.Place] += d.held[a.Hand]
		d.shown(a.Place)
	}
	d.held[a.Hand] = ""
}

func (d *dragger) shown(p wood.Place) {
	soon(d.t, d.ctx, fmt.Sprintf("%v shows %q", p, d.wood[p]),
		fmt.Sprintf(`document.querySelectorAll("[data-at='%v'][data-on='%v'] > [data-level]").length === %d`, p.Square(),
			p.Deck(), len(d.wood[p])))
}

// settle waits until the move counts, and answers on the page if the board asks which move it was. A question that the
// sensors answer themselves, once they have settled, may be gone before anybody sees it.
func (d *dragger) settle(made []string) {
	n := len(made)
	var g wire.Game
	for {
		g = d.r.await("table", "the move "+made[n-1]+" is recognised", func(g *wire.Game) bool {
			return len(g.Moves) >= n && (g.Wood.State == wire.Synced || g.Wood.State == wire.Executing) ||
				g.Wood.State == wire.Asking
		})
		if g.Wood.State != wire.Asking {
			break
		}
		answer := fmt.Sprintf(".answers [data-move='%s']", made[n-1])
		soon(d.t, d.ctx, "the page asks, or the move counts",
			fmt.Sprintf(`document.querySelector(%q) !== null || document.querySelectorAll(".moves [data-ply]").length >= %d`,
				answer, n))
		d.by.choose(d, answer)
		soon(d.t, d.ctx, "the page asks no more", `document.querySelector(".now[data-ask='move']") === null`)
	}
	if len(g.Moves) < n || !slices.Equal(g.Moves[:n], made) { // an engine may have answered
		d.t.Fatalf("the board made %v of it, want %v", g.Moves, made)
	}
}
