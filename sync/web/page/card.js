// SPDX-License-Identifier: Apache-2.0
// One board on the page: its decks, its hands, and its panel. What is drawn follows from the newest state alone.
import { game } from "./games.js";
import { make, button, set, memory } from "./dom.js";
import { icon } from "./pieces.js";
import { Deck } from "./deck.js";
import { Hand } from "./hand.js";
import { Panel } from "./panel.js";
import { fresh, resign } from "./newgame.js";
import { piles, parse, color } from "./notation.js";
import { get, post } from "./live.js";
import { text, names } from "./text.js";

export class Card {
  constructor(board, live) {
    this.board = board;
    this.live = live;
    this.game = this.wood = this.leds = this.health = this.linked = null;
    this.past = null; // the ply that is looked at, null for the game as it stands
    this.root = make("section", "board", document.getElementById("boards"));
    this.root.dataset.board = board;
    this.root.setAttribute("aria-labelledby", "name-" + board);
    make("h2", "", this.root, board).id = "name-" + board;
    this.left = make("div", "left", this.root);
    this.right = make("div", "right", this.root);
    this.decks = make("div", "decks", this.left);
    this.pileLine = make("p", "pile", this.left);
    this.turned = memory.get("turned." + board) === "yes";
    this.panel = new Panel(this.right, board, {
      command: (c) => this.command(c), look: (n) => this.look(n), fresh: () => this.game && fresh(this), mine: (s) => this.mine(s), offset: () => live.offset,
      resign: () => resign(["white", "black"].filter((s) => this.mine(s)), (c) => this.command(c)),
    });
    this.decksBy = {};
  }

  mine(side) { return ["local", this.board].includes(this.game.seats[side]); }

  get twin() { return !!this.leds?.upper.length; }

