// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// TestPairingFieldsStandInLine: the fields of a pairing begin in one line and are of one width, with their button
// below them. On a phone their labels stand above them.
func TestPairingFieldsStandInLine(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page+"settings")
	for _, c := range []struct {
		size   [2]int64
		labels string
	}{
		{[2]int64{1440, 900}, `labels[0].right < fields[0].x && Math.abs(labels[0].y + labels[0].height / 2 - fields[0].y - fields[0].height / 2) < 4`},
		{[2]int64{390, 844}, `labels[0].x === fields[0].x && labels[0].bottom <= fields[0].y`},
	} {
		soon(t, ctx, "a pairing is offered", `document.querySelectorAll(".pair input").length === 2`)
		atSize(t, ctx, c.size)
		keep(t, ctx, "pairing.png")
		soon(t, ctx, "its fields stand in line", `(() => {
			const box = (e) => e.getBoundingClientRect(), all = (what) => [...document.querySelectorAll(".pair " + what)].map(box),
				labels = all("span"), fields = all("input"), [button] = all("button");
			return labels[0].x === labels[1].x && fields[0].x === fields[1].x && fields[0].width === fields[1].width &&
				button.x === fields[0].x && button.y >= fields[1].bottom && fields[0].right <= innerWidth - 20 && `+c.labels+`; })()`)
	}
}

// TestWorkshopOnAPhone: what the workshop says of its parts is seen whole on a phone. The table beneath may be
// scrolled.
func TestWorkshopOnAPhone(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "chess")
	ctx := browser(t, 390, 844, r.page+"workshop")
	soon(t, ctx, "it says for how long the program has run, in sight", `(() => {
		const said = [...document.querySelectorAll(".parts *")].find((e) => e.textContent.startsWith("buses and chips")),
			range = document.createRange();
		if (!said) return false;
		range.selectNodeContents(said);
		return range.getBoundingClientRect().right <= said.closest(".parts").getBoundingClientRect().right; })()`)
}
