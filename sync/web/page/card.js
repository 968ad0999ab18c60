// SPDX-License-Identifier: Apache-2.0
// One board on the page: its decks, its hands, and its panel. What is drawn follows from the newest state alone.
import { game } from "./games.js";
import { ask, make, button, memory } from "./dom.js";
import { chip } from "./cube.js";
import { Deck, seen } from "./deck.js";
import { Hand } from "./hand.js";
import { Notice } from "./notice.js";
import { Orders } from "./orders.js";
import { Panel } from "./panel.js";
import { piles, parse, color } from "./notation.js";
import { get } from "./live.js";
import { learned, told } from "./said.js";
import { ill } from "./ill.js";
import { text, names } from "./text.js";

// From where the boards are seen, as buttons.
export class Views {
  constructor(parent, act) {
    this.bar = make("div", "views", parent);
    this.bar.role = "group";
    this.bar.ariaLabel = text.view.label;
    for (const v of ["seat", "top", "flat"])
      button(this.bar, text.view[v], () => {
        memory.set("view", v);
        act();
      }).dataset.view = v;
    this.show();
  }

  static get chosen() {
    return memory.get("view") || "seat";
  }

  show() {
    for (const b of this.bar.children) b.ariaPressed = b.dataset.view === Views.chosen;
  }
}

export class Card {
  constructor(board, live) {
    this.board = board;
    this.live = live;
    this.game = this.wood = this.leds = this.lights = this.health = this.link = null;
    this.past = null; // the ply that is looked at, null for the game as it stands
    this.root = make("section", "board");
    this.root.dataset.board = board;
    this.root.setAttribute("aria-labelledby", "name-" + board);
    this.stage = make("div", "stage", this.root);
    const head = make("div", "stagehead", this.stage);
    make("h2", "", head, board).id = "name-" + board;
    this.said = make("p", "said", head);
    this.views = new Views(head, () => this.onview?.());
    this.decks = make("div", "decks", this.stage);
    this.tray = make("div", "tray", this.stage, text.hand.beside);
    this.open = make("div", "open", this.stage);
    this.turned = memory.get("turned." + board);
    this.panel = new Panel(this.root, board, {
      command: (c) => this.command(c),
      look: (n) => this.look(n),
      fresh: () => this.game && ask((w) => w.fresh(this)),
      problems: () => ask((w) => w.problems(this.game, (c) => this.command(c))),
      mine: (s) => this.mine(s),
      offset: () => live.offset,
      resign: () => {
        const to = this.game.step;
        ask((w) =>
          w.resign(
            ["white", "black"].filter((s) => this.mine(s)),
            (c) => this.command({ ...c, to }),
          ),
        );
      },
      mend: () => this.hands?.mend(piles(this.game.fen, this.game.variant, this.twin)),
      mending: () => !!this.hands?.mending,
      said: this.said,
      large: () => this.onlarge?.(),
    });
    this.notice = new Notice(this.panel.now.tip);
    this.orders = new Orders(board, this.notice);
    this.decksBy = {};
    this.redraw = () => this.draw();
    ask(() => {}); // what the windows need is here before they are wanted
  }

  mine(side) {
    return ["local", this.board].includes(this.game.seats[side]);
  }

  get twin() {
    return !!this.leds?.upper.length;
  }

  get flipped() {
    return this.turned ? this.turned === "yes" : !this.mine("white") && this.mine("black");
  } // one's own side is below

