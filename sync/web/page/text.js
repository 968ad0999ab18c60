// SPDX-License-Identifier: Apache-2.0
// All words of the page. Those of a language stand in words/<language>.json; here they are put together. Nothing is
// cut to their length.
import { games } from "./games.js";
import { languages } from "./languages.js";

const stored = (k) => {
  try {
    return localStorage.getItem("boardd." + k);
  } catch {
    return null;
  }
};

// The language that was chosen, else the first of the browser's that there is, else English.
function chosen() {
  const have = languages.map((l) => l.code),
    wish = stored("language");
  return have.includes(wish)
    ? wish
    : (navigator.languages || [])
        .map((l) => l.split("-")[0].toLowerCase())
        .map((l) => (l === "iw" ? "he" : l))
        .find((l) => have.includes(l)) || "en";
}

export const language = chosen();
const fetched = (code) => fetch(`words/${code}.json`).then((r) => r.json());
const w = await fetched(language).catch(() => fetched("en"));
Object.entries(w.called).forEach(([id, name]) => (games[id].name = name)); // those with a name in each language
const rtl = w.about.direction === "rtl",
  plural = new Intl.PluralRules(language);
document.documentElement.lang = language;
document.documentElement.dir = w.about.direction;

// A text with its places filled in. Of a text with several numbers the one that fits {n} is taken. What is filled
// in keeps its own direction.
function f(t, args) {
  if (typeof t !== "string") t = t[plural.select(args.n)] || t.other;
  return t.replace(/\{(\w+)\}/g, (_, k) => (rtl ? `\u2068${args[k]}\u2069` : args[k]));
}

// What is said of whose key is whose.
const pairing = ({ keys }) => ({
  ...keys,
  ...Object.fromEntries(["own", "done", "undone"].map((what) => [what, (board) => f(keys[what], { board })])),
});

export const names = w.names;
const name = (p) => names[p] || p,
  kind = (p) => w.kinds[p.toLowerCase()] || p;
const on = (sq, deck) => (deck === "upper" ? f(w.on.upper, { square: sq }) : sq);
const list = (ps, form) => ps.map(name).reduce((a, b) => f(form, { a, b }));
export const minutes = (ms = 0) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
const sum = (n) => f(w.count.pieces, { n });

// Moves as people write them, with the letters that the language has for the pieces if that is wished.
const letters = w.about.letters.includes(" ") ? w.about.letters.split(" ") : [...w.about.letters];
const own = stored("notation") === "own";
function san(s) {
  if (own && s) s = s.replace(/[KQRBNP]/g, (c) => letters["KQRBNP".indexOf(c)]);
  return apart(s);
}

// Between words from right to left, what is written from left to right keeps its order.
function apart(s) {
  return rtl && s ? `\u2066${s}\u2069` : s;
}

