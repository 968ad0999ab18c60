// SPDX-License-Identifier: Apache-2.0
// What a board says beside its drawing: names and clocks, how the game stands, what to put right, questions, moves.
import { game } from "./games.js";
import { make, button, set, stroke } from "./dom.js";
import { chip, shape } from "./deck.js";
import { adjust, players } from "./newgame.js";
import { material } from "./notation.js";
import { told } from "./said.js";
import { text, names } from "./text.js";

export class Panel {
  constructor(root, board, acts) {
    this.board = board;
    this.acts = acts; // { command, look, fresh, mine, offset, resign, mend, said, turn, large }
    this.said = acts.said;
    this.clocks = {};
    for (const side of ["white", "black"]) {
      const c = (this.clocks[side] = { root: make("div", "clock " + side, root) });
      make("span", "wood " + side, c.root);
      c.name = make("span", "name", c.root);
      c.taken = make("span", "taken", c.root);
      c.time = make("time", "", c.root);
      c.time.setAttribute("aria-label", text.clock[side]);
    }
    this.live = make("p", "live", root);
    this.live.setAttribute("role", "status");
    this.live.setAttribute("aria-live", "polite");
    this.line(root);
    this.list(root);
    this.tools(root);
    this.busy = new Map();
    setInterval(() => this.tick(), 200);
  }

  // The one line that says what to do now, with the reason below, the answers, and what the lights that shine mean.
  line(root) {
    const now = (this.now = make("div", "now", root)),
      words = make("div", "nowwords", now);
    this.mark = make("div", "nowmark", now);
    this.state = make("p", "state", words);
    this.tip = make("p", "tip", words);
    this.tip.setAttribute("role", "alert");
    this.steps = make("ol", "steps", words);
    this.faults = make("p", "faults", words);
    this.answers = make("p", "answers", now);
    this.key = make("ul", "key", now);
  }

  tools(root) {
    const t = text.tools,
      bar = make("div", "tools", root);
    this.buttons = {};
    const add = (parent, key, word, act, icon) => {
      const b = (this.buttons[key] = button(parent, t[key], () => act(b)));
      b.classList.add("needs-player");
      if (icon) ((b.title = t[key]), stroke(b, icon));
      b.dataset.do = word;
      b.hidden = !["new", "flip"].includes(key); // until a game says what means something
      return b;
    };
    const send = (word) => (b) => this.once(b, { do: word });
    add(bar, "takeback", "takeback", send("takeback"), "back");
    add(bar, "draw", "offer-draw", send("offer-draw"), "draw");
    add(bar, "resign", "resign", () => this.acts.resign(), "resign");
    add(bar, "rematch", "rematch", send("rematch"), "plus");
    const big = button(bar, t.large, () => this.acts.large(), "largebutton");
    stroke(big, "large");
    const more = make("details", "more", bar),
      pane = make("div", "pane", more),
      head = make("summary", "");
    more.prepend(head);
    head.setAttribute("aria-label", t.more);
    head.title = t.more;
    stroke(head, "more");
    document.addEventListener("click", (e) => {
      if (!more.contains(e.target) || e.target.closest("[data-do]")) more.open = false;
    }); // what was chosen may be answered beneath
    add(pane, "new", "new", () => this.acts.fresh());
    for (const [k, w] of [
      ["hint", "hint"],
      ["claim", "claim-draw"],
      ["pause", "pause"],
      ["resume", "resume"],
      ["abort", "abort"],
      ["flip", "flip"],
      ["settle", "settle"],
    ])
      add(pane, k, w, send(w));
    add(pane, "problems", "new", (b) =>
      this.once(b, { do: "new", variant: this.game.variant, options: { problem: "next" } }),
    ).dataset.act = "problems";
    add(pane, "players", "name", () => players(this.game, (c) => this.acts.command(c)));
    add(pane, "adjust", "adjust", () => adjust(this.game, (c) => this.acts.command(c)));
    const pgn = make("a", "pgn", pane, t.pgn);
    pgn.href = `api/boards/${this.board}/pgn`;
    pgn.setAttribute("download", "");
    this.kept = make("a", "", pane, text.kept.link);
    this.handbox = make("div", "handbox needs-player", pane);
  }

