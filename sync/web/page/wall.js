// SPDX-License-Identifier: Apache-2.0
// The club wall: every board that the broker knows, small and live, those first where something is going on. Where
// nothing happens, stored games are played.
import { Head, make, set } from "./dom.js";
import { draw } from "./pieces.js";
import { Deck } from "./deck.js";
import { Mini } from "./mini.js";
import { piles, parse } from "./notation.js";
import { game as ruleSet } from "./games.js";
import { clock } from "./clocks.js";
import { Live, get } from "./live.js";
import { text } from "./text.js";

const head = new Head("wall"),
  root = document.getElementById("boards"),
  tables = new Map();
draw();
root.className = "wall";
const none = make("p", "help", root, text.wall.empty);
const against = make("p", "simul", document.querySelector("header"));

// A small flat board: one drawing for all squares, and a pile a square.
class Table {
  constructor(id) {
    this.id = id;
    this.root = make("section", "table", root);
    this.root.dataset.board = id;
    const top = make("p", "row", this.root);
    this.black = make("span", "who black", top);
    this.blackTime = make("time", "", top);
    this.mini = new Mini(this.root);
    this.svg = this.mini.svg;
    const low = make("p", "row", this.root);
    this.white = make("span", "who white", low);
    this.whiteTime = make("time", "", low);
    this.words = make("p", "words", this.root);
    [this.first, this.dot, this.rest] = ["first", "dot", "rest"].map((name) => make("span", name, this.words));
    this.changed = 0;
  }

  show(t, when) {
    if (this.t && (t.plies !== this.t.plies || t.outcome !== this.t.outcome || t.game !== this.t.game))
      this.changed = when;
    if (!this.t && t.clock?.at) this.changed = Date.parse(t.clock.at);
    if (this.t?.state !== t.state) this.since = Date.now();
    this.t = t;
    this.root.classList.toggle("off", !t.online);
    this.root.classList.toggle("over", !!t.outcome);
    for (const s of ["white", "black"]) set(this[s], t.names?.[s] || seat(t, s));
    for (const s of ["white", "black"]) this[s].classList.toggle("turn", !t.outcome && t.turn === s);
    const n = Math.ceil(t.plies / 2);
    const now = t.outcome
      ? text.outcome[t.outcome] || t.outcome
      : t.demo && !t.san
        ? ""
        : t.san
          ? `${n}. ${t.plies % 2 ? "" : "… "}${text.san(t.san)}${t.check ? " · " + text.check : ""}`
          : text.wall.states.wait;
    const p = t.problem;
    this.now = [
      p ? text.problem.wall(p) : now,
      t.outcome && !p ? text.reason(t.reason) : "",
      p?.key ? text.problem.key(p.key.san) : "",
      [t.white, t.black, this.white.textContent, this.black.textContent].includes(this.id) ? "" : this.id,
      ruleSet(t.variant).name,
    ]; // what matters first: small tables cut the rest off
    this.say();
    this.draw(t);
    this.tick(0);
  }

  say() {
    const away = this.other && !this.other.online ? `${this.other.board}: ${text.wall.offline}` : "",
      [first, ...rest] = [
        this.helps ? text.wall.help : "",
        this.t.demo ? text.wall.demo : this.t.online ? away : text.wall.offline,
        ...this.now,
      ]
        .filter(Boolean)
        .map(apart);
    set(this.first, first);
    set(this.dot, rest.length ? " · " : "");
    set(this.rest, rest.join(" · "));
    this.svg.ariaLabel = this.words.textContent;
  }

  draw(t) {
    const wood = t.fen ? piles(t.fen, t.variant, false).lower : {},
      m = t.move && parse(t.move, t.variant, false);
    const last = m ? [m.square, m.target] : [];
    this.mini.show(wood, last);
    this.deck?.show(wood, {}, Object.fromEntries(last.map((s) => [s, { last: true }])));
  }

  // One table alone is a board with depth, to be looked at only.
  deep(wanted) {
    if (wanted === !!this.deck) return;
    this.svg.toggleAttribute("hidden", wanted);
    if (!wanted) {
      this.hall.remove();
      this.hall = this.deck = null;
      return;
    }
    this.hall = make("div", "hall", this.root);
    this.hall.ariaHidden = true; // the words beside it say how it stands
    this.hall.inert = true;
    this.deck = new Deck(this.hall, "lower", () => "");
    this.deck.layout("seat", false, false);
    this.draw(this.t);
  }

