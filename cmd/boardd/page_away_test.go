// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestWindowsWaitForTheComputer: while the board's computer is away, a window says so, and what is chosen there cannot
// be sent. When it is back, the same window sends it.
func TestWindowsWaitForTheComputer(t *testing.T) {
	t.Parallel()
	looked(t)
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "")
	text, err := os.ReadFile(conf)
	if err == nil {
		err = os.WriteFile(conf, []byte(strings.Replace(string(text), "127.0.0.1:0", freeAddress(t), 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	ctx := browser(t, 390, 844, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .deck .pile").length === 32`)
	r.stop()
	soon(t, ctx, "the connection is gone", `document.querySelector(".link.off") !== null`)
	evaluate[bool](t, ctx, `(document.querySelector(".headtools .filled").click(), true)`)
	soon(t, ctx, "the window says that there is no connection, where it is seen, and waits", `(() => {
		const d = document.querySelector("dialog[open]"), away = d?.querySelector(".away");
		if (!away?.textContent.startsWith("no connection") || !d.querySelector("[data-do=yes]").disabled) return false;
		d.scrollTo(0, 1e6);
		const r = away.getBoundingClientRect();
		return away.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })()`)
	keep(t, ctx, "away.png")
	evaluate[bool](t, ctx, `(document.querySelector("dialog[open] [data-game=meirav]").click(), true)`)
	again := start(t, "run", "--config", conf)
	soon(t, ctx, "it waits no more", `document.querySelector("dialog[open] .away").textContent === "" &&
		!document.querySelector("dialog[open] [data-do=yes]").disabled`)
	evaluate[bool](t, ctx, `(document.querySelector("dialog[open] [data-do=yes]").click(), true)`)
	soon(t, ctx, "the window closes", `document.querySelector("dialog[open]") === null`)
	if g := again.await("table", "the array stands", synced); g.Variant != "meirav" {
		t.Errorf("the game is %s, want meirav", g.Variant)
	}
}

// TestGuestsWaitForTheComputer: who chooses in the demo who plays, while its computer is away, is told so and asked
// again.
func TestGuestsWaitForTheComputer(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "it asks who plays", `document.querySelectorAll(".main .guest").length === 4`)
	r.await("north", "the array stands", synced)
	r.stop()
	for i := range 4 {
		evaluate[bool](t, ctx, fmt.Sprintf(`(window.was = document.querySelectorAll(".main .guest")[%d], was.click(), true)`, i))
		soon(t, ctx, "it says what failed, and asks again", `!was.isConnected && document.querySelectorAll(".main .guest").length === 4 &&
			document.querySelector(".main .tip").textContent === "the board's computer did not answer"`)
	}
}
