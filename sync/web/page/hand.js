// SPDX-License-Identifier: Apache-2.0
// Hands on a virtual board: cubes are dragged by mouse, touch or pen, tapped, or moved by keys. It asks for lifts and
// placements of wood and never for moves: what they mean is the board's to find out.
import { el, glyph, side } from "./pieces.js";
import { Geometry, CUBE } from "./geometry.js";
import { make, button, select, set } from "./dom.js";
import { icon } from "./pieces.js";
import { post } from "./live.js";
import { text, names } from "./text.js";

const far = 6; // px before a press is a drag

export class Hand {
  constructor(board, root, tip, locking) {
    this.board = board;
    this.tip = tip;
    this.locking = locking; // whether the game is one in which a piece under another is locked
    this.hand = "right";
    this.count = 0;
    this.queue = Promise.resolve();
    this.waiting = 0; // deeds that are on their way
    this.drags = new Map();
    this.wood = null;
    this.bar(root);
  }

  bar(root) {
    this.root = make("div", "hands", root);
    this.held = {};
    for (const h of ["left", "right"]) {
      const b = (this.held[h] = button(this.root, "", () => this.use(h), "held"));
      b.dataset.hand = h;
    }
    this.tray = make("div", "tray", this.root, text.hand.beside);
    this.tray.dataset.tray = "";
    this.discard = button(this.root, text.hand.discard, () => this.deed({ do: "discard" }));
    this.spare = select(this.root, text.hand.take, [["", "–"], ...Object.entries(names)]);
    this.spare.onchange = () => { if (this.spare.value) this.deed({ do: "take", pieces: [this.spare.value] }); this.spare.value = ""; };
    this.mender = button(this.root, text.hand.mend, () => this.mend(), "mend");
    make("p", "help", this.root, text.hand.help);
    this.use("right");
  }

  use(h) {
    this.hand = h;
    for (const k of ["left", "right"]) this.held[k].setAttribute("aria-pressed", k === h);
  }

  show(wood, squares) {
    this.wood = wood;
    this.squares = squares;
    for (const h of ["left", "right"]) {
      const b = this.held[h], ps = wood.hands[h];
      const key = ps.join("");
      if (b.dataset.key === key) continue;
      b.dataset.key = key;
      b.replaceChildren();
      make("span", "", b, text.hand[h] + ": ");
      if (!ps.length) make("span", "none", b, text.hand.empty);
      for (const p of ps) icon(b, p, names[p]);
    }
    this.discard.disabled = !wood.hands.left.length && !wood.hands.right.length;
    this.mender.hidden = !squares.length;
  }

  // What a hand holds, deeds on their way counted as done: hands are quicker than the network.
  holds(h = this.hand) { return (this.waiting ? this.guess : this.wood?.hands)?.[h] || []; }

  foresee(d) {
    if (!this.waiting) this.guess = structuredClone(this.wood.hands);
    const held = this.guess[d.hand];
    if (d.do === "lift") held.push(...this.pile(d.deck, d.square).slice(-d.count));
    else if (d.do === "take") held.push(...d.pieces);
    else this.guess[d.hand] = [];
  }

  // Listens on a deck's drawing.
  on(deck) {
    const s = deck.svg;
    s.addEventListener("pointerdown", (e) => this.press(e, deck));
    s.addEventListener("pointermove", (e) => this.move(e));
    s.addEventListener("pointerup", (e) => this.release(e));
    s.addEventListener("pointercancel", (e) => this.end(e.pointerId));
    s.addEventListener("keydown", (e) => this.key(e, deck));
  }

  pile(deck, square) { return this.wood[deck][square] || []; }

  press(e, deck) {
    const at = place(e.target);
    if (!this.wood || !at || looksOn() || e.button > 0 || e.target.closest(".badge")) return;
    const level = e.target.closest("[data-level]")?.dataset.level;
    const pile = this.pile(at.deck, at.square);
    const other = [...this.drags.values()].some((d) => d.hand === this.hand);
    const hand = e.altKey || other ? (this.hand === "left" ? "right" : "left") : this.hand;
    const count = this.count || (e.shiftKey ? pile.length : level === undefined ? 1 : pile.length - level);
    this.drags.set(e.pointerId, { ...at, x: e.clientX, y: e.clientY, hand, count: Math.min(count, pile.length), pile, lifted: false });
    deck.svg.setPointerCapture(e.pointerId);
    if (pile.length && !this.holds(hand).length) e.preventDefault();
  }

  move(e) {
    const d = this.drags.get(e.pointerId);
    if (!d) return;
    if (!d.lifted && Math.hypot(e.clientX - d.x, e.clientY - d.y) > far) {
      d.lifted = true;
      d.pieces = this.holds(d.hand);
      if (!d.pieces.length && d.count) {
        d.pieces = d.pile.slice(d.pile.length - d.count);
        this.lift(d);
      }
      if (d.pieces.length) d.ghost = ghost(d.pieces);
    }
    if (d.ghost) { d.ghost.style.left = e.clientX + "px"; d.ghost.style.top = e.clientY + "px"; }
  }

