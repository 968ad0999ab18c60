// SPDX-License-Identifier: Apache-2.0
// What a board says beside its drawing: names and clocks, how the game stands, what to put right, questions, moves.
import { game } from "./games.js";
import { make, button, set } from "./dom.js";
import { icon } from "./pieces.js";
import { material } from "./notation.js";
import { text, names } from "./text.js";

export class Panel {
  constructor(root, board, acts) {
    this.board = board;
    this.acts = acts; // { command, look, pgn, fresh, mine, offset }
    this.said = make("p", "said", root);
    this.clocks = {};
    const row = make("div", "clocks", root);
    for (const side of ["white", "black"]) {
      const c = (this.clocks[side] = { root: make("div", "clock " + side, row) });
      c.name = make("span", "name", c.root);
      c.time = make("time", "", c.root);
      c.time.setAttribute("aria-label", text.clock[side]);
      c.taken = make("span", "taken", c.root);
    }
    this.live = make("p", "live", root);
    this.live.setAttribute("role", "status");
    this.live.setAttribute("aria-live", "polite");
    this.state = make("p", "state", root);
    this.steps = make("ol", "steps", root);
    this.answers = make("p", "answers", root);
    this.tip = make("p", "tip", root);
    this.tip.setAttribute("role", "alert");
    this.tools(root);
    this.list(root);
    this.faults = make("p", "faults", root);
    setInterval(() => this.tick(), 200);
  }

  tools(root) {
    const t = text.tools, bar = make("p", "tools needs-player", root), c = (name, extra) => () => this.acts.command({ do: name, ...extra });
    this.offer = make("p", "offer needs-player", root);
    this.buttons = {};
    const add = (parent, key, act) => (this.buttons[key] = button(parent, t[key], act));
    add(bar, "new", () => this.acts.fresh());
    add(bar, "takeback", c("takeback"));
    add(bar, "draw", c("offer-draw"));
    add(bar, "resign", () => this.acts.resign());
    add(bar, "hint", c("hint")).dataset.do = "hint";
    add(bar, "rematch", c("rematch"));
    add(bar, "settle", c("settle"));
    const more = make("details", "more", bar);
    make("summary", "", more, t.more);
    add(more, "claim", c("claim-draw"));
    add(more, "pause", c("pause"));
    add(more, "resume", c("resume"));
    add(more, "flip", c("flip"));
    add(more, "abort", c("abort"));
    const pgn = make("a", "pgn", bar, t.pgn);
    pgn.href = `api/boards/${this.board}/pgn`;
    pgn.setAttribute("download", "");
  }

