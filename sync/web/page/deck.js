// SPDX-License-Identifier: Apache-2.0
// One deck of a board in three dimensions, by the browser's own perspective: squares, their lights, and cubes of
// wood. A square is 100 units wide; turning and resizing change one transform. Only what has changed is drawn anew, so
// that the keyboard's place is kept.
import { el, picture, side } from "./pieces.js";
import { make } from "./dom.js";
import { chip, cube, EDGE, loose, padlock, rise, sheet, U } from "./cube.js";
import { files, squares } from "./notation.js";

// What the lights tell, as shapes in a box of 24.
export const shapes = {
  quiet: ["M12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10z"],
  stack: ["M6 13h12v2H6zM6 17h12v2H6zM12 3l4 5h-3v3h-2V8H8z"],
  capture: ["", "M6.500 6.500l11 11M17.500 6.500l-11 11"],
  special: ["M12 4l8 8-8 8-8-8z"],
  from: ["", "M12 20V5M5.500 11L12 4.500 18.500 11"],
  to: ["", "M12 3v12M6 9.500l6 6 6-6M5 20h14"],
  wrong: ["", "M5 9h14M5 15h14M16 4L8 20"],
  answer: ["", "M8.500 9a3.600 3.600 0 1 1 5 3.300c-1 .5-1.500 1.200-1.500 2.500M12 18.700v.3"],
  check: ["", "M12 4.500v9.500M12 18.500v.3"],
  locked: ["M6 11h12v9H6z", "M8.500 11V8a3.500 3.500 0 0 1 7 0v3"],
  unsent: ["", "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM12 8v4l3 2"],
  stuck: ["", "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM6.500 6.500l11 11"],
  alarm: ["", "M12 4L3 20h18zM12 10v4M12 17v.3"],
  origin: ["", "M5 9V5h4M15 5h4v4M19 15v4h-4M9 19H5v-4"],
};

// A light's shape, for the board and for the key.
export function shape(parent, kind) {
  const svg = el("svg", { viewBox: "0 0 24 24", class: "shape " + kind, "aria-hidden": true }, parent),
    [solid, line] = Object.hasOwn(shapes, kind) ? shapes[kind] : [];
  if (solid) el("path", { d: solid, class: "solid" }, svg);
  if (line) el("path", { d: line, class: "line" }, svg);
  return svg;
}

const rim = 0.34; // squares

// In hundredths of a square: how high a lifted piece floats, and how far it is seen above where it stood.
const lift = 40,
  shown = 8;

const views = {
  seat: { tilt: 40, opening: 15 },
  phone: { tilt: 20, opening: 18 },
  twin: { tilt: 56, opening: 31 }, // two above each other: the flatter they lie, the wider they may be
  below: { tilt: 48, opening: 31 }, // the upper deck has no part in the game
  top: { tilt: 0, opening: 18 },
  flat: { tilt: 0, opening: 0 },
  small: { tilt: 32, opening: 18 }, // for a board beside the large one: tiles on a tilted board, one picture in all
};

export class Deck {
  constructor(parent, name, label) {
    this.name = name;
    this.label = label; // (square, pile, marks) => what a screen reader says
    this.root = make("div", "deck " + name, parent);
    this.root.role = "group";
    this.focused = 4; // e1
    this.turn = this.lean = 0;
    this.high = []; // [square, pieces] of the piles that would stand out of the window at the far side
    new ResizeObserver(() => {
      [this.w, this.h] = [this.root.clientWidth, this.root.clientHeight];
      this.fit();
    }).observe(this.root);
  }

  // view: seat, top, flat or small; two: how one of two decks is seen from the seat, empty for the only one.
  layout(view, flipped, two) {
    const key = [view, flipped, two].join();
    if (this.key === key) return;
    const tiles = view === "flat" || view === "small",
      again = this.flipped === flipped && this.tiles === tiles && this.plane;
    [this.key, this.view, this.flipped, this.two, this.tiles] = [key, view, flipped, two, tiles];
    if (!again) this.build();
    this.root.classList.toggle("lying", view === "small");
    this.turn = this.lean = 0;
    this.fit();
  }

