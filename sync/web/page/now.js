// SPDX-License-Identifier: Apache-2.0
// The line that says what to do now: one thing, its reason, the answers, and what the lights mean.
import { make, button, set } from "./dom.js";
import { chip } from "./cube.js";
import { shape } from "./deck.js";
import { piles } from "./notation.js";
import { told } from "./said.js";
import { text, names } from "./text.js";

const patience = 3e3, // ms until a piece beside a virtual board is told of
  thought = 15e3; // and one that is missing from a real one

// Whether somebody has stopped the clocks. They may also stand because pieces are wrong here or at the other board, or
// because the engine waits until its move is copied or a blunder is taken back.
export const paused = (g) => g.paused && !/ing$|desync/.test(g.pause_reason);

// Whether no move of a game may be taken back.
export const forbidden = (g) => g.options.takeback === "never";

// How many pieces stand on the decks.
const count = (wood) =>
  [wood.lower, wood.upper].flatMap((d) => Object.values(d || {})).reduce((n, pile) => n + pile.length, 0);

// What is to do at one square. The words of eight pieces would fill the line: a high pile is a row of pictures.
function item(words) {
  const [before, pile, after] = words.split(text.mark),
    li = make("li", "", null, before);
  if (!pile) return li;
  const row = make("span", "slabs", li);
  row.role = "img";
  row.ariaLabel = text.stacked([...pile]);
  for (const p of pile) chip(row, p);
  li.append(after);
  return li;
}

export class Now {
  constructor(root, acts) {
    this.acts = acts;
    const now = (this.root = make("div", "now", root)),
      words = (this.words = make("div", "nowwords", now));
    this.mark = make("div", "nowmark", now);
    this.state = make("p", "state", words);
    this.tip = make("p", "tip", words);
    this.tip.role = "alert";
    this.steps = make("ol", "steps", words);
    this.faults = make("p", "faults", words);
    this.answers = make("p", "answers", now);
    this.key = make("ul", "key", now);
    addEventListener("resize", () => this.game && this.draw());
  }

  // at: the ply that is looked at, null for the game as it stands; more: see Panel.show.
  show(g, at, more) {
    [this.game, this.at, this.more] = [g, at, more];
    if (g.moves.length) this.guests = null; // who moves has answered
    this.draw();
  }

  draw() {
    // What the page's own hand puts right is no move of a person: until it is done, what it does is said.
    if (this.acts.mending() && !this.asked(this.game)) return;
    const { game: g, at } = this,
      w = g.wood,
      lays = this.lays(g),
      [mark, words, kind] = at == null ? this.todo(g) : ["origin", text.past(at, g.san.length), "past"];
    set(this.state, words);
    this.state.className = "state " + w.state;
    this.root.dataset.kind = kind;
    if (this.markKey !== mark) {
      this.markKey = mark;
      this.mark.replaceChildren();
      if (mark) shape(make("span", "badge " + mark, this.mark), mark);
    }
    const mend =
      lays ||
      ["wrong", "setup", "executing"].includes(w.state) ||
      (w.state === "moving" && kind === "mend" && w.squares.some((t) => t.see > t.want.length && t.want.length));
    const steps = at != null ? [] : mend ? this.todoList(g) : this.again(g) ? [text.now_.next] : [];
    // Who moves for the other side here is told where that side is played.
    const elsewhere = w.state === "wrong" && g.outcome === "" && !this.acts.mine(g.turn);
    if (steps.length && elsewhere) steps.unshift(text.now_.turn(g.turn, false, g.seats[g.turn]));
    this.ask(g);
    this.keys();
    this.list(steps, words);
  }

  // Whether the board stands as a game ended, and waits for the next one.
  again(g) {
    return g.outcome && g.moves.length && !g.problem && g.wood.state === "synced" && this.plays();
  }

  plays() {
    return ["white", "black"].some(this.acts.mine);
  }