  take(name, state) {
    this[name] = state;
    if (name === "wood" && this.hands) this.hands.wood = state; // hands do not wait for the screen
    if (this.pending) return; // many states in one frame of the screen are drawn once
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  draw() {
    if (!this.game || !this.leds) return;
    if (this.past !== null && (this.past >= this.game.san.length || this.story?.game !== this.game.game)) this.past = null;
    this.build();
    const now = this.past === null, g = this.game;
    const fen = now ? g.fen : this.story.fens[this.past];
    const wood = now && this.wood ? this.wood : piles(fen, g.variant, this.twin);
    const marks = now ? this.marks(wood) : this.lastMove(this.past, {});
    for (const d in this.decksBy) this.decksBy[d].show(wood[d], now ? this.leds[d] : [], marks[d] || {});
    this.drawn = wood;
    this.root.classList.toggle("looking", !now);
    this.panel.show(g, this.past);
    this.hands?.show(this.wood, g.wood.state === "moving" ? [] : g.wood.squares);
    this.explain();
    this.trouble();
    this.pile();
  }

  build() {
    const want = this.twin ? ["upper", "lower"] : ["lower"];
    for (const d of want) if (!this.decksBy[d]) {
      const figure = make("figure", "", this.decks);
      this.decksBy[d] = new Deck(figure, d, (sq, pile, m) => text.square(sq, pile, m));
      if (want.length > 1) make("figcaption", "", figure, text.decks[d]);
      this.decksBy[d].svg.setAttribute("aria-label", `${this.board}, ${text.decks[d]}`);
      this.watch(this.decksBy[d]);
    }
    if (this.wood && !this.hands) {
      this.hands = new Hand(this.board, make("div", "needs-player", this.left), (t) => this.tip(t), () => !!this.game && game(this.game.variant).locks);
      for (const d in this.decksBy) this.hands.on(this.decksBy[d]);
      make("p", "help spectators", this.left, text.hand.none);
    }
    if (!this.wood && !this.told) { this.told = true; make("p", "help", this.left, text.hand.real); }
    const solid = (memory.get("view") || "solid") === "solid";
    this.decks.classList.toggle("two", want.length > 1);
    for (const d in this.decksBy) this.decksBy[d].layout(solid, this.turned);
  }

  // Pointing at a pile, or tapping its number, writes it out below the board.
  watch(deck) {
    const s = deck.svg, at = (e) => e.target.closest("g[data-square]");
    s.addEventListener("pointerover", (e) => { const g = at(e); if (g && e.pointerType === "mouse") this.point(deck.name, g.dataset.square); });
    s.addEventListener("focusin", (e) => { const g = at(e); if (g) this.point(deck.name, g.dataset.square); });
    s.addEventListener("click", (e) => {
      const g = at(e);
      if (g && (e.target.closest(".badge") || !this.wood)) this.point(deck.name, g.dataset.square, true);
    });
    if (!this.wood) s.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
      if (step && !this.hands) { deck.step(...step); e.preventDefault(); }
    });
  }

  point(deck, square, open) {
    const n = (this.drawn?.[deck][square] || []).length;
    if (!open && n < 2) return;
    this.pointed = [deck, square];
    this.pile(open);
  }

  pile(open) {
    const [deck, square] = this.pointed || [], pile = (deck && this.drawn[deck][square]) || [];
    const key = [deck, square, ...pile].join();
    if (!open && this.pileKey === key) return;
    this.pileKey = key;
    this.pileLine.replaceChildren();
    this.pileLine.classList.toggle("open", !!open);
    if (!pile.length) return;
    make("strong", "", this.pileLine, pile.length > 1 ? text.pile(square, pile) : text.alone(square));
    for (const p of pile) {
      const s = make("span", "piece", this.pileLine);
      icon(s, p, "").setAttribute("aria-hidden", true);
      make("span", "", s, names[p]);
    }
  }

  // Last move, check, and where the touched piece may go.
  marks(wood) {
    const g = this.game, marks = this.lastMove(g.moves.length, {});
    const on = (place, what) => { const [d, sq] = place.split(" "); ((marks[d] ||= {})[sq] ||= {}), Object.assign(marks[d][sq], what); };
    const king = g.turn === "white" ? "K" : "k";
    for (const d in wood) for (const sq in d === "hands" ? {} : wood[d]) {
      if (g.check && wood[d][sq].includes(king)) on(`${d} ${sq}`, { check: true });
      if (wood[d][sq].length > 1) on(`${d} ${sq}`, { locked: true });
    }
    this.touched = this.lifted();
    if (this.touched && !this.touched.to) for (const m of this.touched.moves) {
      const pile = (wood[m.to.split(" ")[0]] || {})[m.to.split(" ")[1]] || [];
      on(m.to, { legal: m.promotion || this.castles(m) ? "special" : !pile.length ? "quiet" : m.mark === "*" || color(pile[pile.length - 1]) === g.turn ? "stack" : "capture" });
    }
    return marks;
  }

  castles(m) {
    return /^(e1[gc]1|e8[gc]8)$/.test(m.square + m.target) && this.touched.piece.toLowerCase() === "k";
  }

  lastMove(n, marks) {
    const m = n > 0 && parse(this.game.moves[n - 1], this.game.variant, this.twin);
    if (m) for (const p of [m.from, m.to]) { const [d, sq] = p.split(" "); (marks[d] ||= {})[sq] = { last: true }; }
    return marks;
  }

  // What is in a hand, as the board sees it: one square where pieces of the side to move are missing, and perhaps one too full.
  lifted() {
    const g = this.game;
    if (!["moving", "wrong"].includes(g.wood.state) || g.outcome) return null;
    const less = g.wood.squares.filter((t) => t.see < t.want.length && color(t.want[t.want.length - 1]) === g.turn);
    const more = g.wood.squares.filter((t) => t.see >= t.want.length); // sensors that cannot count see that it is not what it was
    if (less.length !== 1 || more.length > 1) return null;
    const t = less[0], from = `${t.deck} ${t.square}`;
    const moves = g.legal.map((m) => parse(m, g.variant, this.twin)).filter((m) => m && m.from === from);
    return { square: t.square, piece: t.want[t.want.length - 1], moves, to: more[0]?.square };
  }

  // Why what is in the hand cannot be done, in the words of the rules.
  async explain() {
    const t = this.touched, g = this.game;
    const ask = !t ? "" : t.to && g.wood.state === "wrong" ? `from=${t.square}&to=${t.to}` : t.moves.length || t.to ? "" : `from=${t.square}`;
    if (this.asked === ask + g.game + g.moves.length) return;
    this.asked = ask + g.game + g.moves.length;
    if (!ask) return this.tip(this.mineTip && !["moving", "wrong"].includes(g.wood.state) ? "" : undefined);
    const why = await get(`api/boards/${this.board}/why?${ask}`);
    if (why && !why.legal && this.asked === ask + g.game + g.moves.length) this.tip(`${names[t.piece]} ${t.square}${t.to ? "–" + t.to : ""}: ${why.text}`), (this.mineTip = true);
  }

  tip(words) {
    if (words === undefined) return;
    this.mineTip = false;
    set(this.panel.tip, words);
  }

  trouble() {
    const h = this.health, f = text.faults, lines = [];
    if (this.linked && !this.linked.up) lines.push(this.linked.trouble || f.broker);
    if (this.linked?.rival) lines.push(this.linked.rival);
    if (h && h.uptime_s > 3) { // before, the sensors were not asked yet
      if (h.journal !== "ok") lines.push(f.journal(h.journal));
      for (const p of h.parts) if (!p.ok) lines.push(f.part(p));
      for (const q of h.faults) lines.push(f.square(q));
    }
    this.panel.fault(lines);
  }

  async look(n) {
    if (n !== null && (this.story?.game !== this.game.game || this.story.moves.join() !== this.game.moves.join())) {
      const s = await get(`api/boards/${this.board}/story`);
      if (!s) return this.tip(text.failed);
      this.story = s;
    }
    this.past = n === this.game.san.length ? null : n;
    this.draw();
  }

  turnView() {
    this.turned = !this.turned;
    memory.set("turned." + this.board, this.turned ? "yes" : "no");
    this.draw();
  }

  async command(c) {
    const r = await post(`api/boards/${this.board}/command`, { id: String(Math.random()).slice(2), ...c });
    this.tip(r.ok ? "" : r.error);
    return r;
  }
}