  build() {
    this.root.replaceChildren();
    this.root.classList.toggle("flat", this.tiles);
    this.root.classList.toggle("turned", this.flipped);
    this.plane = make("div", "plane", this.root);
    make("div", "shade", this.plane);
    make("div", "front rimside", this.plane);
    const ground = (this.ground = make("div", "ground", this.plane));
    this.square = [];
    for (const i of this.order()) {
      const s = (this.square[i] = make("div", `sq ${(i + (i >> 3)) % 2 ? "light" : "dark"}`, ground));
      s.dataset.square = squares[i];
      s.dataset.deck = this.name;
      s.tabIndex = i === this.focused ? 0 : -1;
      s.role = "button";
      s.addEventListener("focus", () => this.rove(i));
    }
    const along = make("div", "along", ground),
      up = make("div", "up", ground);
    for (let k = 0; k < 8; k++) {
      make("span", "coordinate", along, files[this.flipped ? 7 - k : k]);
      make("span", "coordinate", up, String(this.flipped ? k + 1 : 8 - k));
    }
    this.shadows = make("div", "shadows", ground); // on the ground, so that they need no picture of their own
    this.signs = this.plane.getElementsByClassName("sign");
    this.floats = this.plane.getElementsByClassName("held");
    [this.pile, this.keys, this.before, this.shadow, this.faces, this.sheets] = [[], [], null, [], [], {}];
  }

  // The far left corner of square i, 0 for a1, as it lies before the viewer.
  corner(i) {
    return this.flipped ? [7 - (i % 8), i >> 3] : [i % 8, 7 - (i >> 3)];
  }

  order() {
    // from far left to near right
    const place = (i) => {
      const [x, y] = this.corner(i);
      return 8 * y + x;
    };
    return [...Array(64).keys()].sort((a, b) => place(a) - place(b));
  }

  // As large as the room lets the board be, however it is turned. All of that is one transform, perspective and all,
  // so that a step of turning lays nothing out and paints nothing.
  fit() {
    const { w, h } = this; // not asked of the browser in every frame: it would lay out the page first
    if (!w || !h || !this.plane) return;
    // whether the game lies on this deck alone
    const lone = !this.two || (this.two === "below" && this.name === "lower"),
      slim = w < 560 && !this.apart,
      seat = lone ? (slim ? "phone" : this.two || "seat") : "twin",
      v = views[this.view === "seat" ? seat : this.view],
      p = v.opening || 1e4;
    this.tilt = Math.max(0, Math.min(70, v.tilt - this.lean));
    const t = (this.tilt * Math.PI) / 180,
      a = (this.turn * Math.PI) / 180,
      seen = (y) => p / (p - y * Math.sin(t)),
      b = 4 + rim;
    let [wide, up, down, far] = [0, 0, 0, 1];
    for (const [x, y] of [
      [-b, -b],
      [b, -b],
      [-b, b],
      [b, b],
    ]) {
      const y1 = x * Math.sin(a) + y * Math.cos(a),
        q = seen(y1);
      wide = Math.max(wide, Math.abs(x * Math.cos(a) - y * Math.sin(a)) * q);
      up = Math.max(up, -y1 * Math.cos(t) * q);
      down = Math.max(down, y1 * Math.cos(t) * q);
      far = Math.min(far, q);
    }
    up += this.tiles ? 0 : Math.sin(t) * 0.62 * far;
    if (!this.tiles)
      for (const [i, n] of this.high) {
        const [x, y] = this.corner(i),
          y1 = (x - 3.5) * Math.sin(a) + (y - 3.9) * Math.cos(a),
          z1 = (n * rise(n)) / U;
        up = Math.max(up, ((z1 * Math.sin(t) - y1 * Math.cos(t)) * p) / (p - y1 * Math.sin(t) - z1 * Math.cos(t)));
      }
    down += Math.sin(t) * 0.3;
    const s = (this.size = Math.min(w / (2 * wide), h / (up + down))),
      middle = (h - s * (up + down)) / 2 + s * up,
      z = s / U;
    if (!this.turns && this.small !== s < 60) this.root.classList.toggle("small", (this.small = s < 60));
    this.plane.style.transform =
      `translate3d(0,${middle}px,0) ${v.opening ? `perspective(${p * s}px) ` : ""}` +
      `scale3d(${z},${z},${z}) rotateX(${this.tilt}deg) rotateZ(${this.turn}deg)`;
    for (const e of this.signs) this.upright(e);
    for (const e of this.floats) this.float(e);
    this.eye = [p * Math.sin(t) * Math.sin(a), p * Math.sin(t) * Math.cos(a)]; // squares from the board's middle
    for (const name in this.sheets) this.look(name);
  }