  tick(offset) {
    const { clock: c, outcome } = this.t || {},
      score = scores[outcome];
    for (const s of ["white", "black"]) {
      const e = this[s + "Time"];
      let ms = c?.[s + "_ms"];
      if (c && c.running === s) ms -= Math.max(0, Date.now() + offset - Date.parse(c.at));
      set(e, score ? score[s] : c ? clock(Math.max(0, ms)) : "");
      e.classList.toggle("runs", !outcome && c?.running === s);
      e.classList.toggle("long", e.textContent.length > 5);
    }
    const helps = !!this.t?.online && !outcome && this.t.state === "wrong" && Date.now() - this.since >= trouble;
    if (helps === !!this.helps) return;
    this.root.classList.toggle("helps", (this.helps = helps));
    this.say();
  }

  // What is going on comes first: running games by their last move, then those not begun, those that ended, those
  // that are away.
  rank(now) {
    const t = this.t,
      playing = t.online && !t.outcome && t.plies > 0;
    return (
      (t.demo ? 0 : playing ? 3e15 : t.online && !t.outcome ? 2e15 : t.online ? 1e15 : 0) +
      Math.min(this.changed, now)
    );
  }
}

// What each side has of a game that has ended; it stands where the clocks stood.
const scores = {
  "1-0": { white: "1", black: "0" },
  "0-1": { white: "0", black: "1" },
  "1/2-1/2": { white: "½", black: "½" },
};

// How many milliseconds a board lies wrong before its table is said to need help.
const trouble = 5000;

// In a line from right to left each part keeps its place, even if two of them are in Latin letters.
const apart = (s) => (document.documentElement.dir === "rtl" ? `\u2068${s}\u2069` : s);

// Who plays a side: another board, the engine, people at this board; or the side itself, where people at this board
// play both.
function seat(t, side) {
  const s = t[side];
  if (s === "local" || !s) return t.white === t.black ? text.sides[side] : t.board;
  return s === "?" ? "" : s === "engine" ? text.seat(s) : s;
}

// Two boards that play one game against each other are one table: White's, unless only the other one is there.
function pair() {
  const alone = tables.get(""); // a stored game is never beside a live one
  if (alone) {
    for (const t of tables.values()) t.root.hidden = t !== alone;
    return [alone];
  }
  const games = new Map(),
    better = (a, b) =>
      a.t.online - b.t.online || (a.id === a.t.white) - (b.id === b.t.white) || (a.id < b.id ? 1 : -1);
  for (const t of tables.values()) {
    const key = t.t.game || t.id,
      first = games.get(key),
      shown = first && better(first, t) > 0 ? first : t,
      other = shown === t ? first : t;
    games.set(key, shown);
    [t.other, t.root.hidden] = [null, false];
    if (other) {
      [shown.other, other.root.hidden] = [other.t, true];
      shown.say();
    }
  }
  return [...games.values()];
}

// One who plays at every table, of three or more: how that one stands goes above all.
function simul(all) {
  const played = all.filter((t) => !t.t.demo),
    of = (t) => [t.t.names?.white, t.t.names?.black];
  const one = played.length > 2 ? of(played[0]).find((n) => n && played.every((t) => of(t).includes(n))) : "";
  const count = { won: 0, drawn: 0, lost: 0, plays: 0 };
  for (const t of one ? played : []) {
    const best = of(t)[0] === one ? "1-0" : "0-1";
    count[
      !t.t.outcome || t.t.outcome === "*"
        ? "plays"
        : t.t.outcome === best
          ? "won"
          : t.t.outcome === "1/2-1/2"
            ? "drawn"
            : "lost"
    ]++;
  }
  set(against, one ? text.wall.simul(one, count) : "");
}

function order() {
  const now = Date.now(),
    all = pair(),
    sorted = all.sort((a, b) => b.rank(now) - a.rank(now) || (a.id < b.id ? -1 : 1));
  sorted.forEach((t, i) => {
    if (t.order !== i) t.root.style.order = t.order = i;
  });
  none.hidden = all.length > 0;
  simul(all);
  // Measuring makes the browser lay everything out: not for every move.
  const key = `${all.length} ${innerWidth} ${innerHeight} ${!against.textContent}`;
  if (key !== fitted) {
    fitted = key;
    fit(all.length);
  }
  for (const t of all) t.deep(all.length === 1 && root.classList.contains("beside"));
}
let fitted = "";

