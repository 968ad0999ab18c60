// SPDX-License-Identifier: Apache-2.0
// A small flat board. It has one drawing for all squares, and a pile a square: its top piece large, and the others
// below it in a row.
import { el, glyph } from "./pieces.js";
import { shape } from "./deck.js";
import { files, squares } from "./notation.js";

const x = (s) => 50 * files.indexOf(s[0]),
  y = (s) => 400 - 50 * s[1];
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Mini {
  // low: how high the pieces below the top one are drawn, of 50.
  constructor(parent, low = 16) {
    this.low = low;
    this.svg = el("svg", { viewBox: "0 0 400 400", class: "mini", role: "img" }, parent);
    el("rect", { width: 400, height: 400, class: "minilight" }, this.svg);
    el(
      "path",
      {
        d: squares.map((s, i) => ((i + (i >> 3)) % 2 ? "" : `M${x(s)} ${y(s)}h50v50h-50z`)).join(""),
        class: "minidark",
      },
      this.svg,
    );
    this.last = el("path", { class: "minilast" }, this.svg);
    this.at = {};
  }

  // wood: what stands where, from the bottom; last: the squares of the last move.
  show(wood, last) {
    this.last.setAttribute("d", last.map((s) => `M${x(s)} ${y(s)}h50v50h-50z`).join(""));
    for (const s of squares) {
      const pile = wood[s] || [],
        key = pile.join("");
      if ((this.at[s]?.key || "") === key) continue;
      this.at[s]?.g.remove();
      delete this.at[s];
      if (pile.length) this.at[s] = { key, g: this.pile(s, pile) };
    }
  }

  pile(s, pile) {
    const g = el("g", { transform: `translate(${x(s)} ${y(s)})` }, this.svg),
      under = pile.length - 1,
      h = this.low,
      w = Math.min(h + 1, 48 / under),
      top = 54 - h;
    glyph(
      g,
      pile[under],
      under ? { x: 25 - top / 2, y: -2, width: top, height: top } : { x: 1, y: 1, width: 48, height: 48 },
    );
    pile.slice(0, under).forEach((p, k) => {
      const box = { x: 25 - (under * w) / 2 + k * w, y: 49 - h, width: w, height: h };
      el("rect", { ...box, class: p === "#" ? "pedestal" : p < "a" ? "underwhite" : "underblack" }, g);
      glyph(g, p, box);
    });
    return g;
  }

  // The pile of a square comes from another one; where people want no motion it stands there.
  glide(from, to, ms) {
    const g = this.at[to]?.g;
    if (!g || still.matches || from === to) return;
    this.svg.append(g); // over the others
    g.animate(
      [{ transform: `translate(${x(from)}px, ${y(from)}px)` }, { transform: `translate(${x(to)}px, ${y(to)}px)` }],
      { duration: ms, easing: "ease-out" },
    );
  }

  // Signs in squares, as lights have them: [{ square, means }]. Beside a piece a sign is small, so that both are seen.
  mark(list) {
    this.marks?.remove();
    this.marks = el("g", {}, this.svg);
    for (const m of list) {
      const at = this.at[m.square]
          ? `translate(${x(m.square) + 30} ${y(m.square) + 1}) scale(0.7)`
          : `translate(${x(m.square) + 12} ${y(m.square) + 12})`,
        g = el("g", { transform: at, class: "lit " + m.means }, this.marks);
      el("circle", { cx: 13, cy: 13, r: 15, class: "markground" }, g);
      const s = shape(g, m.means);
      for (const [k, v] of [
        ["x", 2],
        ["y", 2],
        ["width", 22],
        ["height", 22],
      ])
        s.setAttribute(k, v);
    }
  }
}