  // Leaves out the sheets that look away: every picture costs time in each frame. While the board is turned sheets
  // only come.
  look(name) {
    if (!this.eye) return;
    const s = this.sheets[name],
      edge = EDGE / U,
      [ex, ey] = this.eye,
      away =
        s.kind === "right"
          ? ex < s.n - 3 - edge
          : s.kind === "left"
            ? ex > s.n - 4 + edge
            : s.kind === "front" && ey < s.n - 3 - edge;
    if (away !== s.away && (!away || !this.turns)) s.root.hidden = s.away = away;
  }

  // Turns a sign to the viewer. A property that all the pieces inherit would cost the style of each of them at
  // every step of turning.
  upright(e) {
    e.style.transform = `translateZ(${e.up}px) rotateZ(${-this.turn}deg) rotateX(${-this.tilt}deg)`;
  }

  // Holds what a hand has lifted between its square and the viewer: it hides no more of the next square than it did.
  float(e) {
    const a = (this.turn * Math.PI) / 180,
      near = lift * Math.tan((this.tilt * Math.PI) / 180) - shown;
    e.style.transform = `translate3d(${near * Math.sin(a)}px,${near * Math.cos(a)}px,${e.up}px) rotateX(8deg)`;
  }

  // Turns the board under the hand; by nothing, back to the seat.
  roll(dx, dy) {
    if (this.tiles) return;
    this.turn = dx === undefined ? 0 : Math.max(-60, Math.min(60, this.turn - dx * 0.3));
    this.lean = dx === undefined ? 0 : Math.max(-30, Math.min(40, this.lean + dy * 0.3));
    this.turns = dx !== undefined;
    this.fit();
  }

  // The hand that turned the board has let go.
  rest() {
    this.turns = false;
    this.fit();
  }

  // Only one square of the board is a stop of the Tab key; arrows go from it.
  rove(i) {
    this.square[this.focused].tabIndex = -1;
    this.focused = i;
    this.square[i].tabIndex = 0;
  }

  step(right, away) {
    const s = this.flipped ? -1 : 1,
      f = (this.focused % 8) + s * right,
      r = (this.focused >> 3) + s * away;
    if (f >= 0 && f < 8 && r >= 0 && r < 8) {
      this.rove(8 * r + f);
      this.square[8 * r + f].focus();
    }
  }

  // The square at a point: the one whose middle is there, though a tall pile may stand before it; else what is seen
  // there.
  at(x, y) {
    for (const s of this.square) {
      const r = s.getBoundingClientRect();
      if (Math.abs(r.x + r.width / 2 - x) <= 1.5 && Math.abs(r.y + r.height / 2 - y) <= 1.5)
        return { deck: this.name, square: s.dataset.square, middle: true };
    }
    return seen(document.elementFromPoint(x, y), this);
  }

  field(square) {
    return this.square[squares.indexOf(square)];
  }