  // What to do at each square. A copied move is told where its pieces are lifted, and not again where they go. What it
  // captures leaves before the captor comes.
  todoList(g) {
    const all = [...this.strays(g), ...g.wood.squares],
      ways = all.map((t) => this.goes(t, g)),
      told = (t) => all.some((s, i) => ways[i] === t && t.want.length - t.see === s.see - s.want.length);
    return all
      .map((t, i) => ({ t, to: ways[i] }))
      .filter(({ t }) => !told(t))
      .sort((a, b) => !!a.to - !!b.to)
      .map(({ t, to }) => this.step(t, g, to));
  }

  // The squares of a virtual board where something stands that its sensors may not see, and that belongs elsewhere.
  strays(g) {
    const { wood, twin } = this.more;
    if (!this.laid || !wood) return [];
    return Object.entries(piles(g.fen, g.variant, twin)).flatMap(([deck, all]) =>
      Object.entries(wood[deck] || {})
        .map(([square, pile]) => ({ deck, square, want: all[square] || [], see: pile.length }))
        .filter((t) => t.see > t.want.length && !g.wood.squares.some((s) => s.deck === deck && s.square === t.square)),
    );
  }

  copies(g) {
    const w = g.wood;
    return w.state === "executing" && g.moves[w.ply] && g.san[w.ply] && w.ply === g.moves.length - 1;
  }

  // Where the pieces go that a copied move lifts from a square. A pawn that promotes leaves, and another piece comes.
  goes(t, g) {
    const w = g.wood,
      m = g.moves[w.ply],
      more = t.see - t.want.length;
    if (!this.copies(g) || more < 1 || /=/.test(g.san[w.ply])) return;
    const [from, to] = m.match(/[a-h]\d/g) || [],
      gets = w.squares.filter((x) => x !== t && x.want.length >= more),
      there = gets.filter((x) => t.square === from && x.square === to);
    return (
      gets.find((x) => x.square === t.square) ||
      there.find((x) => x.deck === t.deck) ||
      there[0] ||
      gets.find((x) => g.san[w.ply][0] === "O" && /r/i.test(x.want.at(-1)))
    );
  }

  step(t, g, goes) {
    const w = g.wood;
    if (goes) return text.mend(t, goes);
    const m = this.copies(g) && g.moves[w.ply],
      lifted = m && m.match(/[a-h]\d/)?.[0] === t.square; // a pawn that promotes is no prey
    if (m && !lifted && t.see && t.want.length < 2 && g.san[w.ply].includes("x") && !m.includes("*"))
      return text.now_.takeOff(t);
    return text.mend(t);
  }

  // As many steps as the line holds, and the number of the others. The lights say all.
  list(steps, words) {
    const { root, words: box } = this,
      over = () => box.scrollHeight > box.clientHeight,
      key =
        steps.length && [words, root.clientWidth, this.keyKey, this.askKey, this.tip.innerText, ...steps].join("|"),
      tight = (on) => root.classList.toggle("tight", on);
    if (this.stepKey === key) return;
    this.stepKey = key;
    tight(false);
    for (let n = steps.length > 3 ? 2 : steps.length, cut = true; cut; n--) {
      this.steps.replaceChildren(...steps.slice(0, n).map(item));
      if (steps[n]) make("li", "", this.steps, text.andMore(steps.length - n));
      cut = n > 1 && over();
    }
    tight(over());
  }

  // What the hands of a virtual board hold.
  held() {
    const { wood } = this.more;
    return wood ? [...wood.hands.left, ...wood.hands.right] : [];
  }

