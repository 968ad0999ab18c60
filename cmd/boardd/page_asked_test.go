// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"
)

// unseen finds what somebody with a phone does not see at once when something is asked. It looks at the corners of
// each deck, the words, their steps, the buttons of the answer and the own clock. It also finds covered buttons.
const unseen = `(() => {
	const bad = [], box = (e) => e.getBoundingClientRect(), one = (q) => document.querySelector(".main " + q);
	const high = box(document.querySelector("header")).bottom, low = Math.min(innerHeight, box(one(".tools")).top);
	const inside = (r, what) => { if (r.top < high - 1 || r.bottom > low + 1 || r.left < -1 || r.right > innerWidth + 1)
		bad.push(what + " is at " + [r.left, r.top, r.right, r.bottom].map(Math.round) + ", the buttons begin at " + low); };
	for (const d of document.querySelectorAll(".main .deck"))
		for (const s of ["a1", "h1", "a8", "h8"])
			inside(box(d.querySelector("[data-square=" + s + "]")), s + " " + d.ariaLabel);
	for (const e of document.querySelectorAll(".main :is(.state, .steps > li)")) {
		const r = document.createRange(); r.selectNodeContents(e);
		inside(r.getBoundingClientRect(), e.textContent);
	}
	for (const b of document.querySelectorAll(".main .answers > button")) {
		const r = box(b), hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		inside(r, b.textContent);
		if (!b.contains(hit)) bad.push(b.textContent + " is covered by " + (hit?.className || hit));
		if (r.height < 43.5 || b.scrollWidth > b.clientWidth + 1) bad.push("too small: " + b.textContent);
	}
	const wide = Math.abs(box(one(".lower [data-square=h1]")).x - box(one(".lower [data-square=a1]")).x) / 7;
	inside(box(one(".me")), "the own clock");
	const asked = one(".now[data-ask]");
	if (wide < (asked && !one(".level") ? 31 : 26)) bad.push("squares of " + Math.round(wide) + " px");
	const last = box(one(".tools")).bottom;
	if (last > innerHeight + 1) bad.push("the buttons end at " + Math.round(last));
	return bad;
})()`

// watched keeps what a finger touches from here on, and what the page asks and is told, for when a test fails.
const watched = `(() => {
	const asks = window.fetch, seen = window.seen = [];
	window.fetch = async (...what) => {
		const answer = await asks(...what);
		seen.push([what[0], what[1]?.body || "", (await answer.clone().text()).slice(0, 2000)].join(" "));
		return answer;
	};
	for (const kind of ["pointerdown", "pointerup", "click"])
		addEventListener(kind, (e) => {
			seen.push([kind, e.clientX, e.clientY, e.target.outerHTML.slice(0, 120)].join(" "));
		}, true);
	return true;
})()`

// onPhone looks at what is asked on a phone, in the languages that are looked at. Without touch, it waits until there
// are so many answers; with it, it first touches a square with what the hand holds.
func onPhone(t *testing.T, ctx context.Context, name, url string, answers int, touched string) {
	t.Helper()
	for _, language := range tonguesAsked() {
		opened(t, ctx, url, language)
		soon(t, ctx, name+" is drawn in "+language, `document.documentElement.lang === "`+language+
			`" && document.querySelector(".main .state")?.textContent !== "" && document.querySelector(".main .pile") !== null`)
		if touched != "" {
			soon(t, ctx, "the hand holds it, its squares are lit, and the rest is drawn",
				`document.querySelector(".main .held .chip") && document.querySelector(".main .sq.lit") &&
				document.querySelector(".main .key").childElementCount > 0 && document.querySelector(".link.on") !== null`)
			laidOut(t, ctx)
			evaluate[bool](t, ctx, watched)
			swipe(t, ctx, grip(t, ctx, "table", "lower", touched, -1))
		}
		if !shows(ctx, fmt.Sprintf(`document.querySelectorAll(".main .answers > button").length === %d`, answers)) {
			t.Errorf("%s in %s: not %d answers: %s", name, language, answers,
				evaluate[string](t, ctx, `document.querySelector(".main").innerText + "; " + window.seen?.join("\\n")`))
			keep(t, ctx, "failed-asked.png")
			continue
		}
		laidOut(t, ctx)
		if wide := evaluate[float64](t, ctx, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("%s, %s: the page is %.0f px wider than the screen", name, language, wide)
		}
		for _, fault := range faults(t, ctx, unseen) {
			t.Errorf("%s, %s: %s", name, language, fault)
		}
		keep(t, ctx, fmt.Sprintf("asked-%s-%s.png", name, language))
	}
}

// tonguesAsked is German, whose words are the longest, and in make soak-page all seven.
func tonguesAsked() []string {
	if *whole {
		return []string{"en", "de", "fr", "es", "it", "ru", "he"}
	}
	return []string{"de"}
}

