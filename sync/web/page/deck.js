// SPDX-License-Identifier: Apache-2.0
// One deck of a board: squares, their lights, and what stands on them. Only what has changed is drawn anew, so that the
// keyboard's place on the board is kept and a hundred small boards cost little.
import { el, glyph, side } from "./pieces.js";
import { Geometry, CUBE, EDGE } from "./geometry.js";
import { files, squares } from "./notation.js";

const dark = "#000000";

// A light's bytes are corrected for the light's own curve; a screen has its own, so the correction is undone.
function glow(led) { return shine(led, 1 / 2.200); }

// The color of a light on the screen. One that is dimmed to save current still shows its hue.
export function shine(color, curve = 1) {
  const rgb = [1, 3, 5].map((i) => (parseInt(color.slice(i, i + 2), 16) / 255) ** curve);
  const most = Math.max(...rgb), lift = most > 0 && most < 0.35 ? 0.35 / most : 1;
  return `rgb(${rgb.map((v) => Math.round(255 * Math.min(1, v * lift))).join(",")})`;
}

export class Deck {
  constructor(parent, name, label) {
    this.name = name;
    this.label = label; // (square, pile, marks) => what a screen reader says
    this.svg = el("svg", { class: "deck", "data-deck": name, role: "group", "aria-label": name }, parent);
    this.focused = 4; // e1
  }

  layout(solid, flipped) {
    if (this.g && this.g.solid === solid && this.g.flipped === flipped) return;
    this.g = new Geometry(solid, flipped);
    this.svg.replaceChildren();
    this.svg.classList.toggle("flat", !solid);
    el("polygon", { points: this.g.polygon([-0.12, -0.12], [8.12, -0.12], [8.12, 8.12], [-0.12, 8.12]), class: "rim" }, this.svg);
    if (solid) el("polygon", { points: this.g.polygon([-0.12, -0.12, -0.2], [8.12, -0.12, -0.2], [8.12, -0.12], [-0.12, -0.12]), class: "rim front" }, this.svg);
    this.ground = squares.map((_, i) => el("polygon", { points: this.g.ground(i, 0), class: (i + (i >> 3)) % 2 ? "light" : "dark" }, this.svg));
    this.mark = squares.map((_, i) => el("polygon", { points: this.g.ground(i, 0.02), class: "mark" }, this.svg));
    this.lamp = squares.map((_, i) => el("polygon", { points: this.g.ground(i, 0.07), class: "led" }, this.svg));
    this.letters();
    this.stack = [];
    for (const i of this.g.order()) this.stack[i] = this.place(i);
    this.keys = [];
    this.lit = [];
    this.boxed = "";
  }

  letters() {
    for (let k = 0; k < 8; k++) {
      const n = this.g.flipped ? 7 - k : k;
      const [x, y] = this.g.point(k + 0.5, this.g.solid ? -0.62 : -0.34), [u, v] = this.g.point(-0.34, k + 0.5);
      el("text", { x, y: y + 5, class: "coordinate" }, this.svg).textContent = files[n];
      el("text", { x: u, y: v + 5, class: "coordinate" }, this.svg).textContent = n + 1;
    }
  }

  place(i) {
    const g = el("g", { class: "stack", "data-square": squares[i], "data-deck": this.name, tabindex: i === this.focused ? 0 : -1, role: "button" }, this.svg);
    g.addEventListener("focus", () => this.rove(i));
    return g;
  }

  // Only one square of the board is a stop of the Tab key; arrows go from it.
  rove(i) {
    this.stack[this.focused].setAttribute("tabindex", -1);
    this.focused = i;
    this.stack[i].setAttribute("tabindex", 0);
  }

  step(right, away) {
    const s = this.g.flipped ? -1 : 1, f = (this.focused % 8) + s * right, r = (this.focused >> 3) + s * away;
    if (f >= 0 && f < 8 && r >= 0 && r < 8) { this.rove(8 * r + f); this.stack[8 * r + f].focus(); }
  }

  // piles by square; leds by index; marks: { square: { last, check, legal, locked } }
  show(piles, leds, marks) {
    const tall = [];
    squares.forEach((sq, i) => {
      const pile = piles[sq] || [], m = marks[sq] || {};
      if (pile.length > 1) tall.push([i, pile.length]);
      this.light(i, leds[i] || dark);
      const key = pile.join("") + "|" + Object.entries(m).join();
      if (this.keys[i] === key) return;
      this.keys[i] = key;
      this.mark[i].setAttribute("class", `mark ${m.last ? "last" : ""} ${m.check ? "check" : ""}`);
      this.fill(i, sq, pile, m);
    });
    const box = this.g.box(tall);
    if (box !== this.boxed) this.svg.setAttribute("viewBox", (this.boxed = box));
  }