  // Whether a piece is away from its square for a while: until then a capture may begin. A virtual board knows that no
  // hand holds it; at a real one people may think with a piece in the hand.
  lays(g) {
    if (g.wood.state === "synced" && this.stood !== "synced") this.mislaid = "";
    this.stood = g.wood.state;
    const { wood } = this.more,
      w = g.wood,
      lies =
        w.state === "moving" &&
        !w.held &&
        !this.held().length &&
        w.squares.some((s) => s.see < s.want.length) &&
        (this.mislaid === g.fen || w.squares.every((s) => s.see <= s.want.length)) &&
        JSON.stringify(w.squares);
    if (this.lies !== lies) {
      this.lies = lies;
      this.laid = lies && this.mislaid === g.fen ? 1 : 0;
      clearTimeout(this.laysTimer);
      if (lies)
        this.laysTimer = setTimeout(
          () => {
            this.laid = 1;
            this.draw();
          },
          wood ? patience : thought,
        );
    }
    return !!this.laid;
  }

  // A hand has put a piece where the rules do not let it go: nobody has to wait for what else it may mean.
  mislay() {
    this.mislaid = this.game.fen;
    if (this.lies) this.laid = 1;
    this.draw();
  }

  // A piece that a virtual board has on another square does not lie beside it, though sensors may not see it there.
  whereLies(g) {
    const { wood, twin } = this.more;
    if (!wood) return "missing";
    return count(wood) < count(piles(g.fen, g.variant, twin)) ? "beside" : "wrong";
  }

  // The mark, the words, and what kind of thing it is.
  todo(g) {
    const w = g.wood,
      over = g.outcome !== "",
      r = this.asked(g),
      t = this.more.touched,
      mine = this.acts.mine(g.turn),
      held = this.held();
    if (this.ways) return ["answer", this.ways.every((x) => x.become) ? text.now_.become : text.now_.which, "ask"];
    if (g.conflict)
      return ["wrong", told(g.conflict, g.conflict_said, (this.redraw ||= () => this.draw())), "conflict"];
    if (r) return ["answer", text.request(r, g.san), "ask"];
    if (w.state === "asking")
      return ["answer", w.choices.length === 1 ? text.state.confirm : text.state.asking, "ask"];
    if (over && !g.problem) return ["", `${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}.`, "over"];
    if (this.lacksHeld(w)) return ["origin", text.now_.held(held), "move"];
    if (w.state === "wrong") return ["wrong", w.kings ? text.state.array : text.state.wrong, "mend"];
    if (w.state === "executing")
      return ["from", w.ply > g.moves.length ? text.state.back : text.state.executing, "mend"];
    if (w.state === "setup")
      return ["to", g.problem ? text.problem.lay(g.problem.in, g.turn) : text.state.setup, "mend"];
    if (g.problem && w.state !== "moving") {
      const p = g.problem,
        x = text.problem;
      if (p.state === "refuted")
        return ["wrong", p.refute ? x.refuted(p.refute.san) : over ? x.ends(text.reason(g.reason)) : x.wrong, "mend"];
      if (over)
        return [p.state === "solved" ? "quiet" : "", x[p.state === "solved" ? "solved" : "given"](p.key.san), "over"];
      if (mine) return ["quiet", g.moves.length ? x.go(p.in - g.moves.length / 2) : x.find(p.in, g.turn), "move"];
    }
    if (g.blunder && w.state === "synced")
      return forbidden(g)
        ? ["wrong", text.problem.answered(g.blunder.san), "wait"]
        : ["wrong", text.problem.blunder(g.blunder.san), "ask"];
    if (w.held)
      return ["unsent", text.now_.seen(w.held, paused(g) ? "rests" : g.clock ? "sureClock" : "sure"), "wait"];
    if (this.laid) {
      const lies = this.whereLies(g);
      return [lies === "wrong" ? lies : "origin", text.state[lies], "mend"];
    }
    const stands = this.more.wood && !held.length && w.state === "moving"; // the sensors are slower than the hands
    // A captor stands where it goes. What lacks a piece as well is another move, or none.
    const goes =
      w.state === "moving" &&
      w.squares.every((s) => s.see >= s.want.length) &&
      w.squares.find((s) => s.see > s.want.length && this.more.lights?.[s.deck]?.[s.square] === "capture");
    if (goes && !t) return ["capture", text.now_.takeOff(goes), "mend"];
    const own = this.own(g);
    if (own) return ["", text.waits(own), "wait"];
    if (paused(g)) return ["", text.now_.paused, "wait"];
    if (stands) return ["", text.now_.reads, "move"];
    if (w.state === "moving")
      return t?.moves.length
        ? [this.onlyPile(t) ? "origin" : "quiet", text.now_.inHand(t.piece, this.onlyPile(t)), "move"]
        : ["origin", held.length ? text.now_.held(held) : text.state.moving, "move"];
    if (g.check) return ["check", text.now_.check(g.turn, mine), "move"];
    if (this.guests && mine) return ["quiet", text.invite.say, "move"];
    return [mine ? "quiet" : "", text.now_.turn(g.turn, mine, g.seats[g.turn]), mine ? "move" : "wait"];
  }