  // Sends a command once, however often its button is pressed: it rests until the answer has come, and a double
  // press is one.
  async once(b, c) {
    if (b.disabled) return;
    b.disabled = true;
    const rest = new Promise((done) => setTimeout(done, 700));
    await this.acts.command(c);
    await rest;
    b.disabled = false;
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
      this.leaf(step);
      this.moves.querySelector(`[data-ply="${this.at ?? this.game.san.length}"]`)?.focus();
    });
    const bar = make("p", "leaf", box);
    for (const [icon, step] of [
      ["first", -1e6],
      ["prev", -1],
      ["next", 1],
      ["last", 1e6],
    ]) {
      const b = button(bar, "", () => this.leaf(step));
      b.setAttribute("aria-label", text.leaf[icon]);
      stroke(b, icon);
    }
  }

  leaf(step) {
    this.acts.look(Math.max(0, Math.min(this.game.san.length, (this.at ?? this.game.san.length) + step)));
  }

  show(g, at, more) {
    const before = this.game;
    this.game = g;
    this.more = more;
    const over = g.outcome !== "";
    if (g.problem) set(this.said, `${variant(g.variant)} · ${text.problem.said(g.problem)}`);
    else
      set(
        this.said,
        `${variant(g.variant)} · ${g.timing ? text.timing(g.timing) : text.noClock}${more.opening ? " · " + more.opening : ""}${over ? ` · ${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}` : ""}`,
      );
    for (const side of ["white", "black"]) {
      const c = this.clocks[side];
      const title = g.names?.[side + "_title"],
        who = g.names?.[side] ? (title ? title + " " : "") + g.names[side] : text.seat(g.seats[side], this.board);
      set(c.name, text.sides[side] + (who ? `: ${who}` : ""));
      c.root.classList.toggle("turn", !over && g.turn === side);
      c.root.classList.toggle("me", (side === "white") !== more.flipped);
      c.root.classList.toggle("opp", (side === "white") === more.flipped);
    }
    this.taken(g);
    this.wood(g, at);
    this.offers(g, over);
    this.played(g, at);
    this.tick();
    if (before && (before.game !== g.game || before.san.join() !== g.san.join() || before.outcome !== g.outcome))
      this.say(g, over);
  }

  // A live text of every move, for those who listen.
  say(g, over) {
    const last = g.san.length
      ? `${text.sides[(g.san.length + (g.start.split(" ")[1] === "b")) % 2 ? "white" : "black"]}: ${text.san(g.san[g.san.length - 1])}. `
      : "";
    set(
      this.live,
      last +
        (over
          ? `${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}.`
          : `${text.turn[g.turn]}${g.check ? ", " + text.check : ""}.`),
    );
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
      const t = this.clocks[side === "white" ? "black" : "white"].taken; // by the name of who took them
      t.replaceChildren();
      const gone = [...letters].flatMap((p) => Array(Math.max(0, (a[p] || 0) - (b[p] || 0))).fill(p));
      t.setAttribute(
        "aria-label",
        gone.length ? `${text.captured[side]}: ${gone.map((p) => names[p]).join(", ")}` : "",
      );
      for (const p of gone) chip(t, p);
    }
  }

  // What there is to do now: one thing, with its reason and the answers to it.
  wood(g, at) {
    const w = g.wood,
      [mark, words, kind] = at == null ? this.todo(g) : ["origin", text.past(at, g.san.length), "past"];
    set(this.state, words);
    this.state.className = "state " + w.state;
    this.now.dataset.kind = kind;
    if (this.markKey !== mark) {
      this.markKey = mark;
      this.mark.replaceChildren();
      if (mark) shape(make("span", "badge " + mark, this.mark), mark);
    }
    const mend =
      ["wrong", "setup", "executing"].includes(w.state) ||
      (w.state === "moving" && w.squares.some((t) => t.see > t.want.length && t.want.length));
    const most = w.squares.length > 3 ? 2 : 3; // the line beside the board holds no more: the lights say the rest
    const steps = mend && at == null ? w.squares.slice(0, most).map(text.mend) : [];
    if (this.stepKey !== steps.join("|")) {
      this.stepKey = steps.join("|");
      this.steps.replaceChildren(...steps.map((s) => make("li", "", null, s)));
      if (steps.length && w.squares.length > most)
        make("li", "more", this.steps, text.andMore(w.squares.length - most));
    }
    this.ask(g);
    this.keys();
  }

  // The mark, the words, and what kind of thing it is.
  todo(g) {
    const w = g.wood,
      over = g.outcome !== "",
      r = this.asked(g),
      t = this.more.touched,
      mine = this.acts.mine(g.turn),
      held = this.more.wood ? [...this.more.wood.hands.left, ...this.more.wood.hands.right] : [];
    if (this.ways) return ["answer", this.ways[0].become ? text.now_.become : text.now_.which, "ask"];
    if (g.conflict)
      return [
        "wrong",
        told(g.conflict, g.conflict_said, (this.redraw ||= () => this.wood(this.game, this.at))),
        "conflict",
      ];
    if (r) return ["answer", text.request(r), "ask"];
    if (w.state === "asking")
      return ["answer", w.choices.length === 1 ? text.state.confirm : text.state.asking, "ask"];
    if (over && !g.problem) return ["", `${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}.`, "over"];
    if (w.state === "wrong") return ["wrong", w.kings ? text.state.array : text.state.wrong, "mend"];
    if (w.state === "executing") return ["from", text.state.executing, "mend"];
    if (w.state === "setup") return ["to", text.state.setup, "mend"];
    if (g.problem && w.state !== "moving") {
      const p = g.problem,
        x = text.problem;
      if (p.state === "refuted") return ["wrong", x.refuted(p.refute.san), "mend"];
      if (over)
        return [p.state === "solved" ? "quiet" : "", x[p.state === "solved" ? "solved" : "given"](p.key.san), "over"];
      if (mine) return ["quiet", g.moves.length ? x.go(p.in - g.moves.length / 2) : x.find(p.in, g.turn), "move"];
    }
    if (g.blunder && w.state === "synced") return ["wrong", text.problem.blunder(g.blunder.san), "ask"];
    const goes = w.state === "moving" && w.squares.find((s) => s.see > s.want.length);
    if (goes && !t) return ["capture", text.now_.takeOff(goes), "mend"];
    const own = (g.requests || []).find(
      (q) => this.acts.mine(q.by) && !this.acts.mine(q.by === "white" ? "black" : "white"),
    );
    if (own) return ["origin", text.waits(own), "wait"];
    if (g.paused) return ["", text.now_.paused, "wait"];
    if (w.held) return ["unsent", text.now_.sure(w.held), "wait"];
    if (w.state === "moving")
      return t?.moves.length
        ? ["quiet", text.now_.inHand(t.piece), "move"]
        : ["origin", held.length ? text.now_.held(held) : text.state.moving, "move"];
    if (g.check) return ["check", text.now_.check(g.turn, mine), "move"];
    if (this.guests && !g.moves.length) return ["quiet", text.invite.say, "move"];
    return [mine ? "quiet" : "", text.now_.turn(g.turn, mine, g.seats[g.turn]), mine ? "move" : "wait"];
  }

  // What the other side asks of the people at this board, null for nothing.
  asked(g) {
    return (
      (g.requests || []).find(
        (r) =>
          this.acts.mine(r.by === "white" ? "black" : "white") &&
          (!this.acts.mine(r.by) || r.what === "takeback" || r.what === "draw"),
      ) || null
    );
  }

  // The answers to what is asked, as buttons.
  ask(g) {
    const r = this.asked(g),
      w = g.wood,
      p = g.problem,
      mend = ["wrong", "setup", "executing"].includes(w.state) && this.more.virtual && w.squares.length > 0;
    const own = (g.requests || []).some((q) => this.acts.mine(q.by) && !r);
    const key = JSON.stringify([
      this.ways?.map((x) => x.move),
      r,
      w.choices,
      w.answers,
      mend,
      own,
      g.outcome !== "",
      g.conflict,
      !!this.guests && !g.moves.length && w.state === "synced",
      p && p.number + p.state,
      g.blunder,
    ]);
    if (this.askKey === key) return;
    this.askKey = key;
    this.answers.replaceChildren();
    const put = (words, word, c, cls) => {
      const b = button(this.answers, words, () => this.once(b, c), "needs-player " + (cls || ""));
      b.dataset.do = word;
      return b;
    };
    const asks = this.ways ? "way" : r ? r.what : w.choices.length ? "move" : g.blunder ? "takeback" : "";
    if (asks) this.now.dataset.ask = asks;
    else delete this.now.dataset.ask;
    if (this.ways) for (const x of this.ways) this.way(x);
    else if (r) {
      const yes = { takeback: "accept-takeback", draw: "accept-draw" }[r.what] || "accept",
        no = { takeback: "decline-takeback", draw: "decline-draw" }[r.what] || "decline";
      put(text.yes[r.what], yes, { do: yes }, "filled");
      put(text.no, no, { do: no });
    } else
      for (const [i, m] of w.choices.entries()) {
        const b = put(
          text.answer(
            w.san?.[i] || m,
            (w.answers || []).find((x) => x.move === m),
          ),
          "answer",
          { do: "answer", move: m },
        );
        b.dataset.move = m;
      }
    if (this.guests && !g.moves.length && w.state === "synced" && !asks)
      for (const [i, [words, act]] of this.guests.entries()) {
        button(
          this.answers,
          words,
          () => {
            this.invite(null);
            act();
          },
          "needs-player guest" + (i ? "" : " filled"),
        );
      }
    if (g.blunder && asks === "takeback") {
      put(text.tools.takeback, "takeback", { do: "takeback" }, "filled");
      put(text.problem.playOn, "decline-takeback", { do: "decline-takeback" });
    }
    if (p && !asks) {
      const next = () => put(text.problem.next, "new", { do: "new", options: { problem: "next" } }, "filled");
      if (p.state === "refuted") put(text.tools.takeback, "takeback", { do: "takeback" }, "filled");
      if (g.outcome) next();
      else put(text.problem.give, "resign", { do: "resign" });
      put(text.problem.stop, "new", { do: "new" });
    }
    if (mend && !asks)
      button(
        this.answers,
        text.hand.mend,
        () => this.acts.mend(),
        "mend needs-player" + (g.outcome ? "" : " filled"),
      );
    if (g.outcome !== "" && !asks && !p) put(text.tools.rematch, "rematch", { do: "rematch" }, "filled");
    if (g.conflict) put(text.tools.settle, "settle", { do: "settle" });
  }

  // One of several moves that letting go may mean, as a picture of what will stand there.
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
    make("span", "", b, x.become ? names[x.become] : x.keeps ? text.way.stacks : text.way.captures(x.taken));
    make("small", "", b, text.san(x.san));
    b.dataset.do = "answer";
    b.dataset.move = x.move;
  }

  // Asks which of several ways is meant; without any, asks no more.
  choose(ways, act) {
    if (!ways && !this.ways) return;
    [this.ways, this.act] = [ways || null, act];
    if (this.game) this.wood(this.game, this.at);
  }

  // The demo's first question: who plays, [words, act] each; null when it is answered.
  invite(guests) {
    this.guests = guests;
    if (this.game) this.wood(this.game, this.at);
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

  // Only the buttons that mean something now.
  offers(g, over) {
    const b = this.buttons,
      put = (k, on) => {
        b[k].hidden = !on;
      },
      { mine } = this.acts,
      here = mine("white") || mine("black"),
      against = ["white", "black"].some((s) => !mine(s) && g.seats[s] !== "engine");
    this.kept.href = `games?board=${this.board}&game=${g.game}`;
    put("draw", !over && here && !g.problem);
    put("resign", !over && here && !g.problem);
    put("problems", here && !g.problem && (over || !g.moves.length));
    put("takeback", here && g.moves.length > 0 && (!over || !against)); // no board can be asked any more
    // Another board is asked first.
    put("hint", !over && here && !g.problem && !["white", "black"].some((s) => g.seats[s] === "lichess"));
    put("rematch", over && here && !g.problem);
    put("settle", !!g.conflict);
    put("claim", !over);
    put("abort", !over);
    put("players", here && !g.problem);
    put("adjust", !over && !!g.clock);
    put("pause", !over && g.clock && !g.paused);
    put("resume", !over && g.clock && (g.paused || !g.clock.running));
  }

  played(g, at) {
    const key = [g.game, ...g.san, ""].join();
    if (this.listKey !== key) {
      // Not only moves more: some were taken back, or corrected.
      const fresh = !this.listKey || !key.startsWith(this.listKey);
      this.listKey = key;
      if (fresh) {
        this.moves.replaceChildren();
        this.listed = 0;
      }
      this.append(g);
      this.moves.scrollTop = this.moves.scrollHeight;
      this.moves.scrollLeft = this.moves.scrollWidth;
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
      if (!li || (i + black) % 2 === 0)
        ((li = make("li", "", this.moves)), (li.dataset.n = (+g.start.split(" ")[5] || 1) + ((i + black) >> 1)));
      if (i === 0 && black) make("span", "", li, "… ");
      const b = button(
        li,
        text.san(g.san[i]),
        () => this.acts.look(i + 1 === this.game.san.length ? null : i + 1),
        "ply",
      );
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
  const s = Math.ceil(ms / 1000),
    two = (n) => String(n).padStart(2, "0");
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
    : `${Math.floor(s / 60)}:${two(s % 60)}`;
}
