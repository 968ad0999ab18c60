// SPDX-License-Identifier: Apache-2.0
// The two players: their names, what they have captured, and their clocks. One's own side is below.
import { make, set } from "./dom.js";
import { chip } from "./cube.js";
import { material } from "./notation.js";
import { text, names } from "./text.js";

export class Clocks {
  // offset: by how many milliseconds the board's clock is ahead of the browser's.
  constructor(root, board, offset) {
    this.board = board;
    this.offset = offset;
    this.sides = {};
    for (const side of ["white", "black"]) {
      const c = (this.sides[side] = { root: make("div", "clock " + side, root) });
      make("span", "wood " + side, c.root);
      c.name = make("span", "name", c.root);
      c.taken = make("span", "taken", c.root);
      c.time = make("time", "", c.root);
      c.time.ariaLabel = text.clock[side];
    }
    setInterval(() => this.tick(), 200);
  }

  show(g, over, flipped) {
    this.game = g;
    for (const side of ["white", "black"]) {
      const c = this.sides[side];
      const title = g.names?.[side + "_title"],
        who = g.names?.[side] ? (title ? title + " " : "") + g.names[side] : text.seat(g.seats[side], this.board);
      set(c.name, text.sides[side] + (who ? `: ${who}` : ""));
      c.root.classList.toggle("turn", !over && g.turn === side);
      c.root.classList.toggle("me", (side === "white") !== flipped);
      c.root.classList.toggle("opp", (side === "white") === flipped);
    }
    this.taken(g);
    this.tick();
  }

  taken(g) {
    const key = g.game + g.fen;
    if (this.takenKey === key) return;
    this.takenKey = key;
    const a = material(g.start),
      b = material(g.fen);
    for (const [side, letters] of [
      ["white", "QRBNP"],
      ["black", "qrbnp"],
    ]) {
      const t = this.sides[side === "white" ? "black" : "white"].taken; // by the side that took them
      t.replaceChildren();
      const gone = [...letters].flatMap((p) => Array(Math.max(0, (a[p] || 0) - (b[p] || 0))).fill(p));
      t.setAttribute(
        "aria-label",
        gone.length ? `${text.captured[side]}: ${gone.map((p) => names[p]).join(", ")}` : "",
      );
      for (const p of gone) chip(t, p);
    }
  }

  // Clocks run here between two messages; the board's own clock is what counts.
  tick() {
    const c = this.game?.clock;
    for (const side of ["white", "black"]) {
      const e = this.sides[side];
      e.time.hidden = !c;
      if (!c) continue;
      let ms = c[side + "_ms"];
      const running = c.running === side;
      if (running) ms -= Math.max(0, Date.now() + this.offset() - Date.parse(c.at));
      set(e.time, clock(Math.max(0, ms)));
      e.root.classList.toggle("running", running);
      e.root.classList.toggle("low", ms < 30000);
    }
  }
}

export function clock(ms) {
  const s = Math.ceil(ms / 1000),
    two = (n) => String(n).padStart(2, "0");
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
    : `${Math.floor(s / 60)}:${two(s % 60)}`;
}