  light(i, led) {
    if (this.lit[i] === led) return;
    this.lit[i] = led;
    this.lamp[i].setAttribute("class", led === dark ? "led" : "led on");
    const c = led === dark ? "none" : glow(led);
    this.lamp[i].setAttribute("stroke", c);
    this.lamp[i].setAttribute("fill", c);
  }

  fill(i, sq, pile, m) {
    const s = this.stack[i], [x, y] = this.g.corner(i);
    s.replaceChildren();
    s.setAttribute("aria-label", this.label(sq, pile, m));
    el("polygon", { points: this.g.ground(i, 0), class: "hit" }, s);
    const h = this.g.rise(pile.length);
    if (this.g.solid) pile.forEach((p, k) => this.cube(s, x, y, k * h, h, p, k, pile.length, m));
    else this.tile(s, x, y, pile, m);
    if (m.legal) this.legal(s, x, y, pile.length * h, m.legal);
    if (pile.length > 2) this.badge(s, x, y, pile.length * h, pile.length);
  }

  cube(parent, x, y, z, h, p, k, n, m) {
    const [l, r, b, t] = [x + EDGE, x + 1 - EDGE, y + EDGE, y + 1 - EDGE], top = k === n - 1, g = this.g;
    const c = el("g", { class: `cube ${side(p)} ${top ? "" : "under"}`, "data-level": k }, parent);
    el("polygon", { points: g.polygon([l, b, z], [r, b, z], [r, b, z + h], [l, b, z + h]), class: "front" }, c);
    el("polygon", { points: g.polygon([r, b, z], [r, t, z], [r, t, z + h], [r, b, z + h]), class: "side" }, c);
    if (top) {
      el("polygon", { points: g.polygon([l, b, z + h], [r, b, z + h], [r, t, z + h], [l, t, z + h]), class: "top" }, c);
      glyph(c, p, { transform: g.lying(l + 0.02, t - 0.02, z + h, CUBE - 0.04) });
    }
    if (n > 1 && h >= 0.3) glyph(c, p, { transform: g.standing(l + 0.08, b, z + 0.01, h - 0.02) });
    if (m.locked && !top) el("use", { href: "#kind-lock", width: 20, height: 20, class: "lock " + side(p), transform: g.standing(r - 0.3, b, z + 0.1, h * 1.3) }, c);
  }

  // The flat view: the top piece large, what lies under it written out below, the lowest at the left.
  tile(parent, x, y, pile, m) {
    if (!pile.length) return;
    const n = pile.length, top = pile[n - 1], g = this.g, under = pile.slice(0, -1);
    const size = n > 1 ? 0.7 : 0.9, c = el("g", { class: `cube ${side(top)}`, "data-level": n - 1 }, parent);
    el("polygon", { points: g.ground(squares.indexOf(parent.dataset.square), 0.04), class: "tile" }, c);
    if (top === "#") el("polygon", { points: g.ground(squares.indexOf(parent.dataset.square), 0.3), class: "front" }, c);
    glyph(c, top, { transform: g.lying(x + (1 - size) / 2, y + 1.01, 0, size) });
    if (!under.length) return;
    const w = Math.min(0.32, 0.94 / under.length);
    under.forEach((p, k) => {
      const u = el("g", { class: `cube ${side(p)} under`, "data-level": k }, parent);
      const left = x + 0.5 - (under.length * w) / 2 + k * w;
      el("polygon", { points: g.polygon([left, y + 0.03], [left + w, y + 0.03], [left + w, y + 0.35], [left, y + 0.35]), class: "front" }, u);
      glyph(u, p, { transform: g.lying(left + (w - Math.min(w, 0.3)) / 2, y + 0.03 + Math.min(w, 0.32), 0, Math.min(w, 0.3)) });
    });
    if (m.locked) el("use", { href: "#kind-lock", width: 20, height: 20, class: "lock black", transform: g.lying(x + 0.8, y + 0.97, 0, 0.4) }, parent);
  }

  // What the touched piece may do here, told by shape as well as by color.
  legal(parent, x, y, z, what) {
    const [cx, cy] = this.g.point(x + 0.5, y + 0.5, z), a = el("g", { class: "legal " + what, transform: `translate(${cx} ${cy})` }, parent);
    el("circle", { r: 11, class: "halo" }, a);
    el("path", { d: { quiet: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", capture: "M-5-5L5 5M5-5L-5 5", stack: "M-6 4h12M-6-1h12M0-1v-6", special: "M0-6v12M-6 0h12M-4-4l8 8M4-4l-8 8" }[what] }, a);
  }

  badge(parent, x, y, z, n) {
    const [cx, cy] = this.g.solid ? this.g.point(x + 0.86, y + 0.5, z) : this.g.point(x + 0.85, y + 0.83);
    const b = el("g", { class: "badge", transform: `translate(${cx} ${cy})` }, parent);
    el("circle", { r: 9 }, b);
    el("text", { y: 4.500 }, b).textContent = n;
  }
}