// As large as the screen lets this many boards be. Where they get small there is less room for words, and on a small
// screen one scrolls.
function fit(n) {
  const w = root.clientWidth - 16,
    h = Math.max(
      320,
      innerHeight - root.getBoundingClientRect().top - document.querySelector("footer").offsetHeight - 16,
    );
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
  // across, down: the share of a table's width and height that is the board
  const best = (wide, tall, across = 1, down = 1) => {
    let cols = 1,
      size = 0;
    for (let c = 1; c <= Math.min(n, 25); c++) {
      const side = Math.floor(Math.min((w / c - wide) * across, (h / Math.ceil(n / c) - tall) * down));
      if (side > size) [cols, size] = [c, side];
    }
    return [cols, size];
  };
  // Names, clocks and results beside the board, as large as can be read from across a hall. They are as large above
  // and below it where the boards get larger so, as those of two tables. Where many tables make all of it small, names
  // and clocks get half the room. On a narrow screen the board has nearly all of it.
  let [cols, size] = best(2 * em, 1.4 * em, 0.58);
  const small = size < 150;
  if (small) [cols, size] = best(em, 0.6 * em, 0.48);
  const [rows, high] = best(2 * em, 1.4 * em, 1, 0.7),
    wide = w >= 700 && (n > 1 || w > h),
    around = wide && n > 1 && high >= 280 && high > 1.15 * size,
    beside = wide && !around && size >= 60;
  root.classList.toggle("one", n === 1);
  root.classList.toggle("beside", beside);
  root.classList.toggle("around", around);
  root.classList.toggle("small", beside && small);
  root.style.gridAutoRows = "";
  if (around) [cols, size] = [rows, high];
  if (n === 1) size = Math.floor(Math.min(w * 0.62, 1.3 * h)); // lying before one, a board is wider than high
  root.style.setProperty("--s", size + "px");
  root.style.setProperty("--h", Math.floor(h - 1.4 * em) + "px");
  if (around || beside) {
    root.classList.remove("dense");
    const tight = small && !around,
      gap = (tight ? 0.3 : 0.6) * em;
    root.style.gridTemplateColumns = `repeat(${cols}, minmax(0, ${Math.floor(w / cols - gap)}px))`;
    if (tight) root.style.gridAutoRows = Math.floor(h / Math.ceil(n / cols) - gap) + "px";
    return;
  }
  [cols, size] = best(1.6 * em, (n === 1 ? 12 : 6.5) * em);
  const dense = size < 130;
  if (dense) [cols, size] = best(0.8 * em, 3.4 * em);
  root.classList.toggle("dense", dense && size >= 72);
  if (size < 72) cols = Math.max(1, Math.floor(w / 180));
  root.style.gridTemplateColumns = `repeat(${cols}, minmax(0, ${size < 72 ? "1fr" : size + (dense ? 0.5 : 1) * em + "px"}))`;
}

let pending = false;
const soon = () => {
  if (!pending) {
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      order();
    });
  }
};

function show(t) {
  if (t.fen || t.demo) {
    if (!tables.has(t.board)) tables.set(t.board, new Table(t.board));
    tables.get(t.board).show(t, Date.now());
  } else {
    tables.get(t.board)?.root.remove(); // it has given its place to another one
    tables.delete(t.board);
  }
  soon();
}

const live = new Live("api/wall/events", { board: show }, (up) => head.connected(up));
setInterval(() => {
  for (const t of tables.values()) if (!t.t.demo) t.tick(live.offset);
}, 500);
addEventListener("resize", soon);

// The archive. When there has been nothing to see on any board for a while, one stored game after the other is played.
// It makes a move every two seconds.
const quiet = 60000,
  opened = Date.now();
let games = [],
  game = -1,
  ply = 0;
async function archive() {
  const now = Date.now(),
    boards = [...tables.values()].filter((t) => !t.t.demo),
    busy =
      boards.some(({ t }) => t.online && (t.plies || t.outcome || t.names || t.problem)) ||
      [opened, ...boards.map((t) => t.changed)].some((at) => now - at < quiet);
  const demo = tables.get("");
  if (busy) {
    demo?.root.remove();
    tables.delete("");
    soon();
    return;
  }
  if (!games.length) games = (await get("api/wall/games")) || [];
  if (!games.length) return;
  if (game < 0 || ply > games[game].moves.length + 3) [game, ply] = [(game + 1) % games.length, 0];
  const g = games[game],
    n = Math.min(ply++, g.moves.length),
    over = n === g.moves.length;
  show({
    board: "",
    demo: true,
    online: true,
    game: "demo" + game,
    variant: g.variant,
    white: g.white,
    black: g.black,
    fen: g.fens[n],
    turn: g.fens[n].split(" ")[1] === "w" ? "white" : "black",
    plies: n,
    move: g.moves[n - 1],
    san: g.san[n - 1],
    outcome: over && g.outcome !== "*" ? g.outcome : "",
    reason: g.reason,
  });
}
setInterval(archive, 2000);