  // Whether what was lifted goes nowhere without what still stands under it, as the top of a pillar: then only its own
  // square is lit.
  onlyPile(t) {
    const lit = Object.values(this.more.lights || {}).flatMap((d) => Object.values(d));
    return t.under > 0 && !t.to && lit.includes("origin") && !lit.some((k) => /quiet|stack|capture|special/.test(k));
  }

  // Whether all that a virtual board lacks is in its hands: then it is not wrong, whatever may be done with that.
  lacksHeld({ state, squares }) {
    const n = this.held().length;
    return (
      n > 0 &&
      state === "wrong" &&
      squares.every((s) => s.see < s.want.length) &&
      squares.reduce((sum, s) => sum + s.want.length - s.see, 0) === n
    );
  }

  // What the other side asks here, null for nothing.
  asked(g) {
    return (
      (g.requests || []).find(
        (r) =>
          this.acts.mine(r.by === "white" ? "black" : "white") &&
          (!this.acts.mine(r.by) || r.what === "takeback" || r.what === "draw"),
      ) || null
    );
  }

  // What this side alone asks of the other one, which is played elsewhere.
  own(g) {
    return (g.requests || []).find(
      (q) => this.acts.mine(q.by) && !this.acts.mine(q.by === "white" ? "black" : "white"),
    );
  }