  // piles by square; what the lights tell, and marks { last, locked }, by square; held: what a hand has lifted there.
  show(piles, lights, marks, held = {}) {
    const moves = this.before ? this.moved(piles) : {},
      high = [];
    squares.forEach((sq, i) => {
      const pile = piles[sq] || [],
        m = marks[sq] || {},
        light = lights[sq] || "",
        up = held[sq] || [];
      if (pile.length + up.length > 2) high.push([i, pile.length + up.length]);
      const key = [pile.join(""), light, m.last, m.locks, up.join("")].join("|");
      if (this.keys[i] === key) return;
      this.keys[i] = key;
      const s = this.square[i];
      s.className = `sq ${(i + (i >> 3)) % 2 ? "light" : "dark"}${m.last ? " last" : ""}${light ? " lit " + light : ""}`;
      s.ariaLabel = this.label(sq, pile, { ...m, light });
      s.replaceChildren();
      if (light && !pile.length) shape(s, light);
      this.stand(i, sq, pile, light, m, up, moves[sq]);
    });
    this.before = piles;
    if (String(high) !== String(this.high)) {
      this.high = high;
      this.fit();
    }
  }

  // Where each piece that has newly come comes from: what is away from a square, now or a moment ago.
  moved(piles) {
    const now = performance.now(),
      from = {};
    this.away = (this.away || []).filter((a) => now - a.at < 1500);
    for (const sq of squares) {
      const was = this.before[sq] || [],
        is = piles[sq] || [];
      if (was.length > is.length) for (const p of was.slice(is.length)) this.away.push({ p, sq, at: now });
    }
    for (const sq of squares) {
      const was = this.before[sq] || [],
        is = piles[sq] || [],
        top = is[is.length - 1];
      const k =
        is.length > was.length || (is.length && top !== was[was.length - 1])
          ? this.away.findIndex((a) => a.p === top && a.sq !== sq)
          : -1;
      if (k >= 0) from[sq] = this.away.splice(k, 1)[0].sq;
    }
    return this.carried ? {} : from;
  }

  stand(i, sq, pile, light, m, up, from) {
    this.clear(i);
    if (!pile.length && (!up.length || this.tiles)) return;
    const [x, y] = this.corner(i),
      n = pile.length,
      h = rise(n),
      p = (this.pile[i] = make("div", `pile${light ? " lit " + light : ""}`, this.tiles ? this.shadows : this.plane));
    p.dataset.at = sq;
    p.dataset.on = this.name;
    if (this.tiles) {
      p.style.gridArea = `${y + 1} / ${x + 1}`;
      p.classList.toggle("many", n > 1);
      return this.tile(p, pile, light);
    }
    p.style.left = U * (x - 4) + "px";
    p.style.top = U * (y - 4) + "px";
    const d = (this.shadow[i] = make("div", "shadow", this.shadows));
    d.style.gridArea = `${y + 1} / ${x + 1}`;
    const cell = (k, parent = p) => {
      const c = make("div", "cube", parent);
      c.dataset.level = k;
      return c;
    };
    if (up.length) {
      const c = make("div", "held", p),
        hh = rise(up.length);
      c.up = n * h + lift;
      this.float(c);
      up.forEach((q, k) => cube(loose(cell(k, c)), q, k * hh, hh, k === up.length - 1, false));
    }
    const each = (put) => pile.forEach((c, k) => cube(put(k), c, k * h, h, k === n - 1, m.locks));
    const rest = () => {
      this.faces[i] = [];
      each((k) => {
        const on = { at: sq, on: this.name, level: k },
          own = loose(cell(k)); // a high sheet would be cut by the window, wrongly in software
        return (kind, z) =>
          this.apart || (kind === "top" && z > U)
            ? own(kind, z)
            : this.lay(i, kind, z, kind === "top" ? z : n > 2 ? 3 * U : n * h, on, !k && light);
      });
      p.hidden = ![...p.children].some((c) => c.firstChild); // a box that shows nothing costs time as well
    };
    if (n > 1) this.upright(this.under(p, pile, m.locks));
    if (light && n) {
      const b = badge(p, light);
      b.up = n * h + 6;
      this.upright(b);
    }
    if (from && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      each((k) => loose(cell(k)));
      this.glide(p, from, i).onfinish = () => {
        if (this.pile[i] !== p) return;
        for (const c of p.querySelectorAll(":scope > .cube")) c.remove();
        rest();
      };
    } else rest();
  }