  list(root) {
    const box = make("div", "movebox", root);
    this.back = make("p", "past", box);
    this.pastText = make("span", "", this.back);
    button(this.back, text.now, () => this.acts.look(null));
    this.back.hidden = true;
    this.moves = make("ol", "moves", box);
    this.moves.setAttribute("aria-label", text.moves);
    this.moves.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[e.key];
      if (!step) return;
      e.preventDefault();
      const n = Math.max(0, Math.min(this.game.san.length, (this.at ?? this.game.san.length) + step));
      this.acts.look(n);
      this.moves.querySelector(`[data-ply="${n}"]`)?.focus();
    });
  }

  show(g, at) {
    const before = this.game;
    this.game = g;
    this.heard = performance.now();
    const over = g.outcome !== "";
    set(this.said, `${variant(g.variant)} · ${over ? `${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}` : text.turn[g.turn] + (g.check ? ", " + text.check : "")}`);
    this.said.classList.toggle("over", over);
    for (const side of ["white", "black"]) {
      set(this.clocks[side].name, `${text.sides[side]}: ${text.seat(g.seats[side], this.board)}`);
      this.clocks[side].root.classList.toggle("turn", !over && g.turn === side);
    }
    this.taken(g);
    this.wood(g);
    this.offers(g, over);
    this.played(g, at);
    this.tick();
    if (before && (before.game !== g.game || before.san.join() !== g.san.join() || before.outcome !== g.outcome)) this.say(g, over);
  }

  // A live text of every move, for those who listen.
  say(g, over) {
    const last = g.san.length ? `${text.sides[(g.san.length + (g.start.split(" ")[1] === "b")) % 2 ? "white" : "black"]}: ${g.san[g.san.length - 1]}. ` : "";
    set(this.live, last + (over ? `${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}.` : `${text.turn[g.turn]}${g.check ? ", " + text.check : ""}.`));
  }

  taken(g) {
    const key = g.game + g.fen;
    if (this.takenKey === key) return;
    this.takenKey = key;
    const a = material(g.start), b = material(g.fen);
    for (const [side, letters] of [["white", "QRBNP"], ["black", "qrbnp"]]) {
      const t = this.clocks[side].taken;
      t.replaceChildren();
      const gone = [...letters].flatMap((p) => Array(Math.max(0, (a[p] || 0) - (b[p] || 0))).fill(p));
      t.setAttribute("aria-label", gone.length ? `${text.captured[side]}: ${gone.map((p) => names[p]).join(", ")}` : "");
      for (const p of gone) icon(t, p, "").setAttribute("aria-hidden", true);
    }
  }

  wood(g) {
    const w = g.wood, mend = ["wrong", "setup", "executing"].includes(w.state);
    const what = w.state === "asking" && w.choices.length === 1 ? "confirm" : w.state === "wrong" && w.kings ? "array" : w.state;
    set(this.state, w.state === "synced" && g.outcome ? "" : text.state[what] || what);
    this.state.className = "state " + w.state;
    const steps = mend ? w.squares.slice(0, 8).map(text.mend) : [];
    if (this.stepKey !== steps.join("|")) {
      this.stepKey = steps.join("|");
      this.steps.replaceChildren(...steps.map((s) => make("li", "", null, s)));
      if (mend && w.squares.length > 8) make("li", "", this.steps, "…");
    }
    const choices = w.choices.join();
    if (this.choiceKey === choices) return;
    this.choiceKey = choices;
    this.answers.replaceChildren();
    w.choices.forEach((m, i) => {
      const a = (w.answers || []).find((x) => x.move === m);
      button(this.answers, text.answer(w.san?.[i] || m, a), () => this.acts.command({ do: "answer", move: m }));
    });
  }

  // What the other side asks, and only the buttons that mean something now.
  offers(g, over) {
    const key = JSON.stringify([g.offer, g.ask, over, g.paused, !!g.clock, g.conflict, g.unstored, g.seats]);
    if (this.offerKey === key) return;
    this.offerKey = key;
    const { mine, command } = this.acts, o = this.offer, t = text.tools;
    o.replaceChildren();
    const here = mine("white") || mine("black");
    if (g.offer && !over) {
      make("span", "", o, text.offers.draw(text.sides[g.offer]) + " ");
      if (mine(g.offer === "white" ? "black" : "white")) for (const [k, d] of [["acceptDraw", "accept-draw"], ["declineDraw", "decline-draw"]]) button(o, t[k], () => command({ do: d }));
    }
    if (g.ask) {
      make("span", "", o, text.offers.takeback(text.sides[g.ask.by], g.ask.to) + " ");
      if (mine(g.ask.by === "white" ? "black" : "white")) for (const [k, d] of [["acceptTakeback", "accept-takeback"], ["declineTakeback", "decline-takeback"]]) button(o, t[k], () => command({ do: d }));
    }
    if (g.conflict) make("span", "warn", o, g.conflict);
    if (g.unstored) make("span", "warn", o, text.unstored);
    const b = this.buttons, put = (k, on) => { b[k].hidden = !on; };
    put("draw", !over && here);
    put("resign", !over && here);
    put("takeback", here);
    put("hint", !over && here && ["white", "black"].every((s) => mine(s) || g.seats[s] === "engine")); // never against another board
    put("rematch", over && here);
    put("settle", !!g.conflict);
    put("claim", !over);
    put("abort", !over);
    put("pause", !over && g.clock && !g.paused);
    put("resume", !over && g.clock && (g.paused || !g.clock.running));
  }

  played(g, at) {
    const key = [g.game, ...g.san, ""].join();
    if (this.listKey !== key) {
      const fresh = !this.listKey || !key.startsWith(this.listKey); // not only moves more: some were taken back, or corrected
      this.listKey = key;
      if (fresh) { this.moves.replaceChildren(); this.listed = 0; }
      this.moves.start = +g.start.split(" ")[5] || 1;
      this.append(g);
      this.moves.scrollTop = this.moves.scrollHeight;
    }
    const n = at ?? g.san.length;
    this.at = at;
    this.back.hidden = at == null;
    if (at != null) set(this.pastText, text.past(at, g.san.length) + " ");
    if (this.here === n + key) return;
    this.here = n + key;
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.moves.querySelector(`[data-ply="${n}"]`)?.setAttribute("aria-current", "true");
  }

  append(g) {
    const black = g.start.split(" ")[1] === "b" ? 1 : 0;
    for (let i = this.listed || 0; i < g.san.length; i++) {
      let li = this.moves.lastElementChild;
      if (!li || (i + black) % 2 === 0) li = make("li", "", this.moves);
      if (i === 0 && black) make("span", "", li, "… ");
      const b = button(li, g.san[i], () => this.acts.look(i + 1 === this.game.san.length ? null : i + 1), "ply");
      b.dataset.ply = i + 1;
    }
    this.listed = g.san.length;
  }

  // Clocks run here between two messages; the board's own clock is what counts.
  tick() {
    const c = this.game?.clock;
    for (const side of ["white", "black"]) {
      const e = this.clocks[side];
      e.time.hidden = !c;
      if (!c) continue;
      let ms = c[side + "_ms"];
      const running = c.running === side;
      if (running) ms -= Math.max(0, Date.now() + this.acts.offset() - Date.parse(c.at));
      set(e.time, clock(Math.max(0, ms)));
      e.root.classList.toggle("running", running);
      e.root.classList.toggle("low", ms < 30000);
    }
  }

  fault(lines) {
    set(this.faults, lines.join("; "));
    this.faults.className = lines.length ? "faults warn" : "faults";
  }
}

export const variant = (id) => game(id).name;

export function clock(ms) {
  const s = Math.ceil(ms / 1000), two = (n) => String(n).padStart(2, "0");
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}