  release(e) {
    const d = this.drags.get(e.pointerId);
    if (!d) return;
    this.end(e.pointerId);
    const under = document.elementFromPoint(e.clientX, e.clientY), to = place(under);
    if (!d.lifted) return this.tap(d);
    if (!d.pieces.length) return;
    if (to && to.board === d.board) this.deed({ do: "place", hand: d.hand, deck: to.deck, square: to.square });
    else if (!under?.closest("svg.deck")) this.deed({ do: "discard", hand: d.hand }); // anywhere beside the board; on its rim it stays in the hand
  }

  end(id) {
    this.drags.get(id)?.ghost?.remove();
    this.drags.delete(id);
  }

  tap(d) {
    if (this.holds(d.hand).length) this.deed({ do: "place", hand: d.hand, deck: d.deck, square: d.square });
    else if (d.count) this.lift(d);
    this.count = 0;
  }

  lift(d) {
    const top = d.pile[d.pile.length - 1], low = d.pile[d.pile.length - d.count];
    this.tip(d.count > 1 && this.locking() ? text.locked(low, d.pile[d.pile.length - d.count + 1]) : "");
    this.deed({ do: "lift", hand: d.hand, deck: d.deck, square: d.square, count: d.count || 1 });
    this.count = 0;
    return top;
  }

  key(e, deck) {
    const at = place(e.target), arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (arrows) deck.step(...arrows);
    else if (!this.wood || !at || looksOn()) return;
    else if (e.key === "Enter" || e.key === " ") {
      const pile = this.pile(at.deck, at.square);
      this.tap({ ...at, hand: this.hand, pile, count: Math.min(pile.length, this.count || (e.shiftKey ? pile.length : 1)) });
    } else if (e.key >= "1" && e.key <= "9") this.count = +e.key;
    else if (e.key === "l" || e.key === "L") this.use(this.hand === "left" ? "right" : "left");
    else if (e.key === "d" || e.key === "D" || e.key === "Delete") this.deed({ do: "discard" });
    else return;
    e.preventDefault();
  }

  // Deeds go out one after the other: a hand can do one thing at a time.
  deed(d) {
    const body = { hand: this.hand, ...d };
    if (d.do === "discard" && !d.hand && !this.holds().length) body.hand = this.hand === "left" ? "right" : "left";
    this.foresee(body);
    this.waiting++;
    this.queue = this.queue.then(async () => {
      const r = await post(`api/boards/${this.board}/hand`, body);
      this.waiting--;
      if (r.hand) this.wood = { ...this.wood, hands: { ...this.wood.hands, [body.hand]: r.hand } };
      if (r.error) this.tip(r.error);
      return r;
    });
    return this.queue;
  }

  // Brings every square that the board names to what should stand there.
  async mend() {
    const touch = this.squares, wood = this.wood;
    for (const hand of ["left", "right"]) if (wood.hands[hand].length) this.deed({ do: "discard", hand });
    for (const t of touch) {
      const count = (wood[t.deck][t.square] || []).length;
      if (count) this.deed({ do: "lift", deck: t.deck, square: t.square, count, hand: "right" }), this.deed({ do: "discard", hand: "right" });
    }
    for (const t of touch) if (t.want.length) {
      this.deed({ do: "take", pieces: t.want, hand: "right" });
      this.deed({ do: "place", deck: t.deck, square: t.square, hand: "right" });
    }
  }
}

const looksOn = () => !["player", "workshop"].includes(document.body.dataset.right);

function place(e) {
  const g = e?.closest?.("g[data-square]");
  return g && { square: g.dataset.square, deck: g.dataset.deck, board: g.closest("[data-board]").dataset.board };
}

// What a hand carries, under the pointer.
function ghost(pieces) {
  const svg = el("svg", { class: "ghost deck", viewBox: "-6 -100 64 120", "aria-hidden": true }, document.body);
  const g = new Geometry(true, false), h = 0.62, n = Math.min(pieces.length, 4);
  pieces.slice(-n).forEach((p, k) => {
    const z = k * h, c = el("g", { class: `cube ${side(p)}` }, svg);
    el("polygon", { points: g.polygon([0, 0, z], [CUBE, 0, z], [CUBE, 0, z + h], [0, 0, z + h]), class: "front" }, c);
    el("polygon", { points: g.polygon([CUBE, 0, z], [CUBE, CUBE, z], [CUBE, CUBE, z + h], [CUBE, 0, z + h]), class: "side" }, c);
    el("polygon", { points: g.polygon([0, 0, z + h], [CUBE, 0, z + h], [CUBE, CUBE, z + h], [0, CUBE, z + h]), class: "top" }, c);
    glyph(c, p, { transform: g.lying(0.02, CUBE - 0.02, z + h, CUBE - 0.04) });
  });
  return svg;
}