// TestAskedOnAPhone: whatever is asked on a phone, board, words and all answers are seen without scrolling. A finger
// reaches each answer. That holds on boards of both kinds and in every language.
func TestAskedOnAPhone(t *testing.T) {
	t.Parallel()
	looked(t)
	for _, kind := range []string{"stack", "twin"} {
		t.Run("of another board/"+kind, func(t *testing.T) {
			t.Parallel()
			if kind == "twin" {
				askedByRival(t, kind, "meirav", "upper")
				return
			}
			thorough(t)
			askedByRival(t, kind, "locking", "lower")
		})
		t.Run("of a move/"+kind, func(t *testing.T) {
			t.Parallel()
			if kind == "twin" {
				thorough(t)
			}
			askedOfAMove(t, kind)
		})
	}
}

// askedByRival looks at what one of two boards asks of the other.
func askedByRival(t *testing.T, kind, game, deck string) {
	r := startDemo(t, "--variant", game, "--board", kind)
	r.await("north", "the array stands", synced)
	ctx := finger{}.open(t, r.page)
	south := r.page + "?board=south"
	onPhone(t, ctx, kind+"-guests", r.page+"?board=north", 4, "")
	r.command("north", `{"id":"1","do":"new","variant":"`+game+
		`","clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`)
	r.await("south", "the game has a clock", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	for i, m := range []string{"e2e4", "e7e5"} {
		board := []string{"north", "south"}[i]
		for _, do := range []string{`"lift","square":"` + m[:2], `"place","square":"` + m[2:]} {
			r.hand(board, `{"do":`+do+`","deck":"`+deck+`","hand":"right"}`)
		}
		if i == 0 {
			onPhone(t, ctx, kind+"-copy", south, 1, "")
		}
		r.mendAll([]string{"south", "north"}[i])
		r.await("south", "it is played", func(g *wire.Game) bool { return len(g.Moves) == i+1 && synced(g) })
	}
	for _, ask := range []struct{ what, command string }{
		{"takeback", `{"id":"2","do":"takeback"}`},
		{"draw", `{"id":"3","do":"offer-draw"}`},
		{"adjust", `{"id":"4","do":"adjust","white_ms":600000,"black_ms":3600000}`},
		{"hint", `{"id":"5","do":"hint"}`},
		{"abort", `{"id":"6","do":"abort"}`},
		{"new", `{"id":"7","do":"new","variant":"pillar-liberal"}`},
	} {
		r.command("north", ask.command)
		r.await("south", ask.what+" is asked", asks(ask.what, "white"))
		onPhone(t, ctx, kind+"-"+ask.what, south, 2, "")
		no := map[string]string{"takeback": "decline-takeback", "draw": "decline-draw"}[ask.what]
		r.command("south", `{"id":"8","do":"`+cmp.Or(no, "decline")+`"}`)
		r.await("south", "it is declined", asksNothing)
	}
	r.command("north", `{"id":"9","do":"resign"}`)
	r.await("south", "it is over", func(g *wire.Game) bool { return g.Outcome != "" })
	onPhone(t, ctx, kind+"-over", south, 1, "")
}

// askedOfAMove looks at what a board asks its own players: which move, what a pawn becomes, and how a problem goes on.
func askedOfAMove(t *testing.T, kind string) {
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "superchess", kind, ""))
	r.await("table", "the array stands", synced)
	ctx := finger{}.open(t, r.page)
	for _, c := range []struct {
		name, game, fen, lift, at string
		answers                   int
	}{
		{"promotion", "chess", "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7", "a8", 4},
		{"five ways", "superchess", "1r4k1/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "b8", 5},
		{"capture or pile", "superchess", "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", "c3", "d5", 2},
	} {
		v, err := rules.ByID(c.game)
		if err != nil {
			t.Fatal(err)
		}
		r.build("table", v, c.fen)
		r.command("table", fmt.Sprintf(`{"id":"1","do":"new","variant":%q,"start":%q,
			"seats":{"white":"local","black":"local"}}`, c.game, c.fen))
		r.await("table", "it stands", synced)
		r.hand("table", fmt.Sprintf(`{"do":"lift","hand":"right","square":%q,"count":1}`, c.lift))
		onPhone(t, ctx, kind+"-"+c.name, r.page, c.answers, c.at)
		r.hand("table", fmt.Sprintf(`{"do":"place","hand":"right","square":%q}`, c.lift))
		r.await("table", "it stands again", synced)
	}
	r.command("table", `{"id":"2","do":"new","variant":"locking","options":{"problem":"1"}}`)
	g := r.await("table", "a problem is to be set up", func(g *wire.Game) bool { return len(g.Wood.Squares) > 8 })
	onPhone(t, ctx, kind+"-problem to set up", r.page, 3, "")
	i := slices.IndexFunc(g.Wood.Squares, func(s wire.Touch) bool { return len(s.Want) > 0 })
	r.mendAll("table")
	onPhone(t, ctx, kind+"-problem", r.page, 4, "")
	r.hand("table", fmt.Sprintf(`{"do":"lift","square":%q,"count":1}`, g.Wood.Squares[i].Square))
	r.hand("table", `{"do":"discard"}`)
	r.await("table", "a piece is missing", func(g *wire.Game) bool { return !synced(g) })
	onPhone(t, ctx, kind+"-missing", r.page, 3, "")
	r.command("table", `{"id":"3","do":"resign"}`)
	r.await("table", "it is given up", func(g *wire.Game) bool { return g.Outcome != "" })
	onPhone(t, ctx, kind+"-problem given", r.page, 3, "")
}