  // What lies directly beneath, for squares too small to show it on the sides.
  under(p, pile, locks) {
    const c = make("div", "under sign", p);
    c.up = pile.length * rise(pile.length) + 6; // over the pile, whose cubes would cut it
    chip(c, pile[pile.length - 2]);
    if (locks) padlock(c);
    if (pile.length > 2) make("span", "", c, String(pile.length));
    return c;
  }

  // The top piece of a pile comes from another square.
  glide(p, from, i) {
    const [x, y] = this.corner(i),
      [fx, fy] = this.corner(squares.indexOf(from)),
      up = U * 0.6;
    return p
      .querySelector(":scope > .cube:last-of-type")
      .animate(
        [
          { transform: `translate3d(${U * (fx - x)}px,${U * (fy - y)}px,${up}px)` },
          { transform: `translate3d(0,0,${up}px)`, offset: 0.75 },
          { transform: "none" },
        ],
        { duration: 260, easing: "ease-out" },
      );
  }

  // Lays a face of a cube on square i into the sheet of its plane, z being its upper edge and high that of its pile.
  lay(i, kind, z, high, on, light) {
    const [x, y] = this.corner(i),
      n = kind === "top" ? z : kind === "front" ? y : x,
      name = [kind, n, high].join();
    if (!this.sheets[name]) {
      this.sheets[name] = { kind, n, root: sheet(this.plane, kind, n, high) };
      this.look(name);
    }
    const f = make("div", light ? "lit " + light : "", this.sheets[name].root);
    Object.assign(f.dataset, on);
    f.style.gridArea = `${kind === "top" ? 1 + y : 1} / ${1 + (kind === "right" ? 7 - y : kind === "left" ? y : x)}`;
    f.style.marginTop = (kind === "top" ? EDGE : high - z) + "px";
    this.faces[i].push(f);
    return f;
  }

  clear(i) {
    for (const e of [this.pile[i], this.shadow[i], ...(this.faces[i] || [])]) e?.remove();
    delete this.pile[i];
    delete this.shadow[i];
    delete this.faces[i];
  }

  // From above and without depth: the top piece, and left of it what lies under it, upward and then to the right,
  // as in stack FEN.
  tile(p, pile, light) {
    const n = pile.length,
      low = pile.slice(0, -1),
      cols = Math.ceil(low.length / 4),
      c = make("div", "tile " + side(pile[n - 1]) + picture(pile[n - 1]), p);
    c.dataset.level = n - 1;
    if (n > 1) ((c.style.left = 8 + 22 * cols + "px"), (c.style.width = 84 - 22 * cols + "px"));
    low.forEach((q, k) => {
      const s = make("div", "chip " + side(q) + picture(q), p);
      s.dataset.level = k;
      s.style.left = 6 + 22 * Math.floor(k / 4) + "px";
      s.style.top = 72 - 22 * (k % 4) + "px";
    });
    if (light) badge(p, light);
  }
}

// What stands or lies under a point that was hit.
export function seen(e, only) {
  const g = e?.closest?.("[data-at],[data-square]"),
    board = g?.closest("[data-board]")?.dataset.board;
  if (!g || (only && !only.root.contains(g))) return null;
  return {
    deck: g.dataset.on || g.dataset.deck,
    square: g.dataset.at || g.dataset.square,
    board,
    level: e.closest("[data-level]")?.dataset.level,
  };
}

function badge(p, light) {
  const b = make("div", "badge sign " + light, p);
  shape(b, light);
  return b;
}
