// SPDX-License-Identifier: Apache-2.0
// Hands on a virtual board: cubes are dragged by mouse, touch or pen, tapped, or moved by keys. Before they let go
// the board says which moves that may mean. Where several may be meant, people are asked by pictures.
import { make, button, select, set } from "./dom.js";
import { chip, ghost } from "./cube.js";
import { seen } from "./deck.js";
import { get, post } from "./live.js";
import { doubled } from "./orders.js";
import { told } from "./said.js";
import { text, names } from "./text.js";

const far = 8; // px before a press is a drag: Android's (ViewConfiguration.TOUCH_SLOP)
const long = 400; // ms after which a finger that rests only looks: Android's (DEFAULT_LONG_PRESS_TIMEOUT)

export class Hand {
  constructor(board, root, tip, locking, choose, tray) {
    this.board = board;
    this.tip = tip;
    this.locking = locking; // whether the game is one in which a piece under another is locked
    // Asks which of several ways is meant: (ways, act). The square in question is framed. Without any, asks no more.
    this.choose = (ways, act, at) => {
      this.aim(at);
      choose?.(ways, act);
    };
    this.tray = tray;
    this.hand = "right";
    this.count = 0;
    this.queue = Promise.resolve();
    this.waiting = 0; // deeds that are on their way
    this.drags = new Map();
    this.from = {}; // where each hand has lifted what it holds
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
    this.tray ||= make("div", "tray", this.root, text.hand.beside);
    this.tray.dataset.tray = "";
    this.discard = button(this.root, text.hand.discard, () => this.deed({ do: "discard" }));
    this.spare = select(this.root, text.hand.take, [["", "–"], ...Object.entries(names)]);
    this.spare.onchange = () => {
      if (this.spare.value) this.deed({ do: "take", pieces: [this.spare.value] });
      this.spare.value = "";
    };
    this.use("right");
  }

  use(h) {
    this.hand = h;
    for (const k of ["left", "right"]) this.held[k].ariaPressed = k === h;
  }

  show(wood, squares) {
    this.wood = wood;
    this.squares = squares;
    for (const h of ["left", "right"]) {
      const b = this.held[h],
        ps = wood.hands[h],
        key = ps.join("");
      if (!ps.length && !this.waiting) delete this.from[h];
      if (b.dataset.key === key) continue;
      b.dataset.key = key;
      b.replaceChildren();
      make("span", "", b, text.hand[h] + ": ");
      if (!ps.length) make("span", "none", b, text.hand.empty);
      for (const p of ps) chip(b, p).setAttribute("title", names[p]);
    }
    const full = wood.hands.left.length + wood.hands.right.length > 0;
    this.discard.disabled = !full;
    this.tray.classList.toggle("open", full);
    if (!full && !this.waiting) this.choose();
  }

  // What hands have lifted, by deck and square, to be drawn above where it stood.
  lifted(deck) {
    const out = {};
    for (const h of ["left", "right"])
      if (this.from[h]?.deck === deck && ![...this.drags.values()].some((d) => d.ghost))
        out[this.from[h].square] = this.wood.hands[h];
    return out;
  }

  // What a hand holds, deeds on their way counted as done: hands are quicker than the network.
  holds(h = this.hand) {
    return (this.waiting ? this.guess : this.wood?.hands)?.[h] || [];
  }

  foresee(d) {
    if (!this.waiting) this.guess = structuredClone(this.wood.hands);
    const held = this.guess[d.hand];
    if (d.do === "lift") held.push(...this.pile(d.deck, d.square).slice(-d.count));
    else if (d.do === "take") held.push(...d.pieces);
    else this.guess[d.hand] = [];
  }

  // Counts the deeds on their way, and says while there are any that the hands are busy.
  busy(n) {
    this.waiting += n;
    this.root.ariaBusy = this.waiting > 0;
  }

  // Listens on a deck's drawing.
  on(deck) {
    const s = deck.root;
    s.addEventListener("pointerdown", (e) => this.press(e, deck));
    s.addEventListener("pointermove", (e) => this.move(e, deck));
    s.addEventListener("pointerup", (e) => this.release(e));
    s.addEventListener("pointercancel", (e) => this.end(e.pointerId));
    s.addEventListener("keydown", (e) => this.key(e, deck));
  }

  pile(deck, square) {
    return this.wood[deck][square] || [];
  }