// A move as it is read aloud; the marks of stacks have no words of their own.
function spoken(s) {
  const end = /#$/.test(s) ? ", " + w.spoken.mate : /\+$/.test(s) ? ", " + w.spoken.check : "";
  if (/^O-O/.test(s)) return (/^O-O-O/.test(s) ? w.spoken.long : w.spoken.short) + end;
  const words = s
    .replace(/=?([QRBN])(?=[+#]?$)/, (_, p) => ` ${w.spoken.becomes} ${kind(p)}`)
    .replace(/^[KQRBN]/, (p) => kind(p) + " ")
    .replace(/x/g, ` ${w.spoken.takes} `)
    .replace(/[^\p{L}\d\s]/gu, " ");
  return words.replace(/\s+/g, " ").trim() + end;
}

// An argument of a reason: see rules.Reason.
function argument(a) {
  if (/^=./.test(a)) return kind(a[1]);
  if (/^.@/.test(a)) return f(w.on.piece, { piece: name(a[0]), square: a.slice(2) });
  return w.sides[a] || w.decks[a] || w.sensors[a] || w.reason[a] || (names[a] ? name(a) : a);
}

// A sentence of the daemon with its arguments; one that is missing leaves its place empty.
export const fill = (t, args = []) =>
  t
    .replace(/\{(\d+)\}/g, (_, k) => {
      const a = args[k] === undefined ? "" : argument(args[k]);
      return rtl && a ? `\u2068${a}\u2069` : a;
    })
    .trim();

// What is said of a problem: the score only once there is one.
const first = (said, p) => (p.shown ? said : said.split(" · ")[0]);

// A level of the engine; its ends have a word.
const level = (n) => n + ({ 1: ` · ${w.new.easy}`, 8: ` · ${w.new.strong}` }[n] || "");

const groups = { sides: w.sides, turn: w.turn };
export const text = {
  ...w,
  title: "boardd",
  letters,
  languages,
  san,
  spoken,
  timing: (t) =>
    f(t.kind === "hourglass" ? w.timing.hourglass : t.increment_ms ? w.timing.added : w.timing.plain, {
      minutes: Math.round(t.initial_ms / 6000) / 10,
      seconds: (t.increment_ms || 0) / 1000,
    }),
  andMore: (n) => f(w.andMore, { n }),
  view: {
    ...w.view,
    themes: { auto: w.view.auto, light: w.view.light, dark: w.view.dark },
    of: (l) => (l.reviewed === "yes" ? l.language : f(w.view.unreviewed, { language: l.language })),
    english: f(w.view.notationEnglish, { letters: "K Q R B N" }),
    own: f(w.view.notationOwn, { letters: letters.slice(0, 5).join(" ") }),
  },
  seat: (s, board) =>
    s === "local" ? "" : s === "engine" ? w.seat.engine : s === board ? f(w.seat.here, { board: s }) : s,
  now_: {
    ...w.now,
    seen: (move, how) => f(w.now[how], { move: san(move) }),
    takeOff: (t) => f(w.now.takeOff, { square: on(t.square, t.deck) }),
    inHand: (p, more) => f(more ? w.now.pile : w.now.inHand, { piece: kind(p) }),
    held: (ps) => f(w.now.held, { pieces: ps.map(name).join(", ") }),
    check: (side, mine) => f(mine ? w.now.checkMine : w.now.check, { side: groups.sides[side] }),
    turn: (side, mine, seat) =>
      !mine && seat === "engine"
        ? w.now.thinks
        : f(mine ? w.now.turnMine : w.now.turn, { side: groups.sides[side], board: seat }),
  },
  way: {
    // what a way takes, whether something stays beneath it, and how many pieces go where a move names it
    of: ({ taken, keeps, move, pile }) => {
      const some = move.match(/:\d/) ? ` (${move.match(/:(\d)/)[1]})` : "", // how many pieces of a pillar
        takes = taken.length ? [f(w.way.captures, { pieces: list(taken, w.way.and) })] : [];
      if (!move) return w.way.back;
      if (keeps) takes.push(w.way.stacks + some);
      return takes.join(", ") || (pile[0] === "#" ? w.way.air : w.way.goes + some);
    },
  },
  request: (r, made) =>
    f(w.request[r.what === "new" && r.variant ? "newOf" : r.what], {
      side: groups.sides[r.by],
      n: made.length - (r.to || 0),
      move: san(made[r.to || 0]),
      game: games[r.variant]?.name || r.variant,
      white: minutes(r.white_ms),
      black: minutes(r.black_ms),
    }),
  waits: (r) => w.waits[r.what],
  answer: (m, a) => (a ? f(w.answer, { san: san(m), square: on(a.square, a.deck) }) : san(m)),
  // One square to put right: how many pieces, which one on top, or where they go. A high pile stands in it between two
  // marks, to be shown as a picture.
  mark: "\u0001",
  stacked: (pile) => list(pile, w.mend.then),
  mend(t, to) {
    const square = on(t.square, t.deck),
      n = t.want.length,
      top = to ? to.want.at(-1) : t.want[n - 1],
      piece = top ? name(top) : "",
      high = n > 3,
      pieces = high ? text.mark + t.want.join("") + text.mark : n > 1 ? text.stacked(t.want) : piece;
    const say = (form, k) => f(form, { square, piece, pieces, count: sum(k), to: to && on(to.square, to.deck) });
    if (to) return t.see - n === 1 ? say(w.mend.goesOne, 1) : say(w.mend.goes, t.see - n);
    if (!n) return t.see > 0 ? say(w.mend.off, t.see) : say(w.mend.none, 0);
    if (t.see > n) return say(w.mend.many, t.see - n);
    if (t.see === n) return say(n === 1 ? w.mend.one : w.mend.pile, 0);
    return t.see > 0 || high ? say(w.mend.add, n - t.see) : say(n > 1 ? w.mend.putPile : w.mend.put, 0);
  },
  reason: (r) => w.reason[r] || r.replaceAll("-", " "),
  now: w.back,
  past: (n) => f(!n ? w.past.start : n % 2 ? w.past.white : w.past.black, { n: Math.ceil(n / 2) }),
  pile: (square) => f(w.pile.many, { square }),
  alone: (square) => f(w.pile.alone, { square }),
  top: w.pile.top,
  open: w.pile.open,
  square(square, pile, m) {
    const what = pile.length ? list(pile, w.on.then) : w.square.empty;
    return (
      f(w.square.is, { square, what }) +
      (m.last ? ", " + w.square.last : "") +
      (m.light ? ", " + w.means[m.light] : "")
    );
  },
  locked: (p, by) => f(w.locked, { piece: name(p), by: name(by) }),
  hand: { ...w.hand, lifted: (hand, ps) => f(w.hand.lifted, { hand, pieces: ps.map(name).join(", ") }) },
  new: {
    ...w.new,
    levels: [["", w.new.usual], ...Array.from({ length: 8 }, (_, i) => [i + 1, level(i + 1)])],
    most: (n) => f(w.new.most, { n }),
    leaves: (rival) => f(w.new.leaves, { rival }),
    beginGame: (game) => f(w.new.begin, { game }),
    clocks: Object.entries(w.clocks).map(([k, v]) => [k === "none" ? "" : k, v]),
  },
  // The six games with what is special in them as a picture.
  games: Object.fromEntries(
    Object.entries({
      locking: { c4: ["N", "q"], d5: ["k", "B"], f4: ["r"] },
      pillar: { c4: ["p", "P", "n", "B", "Q"], e4: ["k"], f4: ["N", "R"] },
      meirav: { c4: ["p", "N"], e5: ["R", "b"], f4: ["k"] },
      superchess: { c4: ["R", "Q"], d5: ["r", "B"], f4: ["n"] },
      flying: { c4: ["#", "N"], d5: ["p", "B"], f4: ["k"] },
      chess: { c4: ["N"], e5: ["k"], e4: ["P"], f5: ["Q"] },
    }).map(([id, piles]) => [id, { words: w.games[id], piles }]),
  ),
  login: { ...w.login, right: w.login },
  faults: {
    ...w.faults,
    part: (p) => f(w.faults.part, { part: p.called, why: p.detail || w.faults.silent }),
    square: (q) =>
      q.text.includes(q.square) ? q.text : f(w.faults.square, { square: on(q.square, q.deck), why: q.text }),
    others: (why, n) => f(w.faults.others, { why, n }),
    left: (n) => f(w.faults.left, { n }),
  },
  about: (version) => `boardd ${version}`,
  wall: {
    ...w.wall,
    states: w.wall,
    paged: (n, all) => f(w.wall.page, { n, all }),
    simul: (who, n) => f(w.wall.simul, { who, ...n }),
  },
  workshop: {
    ...w.workshop,
    kinds: {
      presence: w.workshop.presence,
      weight: w.workshop.weight,
      weightNoise: w.workshop.weightNoise,
      height: w.workshop.height,
      heightNoise: w.workshop.heightNoise,
    },
    colors: {
      "#ffffff": w.workshop.white,
      "#ff0000": w.workshop.red,
      "#00ff00": w.workshop.green,
      "#0000ff": w.workshop.blue,
    },
    minute: (square) => f(w.workshop.minute, { square }),
    step: (p) =>
      f(p.Parts ? w.workshop.part_ : w.workshop.step, { step: p.Step, steps: p.Steps, part: p.Part, parts: p.Parts }),
  },
  // Why something is not allowed: in English as the board's computer says it, in other languages by its code.
  because: (r) =>
    language === "en" || !w.why[r.code] ? r.text : f(w.why[r.code], (r.args || "").split(";").map(argument)),
  rules: {
    ...w.rules,
    of: (game) => f(w.rules.of, { game }),
    at: (m) => f(w.rules.at, { san: san(m) }),
    not: (from, to, why) => f(w.rules.not, { move: from === to ? from : `${from}–${to}`, why }),
  },
  first: {
    ...w.first,
    kinds: { stack: w.first.stack, twin: w.first.twin, reeds: w.first.reeds, "": w.first.nothing },
    chips: (b) =>
      `${b.name}: ${[b.expanders?.length && f(w.first.expanders, { list: b.expanders.map((a) => "0x" + a.toString(16)).join(" ") }), b.multiplexers?.length && f(w.first.multiplexers, { n: b.multiplexers.length }), b.display && w.first.display].filter(Boolean).join(", ")}`,
    hub: (hub) => f(w.first.hub, { hub }),
    point: (point) => f(w.first.point, { point }),
    ill: (n) => f(w.first.ill, { n }),
    file: (file) => f(w.first.file, { file: apart(file) }),
    labels: {
      board: w.first.labelBoard,
      "game.variant": w.first.labelGame,
      "game.white": w.first.labelWhite,
      "game.black": w.first.labelBlack,
      "mqtt.url": w.first.labelBroker,
    },
  },
  problem: {
    ...w.problem,
    lay: (n, side) => f(w.problem.lay, { n, side: groups.sides[side] }),
    find: (n, side) => f(w.problem.find, { n, side: groups.sides[side] }),
    go: (n) => f(w.problem.go, { n }),
    ends: (why) => f(w.problem.ends, { why }),
    said: (p) => f(first(w.problem.said, p), p),
    wall: (p) => f(first(w.problem.wall, p), { n: p.in, ...p }),
    ...Object.fromEntries(
      ["refuted", "solved", "given", "key", "blunder", "answered"].map((k) => [
        k,
        (m) => f(w.problem[k], { san: san(m) }),
      ]),
    ),
  },
  kept: {
    ...w.kept,
    shown: (n) => f(w.kept.shown, { n }),
    plies: (n) => f(w.kept.moves, { n }),
    progress: (done, of) => f(w.kept.far, { done, of }),
    worth: (worth, depth) => f(w.kept.worth, { worth: apart(worth), depth }),
    trouble: (why) => f(w.kept.trouble, { why }),
    waits: w.kept,
  },
  settings: {
    ...w.settings,
    waiting: (all) => f(w.settings.waiting, { names: all.join(", ") }),
    file: (file) => f(w.settings.file, { file: apart(file) }),
    keys: pairing(w.settings),
  },
};