  take(name, state) {
    this[name] = state;
    if (name === "wood" && this.hands) this.hands.wood = state; // hands do not wait for the screen
    if (name === "event") this.happened(state);
    if (this.pending) return; // many states in one frame of the screen are drawn once
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  // What other people ask and answer is said for a while.
  async happened(e) {
    if (!/^(offer|link|journal|hint)$/.test(e.kind)) return;
    await learned;
    if ([this.link?.rival, this.link?.trouble].includes(e.text)) return; // it stands among the faults while it lasts
    const code = e.said?.[0]?.code;
    if (/has to answer/.test(code)) return; // that the other side has to answer stands above
    const how = /^%s: (answer[^%]*)$/.exec(code), // what is asked stands above
      words = how ? told(how[1], e.said.slice(0, 1)) : told(e.text, e.said),
      voice = /answer|is asked/.test(code) ? "asks" : "people";
    this.notice.say(voice, words[0].toUpperCase() + words.slice(1) + (/[.?!]$/.test(words) ? "" : "."), 12000);
  }

  // What was asked is no longer said when it is answered, nor what was answered when something else is asked.
  answered(asked) {
    if (this.askedOf && !asked) this.notice.say("asks");
    if (!this.askedOf && asked) this.notice.say("people");
    this.askedOf = asked;
  }

  draw() {
    if (!this.game || !this.leds) return;
    if (this.past !== null && (this.past >= this.game.san.length || this.story?.game !== this.game.game))
      this.past = null;
    this.build();
    const now = this.past === null,
      g = this.game;
    const fen = now ? g.fen : this.story.fens[this.past];
    const wood = now && this.wood ? this.wood : piles(fen, g.variant, this.twin);
    const marks = this.lastMove(now ? g.moves.length : this.past, {}),
      locks = game(g.variant).locks;
    for (const d in wood)
      if (locks && d !== "hands")
        for (const sq in wood[d]) if (wood[d][sq].length > 1) ((marks[d] ||= {})[sq] ||= {}).locks = true;
    this.hands?.show(this.wood, g.wood.squares);
    for (const d in this.decksBy)
      this.decksBy[d].show(
        wood[d],
        (now && this.lights?.[d]) || {},
        marks[d] || {},
        now && this.hands ? this.hands.lifted(d) : {},
      );
    this.drawn = wood;
    if (this.hands?.holds().length) this.close();
    this.root.classList.toggle("looking", !now);
    this.touched = this.lifted();
    this.tray.classList.toggle(
      "open",
      !!this.wood &&
        (this.wood.hands.left.length + this.wood.hands.right.length > 0 ||
          g.wood.squares.reduce((n, t) => n + t.see - t.want.length, 0) > 0),
    );
    this.panel.show(g, this.past, {
      flipped: this.flipped,
      lights: now ? this.lights : null,
      touched: this.touched,
      virtual: !!this.wood,
      twin: this.twin,
      wood: this.wood,
      opening: this.named?.game === g.game && g.moves.length ? this.named.name : "",
    });
    this.answered((g.requests || []).length);
    this.orders.follow(g);
    this.explain();
    this.name();
    this.trouble();
  }

  build() {
    const want = this.twin ? ["upper", "lower"] : ["lower"],
      two = want.length < 2 ? "" : game(this.game.variant).layered ? "twin" : "below",
      view = this.root.classList.contains("main") ? Views.chosen : "small";
    for (const d of want)
      if (!this.decksBy[d]) {
        const figure = make("figure", "", this.decks);
        if (want.length > 1) make("figcaption", "", figure, text.decks[d]);
        this.decksBy[d] = new Deck(figure, d, (sq, pile, m) => text.square(sq, pile, m));
        this.decksBy[d].root.ariaLabel = `${this.board}, ${text.decks[d]}`;
        this.watch(this.decksBy[d]);
      }
    if (this.wood && !this.hands) {
      this.hands = new Hand(
        this.board,
        this.panel.tools.handbox,
        (words, rule) => this.notice.say("hand", words, 0, rule),
        () => !!this.game && !this.game.outcome && game(this.game.variant).locks,
        (w, act) => {
          this.panel.now.choose(w, act);
          if (w) this.draw(); // what the hand holds meanwhile
        },
        this.tray,
      );
      this.hands.decks = () => Object.values(this.decksBy);
      this.hands.redraw = this.redraw;
      this.hands.refused = (piece, from, to) => this.refused(piece, from, to);
      for (const d in this.decksBy) this.hands.on(this.decksBy[d]);
    }
    this.tray.hidden = !this.wood;
    this.decks.className = `decks ${two && "two"} ${two} ${view === "seat" ? "" : "level"}`;
    this.views.show();
    for (const d in this.decksBy) this.decksBy[d].layout(view, this.flipped, two);
  }

  // Pointing at a pile, touching it or coming to it by keys opens it beside itself; a light says what it means.
  watch(deck) {
    const point = (e) => {
      const g = seen(e.target, deck);
      if (g) this.point(deck, g.square);
    };
    deck.root.addEventListener("pointerover", point);
    deck.root.addEventListener("pointerdown", point);
    deck.root.addEventListener("focusin", point);
    // What a finger has touched stays until it touches something else.
    deck.root.addEventListener("pointerleave", (e) => {
      if (e.pointerType === "mouse") this.close();
    });
    addEventListener("pointerdown", (e) => {
      if (!this.decks.contains(e.target)) this.close();
    });
    if (!this.wood)
      deck.root.addEventListener("keydown", (e) => {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
        if (step && !this.hands) {
          deck.step(...step);
          e.preventDefault();
        }
      });
  }

  close() {
    this.open.replaceChildren();
    this.pointed = "";
  }

  point(deck, square) {
    const pile = this.drawn?.[deck.name][square] || [],
      shines = this.lights?.[deck.name]?.[square],
      light = shines === "locked" && !game(this.game.variant).locks ? "" : shines,
      key = [deck.name, square, light, ...pile].join();
    if (this.pointed === key) return;
    this.pointed = key;
    this.open.replaceChildren();
    if ((pile.length < 2 && !light) || this.hands?.holds().length) return;
    if (light) make("p", "means", this.open, text.means[light]);
    if (pile.length > 1)
      for (let k = pile.length - 1; k >= 0; k--) {
        const row = make("p", "", this.open);
        make("span", "n", row, String(k + 1));
        chip(row, pile[k]);
        make("span", "", row, names[pile[k]]);
      }
    const top =
      deck.root.querySelector(`[data-at="${square}"]:is(.top, :has(.tile))`) ||
      deck.square.find((s) => s.dataset.square === square);
    const r = top.getBoundingClientRect(),
      all = this.stage.getBoundingClientRect(),
      right = r.x + r.width / 2 < all.x + all.width / 2;
    this.open.style.translate = "none";
    Object.assign(this.open.style, {
      top: Math.max(0, Math.min(all.height - 38 * pile.length - 30, r.y - all.y)) + "px",
      left: right ? r.right - all.x + 14 + "px" : "auto",
      right: right ? "auto" : all.right - r.x + 14 + "px",
    });
    const o = this.open.getBoundingClientRect();
    this.open.style.translate = Math.min(0, innerWidth - 4 - o.right) + Math.max(0, 4 - o.x) + "px";
  }

  lastMove(n, marks) {
    const m = n > 0 && parse(this.game.moves[n - 1], this.game.variant, this.twin);
    if (m)
      for (const p of [m.from, m.to]) {
        const [d, sq] = p.split(" ");
        (marks[d] ||= {})[sq] = { last: true };
      }
    return marks;
  }

  // What is in a hand, as the board sees it: missing on one square, and perhaps too much on another. While moves are
  // made, the other side's pieces may be missing too: they are captured, or correct the last move, if there is any.
  lifted() {
    const g = this.game;
    if (!["moving", "wrong"].includes(g.wood.state) || g.outcome) return null;
    const theirs = (t) => color(t.want.at(-1)) !== g.turn && (g.moves.length || g.legal.join().includes(t.square)),
      less = g.wood.squares.filter((t) => t.see < t.want.length && (g.wood.state === "wrong" || !theirs(t)));
    // Sensors that cannot count see that it is not what it was.
    const more = g.wood.squares.filter((t) => t.see >= t.want.length);
    if (less.length !== 1 || more.length > 1) return null;
    const t = less[0],
      from = `${t.deck} ${t.square}`;
    const moves = g.legal.map((m) => parse(m, g.variant, this.twin)).filter((m) => m && m.from === from);
    return { square: t.square, piece: t.want[t.want.length - 1], moves, to: more[0]?.square, under: t.see };
  }

  // Why what is in the hand cannot be done.
  explain() {
    const t = this.touched,
      g = this.game;
    const ask = !t
      ? ""
      : t.to && g.wood.state === "wrong"
        ? `from=${t.square}&to=${t.to}`
        : t.moves.length || t.to
          ? ""
          : `from=${t.square}`;
    // two squares: a move was tried
    const busy = !g.outcome && ["moving", "wrong"].includes(g.wood.state) && g.wood.squares.length < 3,
      key = [ask, g.game, g.moves.length, busy].join();
    if (this.asked === key) return;
    this.asked = key;
    if (ask) return this.teach(ask, t, () => this.asked === key);
    if (!busy) this.notice.say("hand");
  }

  // Asks why a piece may not go from a square to another one, or anywhere, and says it while it still holds. Tells
  // whether it has.
  async teach(ask, t, holds) {
    const g = this.game,
      why = await get(`api/boards/${this.board}/why?${ask}`),
      says = why && !why.legal && holds();
    if (says)
      this.notice.say(
        "hand",
        `${names[t.piece]} ${t.square}${t.to ? "–" + t.to : ""}: ${text.because(why)}`,
        0,
        `${g.variant}-${why.rule}`,
      );
    return says;
  }

  // A hand has let go where no move may be meant. The rules know why before the sensors see it. Of a piece of the side
  // that has just moved they know nothing: it may correct that move, as the king does that follows his rook.
  async refused(piece, from, to) {
    const g = this.game,
      { state, squares } = g.wood,
      at = [from.square, to],
      holds = () => this.game.fen === g.fen && !this.game.outcome;
    if (g.outcome || from.square === to || !["synced", "moving", "wrong"].includes(state)) return;
    if (color(piece) !== g.turn || !squares.every((s) => at.includes(s.square))) return;
    if (await this.teach(`from=${from.square}&to=${to}`, { piece, square: from.square, to }, holds))
      this.panel.now.mislay();
  }

  // The name of the opening, asked for once after each move: English in every language.
  async name() {
    const g = this.game,
      key = g.variant === "chess" && g.moves.length && g.moves.length < 40 ? g.game + g.moves.join() : "";
    if (!key || this.namedAt === key) return;
    this.namedAt = key;
    const o = await get(`api/boards/${this.board}/opening`);
    if (o && this.namedAt === key) {
      this.named = { game: g.game, name: o.name };
      this.draw();
    }
  }

  trouble() {
    const h = this.health,
      f = text.faults,
      lines = [];
    if (this.link && !this.link.up)
      lines.push(told(this.link.trouble, this.link.trouble_said, this.redraw) || f.broker);
    if (this.link?.rival) lines.push(told(this.link.rival, this.link.rival_said, this.redraw));
    if (h && h.uptime_s > 3) {
      // before, no sensor was asked
      if (h.journal !== "ok") lines.push(told(h.journal, h.journal_said, this.redraw));
      lines.push(...ill(h, this.redraw));
    }
    this.panel.now.fault(lines);
  }

  async look(n) {
    if (n !== null && (this.story?.game !== this.game.game || this.story.moves.join() !== this.game.moves.join())) {
      const s = await get(`api/boards/${this.board}/story`);
      if (!s) return this.notice.say("own", text.failed, 12000);
      this.story = s;
    }
    this.past = n === this.game.san.length ? null : n;
    this.draw();
  }

  turnView() {
    this.turned = this.flipped ? "no" : "yes";
    memory.set("turned." + this.board, this.turned);
    this.draw();
  }

  command(c) {
    return this.orders.command(c);
  }
}