  press(e, deck) {
    const at = deck.at(e.clientX, e.clientY);
    if (!this.wood || e.button > 0) return;
    const pile = at ? this.pile(at.deck, at.square) : [];
    const other = [...this.drags.values()].some((d) => d.hand === this.hand);
    const hand = e.altKey || other ? (this.hand === "left" ? "right" : "left") : this.hand;
    const idle = !pile.length && !this.holds(hand).length;
    if (looksOn() && !idle) return;
    const count = this.count || (e.shiftKey ? pile.length : at?.level === undefined ? 1 : pile.length - at.level);
    this.drags.set(e.pointerId, {
      ...at,
      x: e.clientX,
      y: e.clientY,
      hand,
      count: Math.min(count, pile.length),
      pile,
      lifted: false,
      at: e.timeStamp,
      turns: idle && (this.decks?.() || [deck]), // both decks of a board are one thing
      over: deck,
    });
    deck.root.setPointerCapture(e.pointerId);
    if (pile.length && !this.holds(hand).length) e.preventDefault();
  }

  move(e) {
    const d = this.drags.get(e.pointerId);
    if (!d) return;
    if (d.turns) {
      d.turned ||= Math.hypot(e.clientX - d.x, e.clientY - d.y) > far;
      if (d.turned) {
        for (const k of d.turns) k.roll(e.clientX - d.x, e.clientY - d.y);
        [d.x, d.y] = [e.clientX, e.clientY];
      }
      return;
    }
    if (!d.lifted && Math.hypot(e.clientX - d.x, e.clientY - d.y) > far) {
      d.lifted = true;
      d.pieces = this.holds(d.hand);
      if (!d.pieces.length && d.count) {
        d.pieces = d.pile.slice(d.pile.length - d.count);
        this.lift(d);
      }
      if (d.pieces.length) {
        d.ghost = ghost(d.pieces, d.over);
        d.over.carried = true;
        // The lines beneath change with what is lifted: the squares stay where the hand saw them.
        d.stage = d.over.root.closest(".stage");
        if (d.stage) d.stage.style.flex = `0 0 ${d.stage.offsetHeight}px`;
        this.tray.classList.add("open");
      }
    }
    if (d.ghost) {
      // A finger would hide what it carries.
      const up = e.pointerType === "touch" ? d.over.size : 0;
      d.ghost.style.translate = `${e.clientX}px ${e.clientY - up}px`;
      this.aim(this.target(e).to);
    }
  }

  // Where a hand would let go: the place, and the deck that is hit.
  target(e) {
    const under = document.elementFromPoint(e.clientX, e.clientY),
      root = under?.closest(".deck"),
      to =
        (root &&
          this.decks?.()
            .find((k) => k.root === root)
            ?.at(e.clientX, e.clientY)) ||
        seen(under);
    return { root, to: to && (to.board ?? this.board) === this.board ? to : null };
  }

  // Shows the square over which a hand carries something.
  aim(to) {
    const at = to && this.decks?.().find((k) => k.name === to.deck)?.field(to.square);
    if (at === this.aimed) return;
    if (this.aimed) delete this.aimed.dataset.aim;
    if (at) at.dataset.aim = "";
    this.aimed = at;
  }

  release(e) {
    const d = this.drags.get(e.pointerId);
    if (!d) return;
    this.end(e.pointerId);
    if (d.turns) {
      const twice = !d.turned && e.timeStamp - (this.tapped || -1e9) < doubled;
      this.tapped = e.timeStamp;
      if (twice) for (const k of d.turns) k.roll();
      return;
    }
    if (!d.lifted) return d.square && !(e.pointerType === "touch" && e.timeStamp - d.at > long) && this.tap(d);
    if (!d.pieces.length) return;
    if (this.tray.contains(document.elementFromPoint(e.clientX, e.clientY)))
      return this.deed({ do: "discard", hand: d.hand });
    const { root, to } = this.target(e);
    if (to) this.put(d.hand, to.deck, to.square);
    // Anywhere beside the board; on its rim it stays in the hand.
    else if (!root) this.deed({ do: "discard", hand: d.hand });
    else this.redraw?.();
  }

  end(id) {
    const d = this.drags.get(id);
    if (!d) return;
    d.ghost?.remove();
    this.aim();
    if (d.turned) for (const k of d.turns) k.rest();
    if (d.stage)
      setTimeout(() => {
        d.stage.style.flex = "";
      });
    setTimeout(() => {
      d.over.carried = false;
    }, 300);
    this.drags.delete(id);
  }

  tap(d) {
    if (this.holds(d.hand).length) this.put(d.hand, d.deck, d.square);
    else if (d.count) this.lift(d);
    this.count = 0;
  }

