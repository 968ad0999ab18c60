// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestNamesOnThePage: names come from the settings, can be entered on the page, and appear on it and in the game file.
// What is not on the form stays.
func TestNamesOnThePage(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack",
		"names:\n  event: Club evening\n  site: Haifa\n  white: Polgar, Judit\n  white_title: GM\n"))
	r.await("table", "the array stands", synced)
	ctx := browser(t, 390, 844, r.page)
	shows := func(side, want string) {
		t.Helper()
		soon(t, ctx, want, fmt.Sprintf(`document.querySelector(".clock.%s .name")?.textContent.includes(%q)`, side, want))
	}
	shows("white", "GM Polgar, Judit")
	soon(t, ctx, "the button is there", `document.querySelector("[data-do='name']")?.hidden === false`)
	evaluate[bool](t, ctx,
		`(document.querySelector("details.more").open = true, document.querySelector("[data-do='name']").click(), true)`)
	soon(t, ctx, "the form is open", `document.querySelector("dialog[open] [name='white']")?.value === "Polgar, Judit"`)
	keep(t, ctx, "names.png")
	evaluate[bool](t, ctx, `(() => { const put = (name, value) => { document.querySelector("dialog [name='" + name + "']").value = value; };
		put("black", "Ковалёв, Лев"); put("black_federation", "ISR"); put("round", "3"); put("white_title", "");
		document.querySelector("dialog [data-do='yes']").click(); return true; })()`)
	g := r.await("table", "the names are written down",
		func(g *wire.Game) bool { return g.Names != nil && g.Names.Black != "" })
	if want := (wire.Names{Event: "Club evening", Site: "Haifa", Round: "3", White: "Polgar, Judit",
		Black: "Ковалёв, Лев", BlackFederation: "ISR"}); *g.Names != want {
		t.Errorf("got %+v, want %+v", *g.Names, want)
	}
	shows("black", "Ковалёв, Лев")
	soon(t, ctx, "the form is closed", `!document.querySelector("dialog[open]")`)
	text := get(t, r.page+"api/boards/table/pgn")
	for _, want := range []string{`[Black "Ковалёв, Лев"]`, `[BlackFederation "ISR"]`, `[Site "Haifa"]`, `[Round "3"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}