  // The answers to what is asked, as buttons.
  ask(g) {
    const r = this.asked(g),
      own = this.own(g)?.what,
      w = g.wood,
      p = g.problem,
      mend =
        (this.laid || ["wrong", "setup", "executing"].includes(w.state)) &&
        this.more.virtual &&
        w.squares.length > 0 &&
        !this.lacksHeld(w);
    const key = JSON.stringify([
      this.ways?.map((x) => x.move),
      r,
      w.choices,
      w.answers,
      mend,
      g.outcome !== "",
      g.conflict,
      paused(g),
      this.guests && !p && w.state === "synced",
      p && p.number + p.state,
      g.blunder,
      own,
    ]);
    if (this.askKey === key) return;
    this.askKey = key;
    this.answers.replaceChildren();
    const put = (words, word, c, cls = "") => {
      const b = button(this.answers, words, () => this.acts.command({ do: word, ...c }), "needs-player " + cls);
      b.dataset.do = word;
      return b;
    };
    const back = g.blunder && !forbidden(g),
      asks = this.ways ? "way" : r ? r.what : w.choices.length ? "move" : back ? "takeback" : "";
    if (asks) this.root.dataset.ask = asks;
    else delete this.root.dataset.ask;
    if (this.ways) for (const x of this.ways) this.way(x);
    else if (r) {
      const of = /takeback|draw/.test(r.what) ? "-" + r.what : "";
      // White's own request comes first, so that two boards do not go back to different positions
      const first = of === "-takeback" && r.by === "black" && !this.acts.mine("black") &&
        g.requests.some((q) => q.what === "takeback" && q.by === "white");
      if (!first) put(text.yes[r.what], "accept" + of, {}, "filled");
      put(text.no, "decline" + of);
    } else
      for (const [i, m] of w.choices.entries()) {
        const b = put(
          text.answer(
            w.san?.[i] || m,
            (w.answers || []).find((x) => x.move === m),
          ),
          "answer",
          { move: m },
        );
        b.dataset.move = m;
      }
    if (this.guests && !p && w.state === "synced" && !asks)
      for (const [i, [words, act]] of this.guests.entries()) {
        button(
          this.answers,
          words,
          async () => {
            const all = this.guests;
            this.invite(null);
            if ((await act()) === false) this.invite(all); // it is not answered
          },
          "needs-player guest" + (i ? "" : " filled"),
        );
      }
    if (g.blunder && asks === "takeback") put(text.tools.takeback, "takeback", {}, "filled");
    if (g.blunder && (!asks || asks === "takeback")) put(text.problem.playOn, "decline-takeback");
    if (p && !asks) {
      const back = p.state === "refuted",
        over = g.outcome && !back;
      if (back) put(text.tools.takeback, "takeback", {}, "filled");
      // what is to be mended comes first: the line has room for a few buttons
      if (!g.outcome && !mend) put(text.problem.give, "resign");
      if (g.outcome || !(back || mend))
        put(text.problem.next, "new", { options: { problem: "next" } }, over ? "filled" : "");
      const one = button(this.answers, `${p.number} / ${p.of}`, () => this.acts.problems(), "needs-player");
      one.dataset.act = "choose";
      one.title = one.ariaLabel = `${text.problem.choose}: ${p.number} / ${p.of}`;
      put(text.problem.stop, "new");
    }
    if (/new|abort|adjust|hint/.test(own) && !r) put(text.withdraw, "decline");
    if (paused(g) && !g.outcome && !mend && !asks) put(text.tools.resume, "resume", {}, "filled");
    if (mend && !asks)
      button(
        this.answers,
        text.hand.mend,
        () => this.acts.mend(),
        "mend needs-player" + (g.outcome ? "" : " filled"),
      );
    if (g.outcome !== "" && !asks && !p && this.plays())
      put(text.tools.rematch, "rematch", {}, "filled");
    if (g.conflict) put(text.tools.settle, "settle", {}, "needs-workshop");
  }

  // A move that letting go may mean, as a picture of what will stand there.
  way(x) {
    const b = button(
      this.answers,
      "",
      () => {
        const act = this.act;
        this.choose();
        act(x);
      },
      "way",
    );
    const pic = make("span", "picture", b);
    for (const p of [...(x.become ? [x.become] : x.pile)].reverse()) chip(pic, p);
    pic.classList.toggle("high", pic.childElementCount > 3);
    make("span", "", b, x.become ? names[x.become] : text.way.of(x));
    make("small", "", b, text.san(x.san));
    b.dataset.do = "answer";
    b.dataset.move = x.move;
  }

  // Asks which of several ways is meant; without any, asks no more.
  choose(ways, act) {
    if (!ways && !this.ways) return;
    [this.ways, this.act] = [ways || null, act];
    if (this.game) this.draw();
  }

  // The demo's first question: who plays, [words, act] each; null when it is answered.
  invite(guests) {
    this.guests = guests;
    if (this.game) this.draw();
  }

  // What the lights that shine now mean.
  keys() {
    const kinds = new Set(Object.values(this.more.lights || {}).flatMap((d) => Object.values(d))),
      key = [...kinds].join();
    if (this.keyKey === key) return;
    this.keyKey = key;
    this.key.replaceChildren();
    for (const k of Object.keys(text.means))
      if (kinds.has(k) && k !== "locked") {
        const li = make("li", "", this.key);
        shape(make("span", "badge " + k, li), k);
        make("span", "", li, text.means[k]);
      }
  }

  fault(lines) {
    set(this.faults, lines.map((l, i) => (i < lines.length - 1 ? l.replace(/\.$/, "") : l)).join("; "));
    this.faults.className = lines.length ? "faults warn" : "faults";
  }
}