  lift(d) {
    const low = d.pile[d.pile.length - d.count];
    this.tip(
      d.count > 1 && this.locking() ? text.locked(low, d.pile[d.pile.length - d.count + 1]) : "",
      "locking-3.1",
    );
    this.from[d.hand] = { deck: d.deck, square: d.square };
    this.deed({ do: "lift", hand: d.hand, deck: d.deck, square: d.square, count: d.count || 1 });
    this.count = 0;
  }

  // Lets go of what a hand holds. What that may mean is asked when everything before it is done.
  put(hand, deck, square) {
    const place = { do: "place", hand, deck, square },
      piece = this.holds(hand).at(-1),
      from = this.from[hand];
    this.choose();
    this.foresee(place);
    this.busy(1);
    this.queue = this.queue.then(async () => {
      const r = await get(`api/boards/${this.board}/drop?hand=${hand}&deck=${deck}&square=${square}`),
        ways = r?.ways || [];
      if (!r)
        this.tip(text.failed); // what it may mean is not known: it stays in the hand
      else if (from && !ways.length) this.refused?.(piece, from, square);
      if (r && ways.length < 2)
        for (const d of ways.length ? ways[0].deeds : [place]) if ((await this.send(d)).error) break;
      if (ways.length > 1)
        this.choose(ways, (w) => w.deeds.forEach((d) => this.deed(d)), place);
      this.busy(-1);
    });
    return this.queue;
  }

  key(e, deck) {
    const at = seen(e.target),
      arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (arrows) deck.step(...arrows);
    else if (!this.wood || !at || looksOn()) return;
    else if (e.key === "Enter" || e.key === " ") {
      const pile = this.pile(at.deck, at.square);
      this.tap({
        ...at,
        hand: this.hand,
        pile,
        count: Math.min(pile.length, this.count || (e.shiftKey ? pile.length : 1)),
      });
    } else if (e.key >= "1" && e.key <= "9") this.count = +e.key;
    else if (e.key === "l" || e.key === "L") this.use(this.hand === "left" ? "right" : "left");
    else if (e.key === "d" || e.key === "D" || e.key === "Delete") this.deed({ do: "discard" });
    else return;
    e.preventDefault();
  }

  // Deeds go out one after the other: a hand can do one thing at a time.
  deed(d) {
    const body = { hand: this.hand, ...d };
    if (d.do === "take") delete this.from[body.hand];
    if (d.do === "discard" && !d.hand && !this.holds().length) body.hand = this.hand === "left" ? "right" : "left";
    this.foresee(body);
    this.busy(1);
    this.queue = this.queue.then(async () => {
      const r = await this.send(body);
      this.busy(-1);
      return r;
    });
    return this.queue;
  }

  async send(body) {
    const r = await post(`api/boards/${this.board}/hand`, body);
    if (r.hand) this.wood = { ...this.wood, hands: { ...this.wood.hands, [body.hand]: r.hand } };
    if (r.error) this.tip(told(r.error, r.said));
    return r;
  }

  // Brings every square that the board names to what should stand there. So it does where sensors may not see that
  // too much stands, if all holds the piles of the game. Pressed again it does nothing while that goes on. It never
  // touches a square on which everything stands already: the lights may still say what was.
  mend(all) {
    if (this.mending) return this.mending;
    this.mending = this.queue
      .then(async () => {
        const wood = await get(`api/boards/${this.board}/wood`); // as it stands now, not as it was last shown
        if (!wood) return this.tip(text.failed);
        const named = this.squares.filter((t) => wood[t.deck]),
          more = Object.entries(all || {}).flatMap(([deck, want]) =>
            Object.keys(wood[deck] || {}).map((square) => ({ deck, square, want: want[square] || [] })),
          ),
          is = (a) => (b) => a.deck === b.deck && a.square === b.square,
          touch = [...named, ...more.filter((t) => !named.some(is(t)))].filter(
            (t) => (wood[t.deck][t.square] || []).join("") !== t.want.join(""),
          );
        for (const hand of ["left", "right"]) if (wood.hands[hand].length) this.deed({ do: "discard", hand });
        for (const t of touch) {
          const count = (wood[t.deck][t.square] || []).length;
          if (count)
            (this.deed({ do: "lift", deck: t.deck, square: t.square, count, hand: "right" }),
              this.deed({ do: "discard", hand: "right" }));
        }
        for (const t of touch)
          if (t.want.length) {
            this.deed({ do: "take", pieces: t.want, hand: "right" });
            this.deed({ do: "place", deck: t.deck, square: t.square, hand: "right" });
          }
      })
      .then(() => this.queue)
      .finally(() => {
        this.mending = null;
        this.redraw?.();
      });
    return this.mending;
  }
}

const looksOn = () => !["player", "workshop"].includes(document.body.dataset.right);
