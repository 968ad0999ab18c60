// SPDX-License-Identifier: Apache-2.0
// The games that a board keeps, to leaf through, and what an engine says of their positions.
import { Head, make, button, centre, set, stroke } from "./dom.js";
import { draw, el } from "./pieces.js";
import { game } from "./games.js";
import { Mini } from "./mini.js";
import { piles, parse } from "./notation.js";
import { Live, get, post } from "./live.js";
import { told } from "./said.js";
import { text } from "./text.js";

const t = text.kept,
  head = new Head("games"),
  root = document.getElementById("boards"),
  wish = new URLSearchParams(location.search);
draw();
root.className = "kept";
const list = make("section", "keptlist", root),
  shown = make("section", "keptgame", root);
make("h2", "", list, t.title);

// How good a position is for White, as "+0.35" or "#-2".
const worth = (l) => (l.mate ? `#${l.mate}` : (l.cp < 0 ? "−" : "+") + (Math.abs(l.cp) / 100).toFixed(2));
// The same as a part of the height, 0 to 1: a queen more is nearly all.
const part = (l) => (l.mate ? +(l.mate > 0) : 1 / (1 + Math.exp(-l.cp / 250)));
// And where the game has ended, by its result.
const ends = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };

class Kept {
  constructor(parent) {
    this.title = make("h2", "", parent);
    const two = make("div", "keptboard", parent),
      left = make("div", "", two);
    this.mini = new Mini(left, 23);
    const bar = make("p", "leaf", left);
    for (const [icon, step] of [
      ["first", -1e6],
      ["prev", -1],
      ["next", 1],
      ["last", 1e6],
    ]) {
      const b = button(bar, "", () => this.go(this.at + step));
      b.ariaLabel = icon === "last" ? t.last : text.leaf[icon];
      stroke(b, icon);
    }
    const right = (this.right = make("div", "judge", two));
    this.bar = make("p", "judgebar", right);
    this.start = button(this.bar, t.analyse, () => this.analyse(true), "filled needs-player");
    this.start.dataset.act = "analyse";
    this.stop = button(this.bar, t.stop, () => this.analyse(false), "needs-player");
    this.stop.dataset.act = "stop";
    this.far = make("progress", "", this.bar);
    this.said = make("span", "", this.bar);
    this.said.role = "status";
    this.file = make("a", "pgn", this.bar, text.tools.pgn);
    this.file.setAttribute("download", "");
    this.graph = el(
      "svg",
      { viewBox: "0 0 600 120", preserveAspectRatio: "none", class: "evals", role: "img", "aria-label": t.graph },
      right,
    );
    this.graph.addEventListener("click", (e) => {
      const r = this.graph.getBoundingClientRect();
      if (this.story) this.go(Math.round(((e.clientX - r.x) / r.width) * this.story.moves.length));
    });
    this.value = make("p", "worth", right);
    this.lines = make("ol", "lines", right);
    this.lines.ariaLabel = t.lines;
    this.moves = make("ol", "moves", right);
    this.moves.ariaLabel = text.moves;
    addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[e.key];
      if (step && this.story && !["INPUT", "SELECT"].includes(e.target.tagName)) {
        e.preventDefault();
        this.go(this.at + step);
      }
    });
  }

  async open(board, k, at) {
    [this.board, this.url] = [board, `api/boards/${board}/games/${k}`];
    this.story = null; // until it has come, the buttons mean nothing
    this.start.hidden = this.stop.hidden = true;
    if (!(await this.load())) return;
    this.file.href = this.url + "/pgn";
    this.go(at ?? this.story.moves.length);
  }

  async load() {
    const url = this.url,
      s = await get(url);
    if (url !== this.url) return false; // another one was chosen meanwhile
    if (!s) {
      set(this.said, text.failed);
      return false;
    }
    this.story = s;
    set(this.title, `${who(s)} · ${game(s.variant).name}`);
    this.played();
    this.draw();
    return true;
  }

  played() {
    const s = this.story,
      black = s.fens[0].split(" ")[1] === "b" ? 1 : 0;
    this.moves.replaceChildren();
    s.san.forEach((san, i) => {
      let li = this.moves.lastElementChild;
      if (!li || (i + black) % 2 === 0)
        ((li = make("li", "", this.moves)), (li.dataset.n = (+s.fens[0].split(" ")[5] || 1) + ((i + black) >> 1)));
      if (i === 0 && black) make("span", "", li, "… ");
      button(li, text.san(san), () => this.go(i + 1), "ply").dataset.ply = i + 1;
    });
  }

  go(n) {
    if (!this.story) return;
    this.at = Math.max(0, Math.min(this.story.moves.length, n));
    this.draw();
    const ply = this.moves.querySelector(`[data-ply="${this.at}"]`);
    if (ply) centre(this.moves, ply);
    else this.moves.scrollTo(0, 0);
  }

  draw() {
    const s = this.story,
      n = (this.at = Math.min(this.at ?? 0, s.moves.length)),
      m = n > 0 && parse(s.moves[n - 1], s.variant, false);
    this.mini.show(piles(s.fens[n], s.variant, false).lower, m ? [m.square, m.target] : []);
    this.mini.svg.ariaLabel = text.past(n);
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.moves.querySelector(`[data-ply="${n}"]`)?.setAttribute("aria-current", "true");
    this.judged();
    this.progress();
  }

  judged() {
    const s = this.story,
      j = s.judged || [],
      here = j[this.at],
      best = here?.lines[0],
      x = (i) => (600 * i) / Math.max(1, s.moves.length);
    this.graph.replaceChildren();
    this.graph.toggleAttribute("hidden", j.length < 2);
    this.right.classList.toggle("judged", j.length > 1);
    // Where nothing is known yet the ground is seen.
    const high = j.map((p) => 120 - 120 * (p.lines[0] ? part(p.lines[0]) : (ends[s.outcome] ?? 0.5))),
      far = x(j.length - 1);
    if (high.length > 1) {
      el("rect", { width: far, height: 120, class: "evalblack" }, this.graph);
      const d = high.map((y, i) => `L${x(i).toFixed(1)} ${y.toFixed(1)}`).join("");
      el("path", { d: `M0 120${d}L${far} 120z`, class: "evalwhite" }, this.graph);
    }
    el("path", { d: "M0 60H600", class: "rule" }, this.graph);
    for (const line of ["evalhere wide", "evalhere"])
      el("path", { d: `M${x(this.at)} 0V120`, class: line }, this.graph);
    const over = this.at === s.moves.length && ends[s.outcome] !== undefined;
    set(
      this.value,
      best
        ? t.worth(worth(best), here.depth)
        : over
          ? [text.outcome[s.outcome], text.reason(s.reason || "")].filter(Boolean).join(": ")
          : "",
    );
    this.lines.replaceChildren();
    for (const l of here?.lines || []) {
      const li = make("li", "", this.lines);
      make("b", "", li, worth(l));
      make("span", "", li, numbered(s.fens[this.at], l.san.map(text.san)));
    }
  }

  // How far the engine has come with this game.
  progress() {
    const s = this.story,
      all = s.moves.length + 1,
      done = s.judged?.length || 0,
      a = state[this.board],
      mine = a?.game === s.game;
    this.stop.hidden = !mine;
    this.start.hidden = mine || done >= all;
    this.far.hidden = !mine;
    this.far.max = all;
    this.far.value = mine ? a.done : done;
    this.far.ariaLabel = t.progress(mine ? a.done : done, all);
    set(
      this.said,
      this.failed ||
        (mine
          ? a.waits
            ? t.waits[a.waits] || ""
            : t.progress(a.done, all)
          : a?.trouble && this.asked === s.game
            ? t.trouble(told(a.trouble, a.said, (this.again ||= () => this.progress())))
            : ""),
    );
  }

  async analyse(on) {
    if (!this.story) return;
    this.asked = this.story.game;
    const r = await post(this.url + "/analysis", { on });
    this.failed = r.ok ? "" : told(r.error, r.said);
    this.progress();
  }
}

const who = (k) =>
  [k.white, k.black]
    .map((p, i) => (p && p !== "?" && p !== "local" ? p : text.sides[i ? "black" : "white"]))
    .join(" – ");

// A line of moves with their numbers.
function numbered(fen, san) {
  let black = fen.split(" ")[1] === "b",
    n = +fen.split(" ")[5] || 1,
    out = black ? `${n}… ` : "";
  for (const m of san) {
    out += (black ? "" : `${n}. `) + m + " ";
    if (black) n++;
    black = !black;
  }
  return out.trim();
}

const state = {},
  view = new Kept(shown),
  ids = (await get("api/boards")) || [];
shown.hidden = true;

function choose(board, id, at) {
  shown.hidden = false;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.querySelector(`[data-game="${CSS.escape(id)}"]`)?.setAttribute("aria-current", "true");
  history.replaceState(null, "", `games?board=${board}&game=${id}`);
  view.open(board, id, at);
}

let some = 0;
// The games of one board: a long collection comes in parts, each at a touch of the button below the last one.
async function fill(board, part, query = "") {
  let link;
  const games = await get(`api/boards/${board}/games${query}`, (h) => (link = h.get("Link")));
  if (!games) return false;
  if (ids.length > 1 && games.length && !query) make("h3", "", part, board);
  for (const k of games) {
    some++;
    const b = button(part, "", () => choose(board, k.game), "keptcard");
    b.dataset.game = k.game;
    make("b", "", b, who(k));
    make(
      "span",
      "",
      b,
      [
        game(k.variant).name,
        k.time ? `${k.date} ${k.time}` : k.date,
        text.outcome[k.outcome] || "",
        t.plies(Math.ceil(k.plies / 2)),
      ]
        .filter(Boolean)
        .join(" · "),
    );
    if (k.analysed > k.plies) make("small", "", b, t.done);
  }
  const next = link?.match(/\?after=\d+/)?.[0];
  if (!next) return true;
  const note = make("p", "help", part, t.shown(next.slice(7)));
  const b = button(part, t.more, async () => {
    b.disabled = true;
    if (await fill(board, part, next)) (b.remove(), note.remove());
    else ((b.disabled = false), set(note, text.failed));
  });
  return true;
}
for (const board of ids) await fill(board, make("div", "keptpart", list));
if (!some) {
  root.classList.add("none");
  make("p", "help", list, t.none);
  button(list, text.pages.board, () => location.assign("."), "filled");
}
let loading = false;
const on = {};
for (const board of ids)
  on[`${board}/analysis`] = async (a) => {
    state[board] = a;
    if (!view.story || view.board !== board) return;
    view.progress();
    if (loading || (a.game && a.game !== view.story.game)) return;
    loading = true; // one request at a time, however fast the engine is
    await view.load();
    loading = false;
  };
new Live("api/events", on, (up) => head.connected(up));
if (wish.get("game") && ids.includes(wish.get("board"))) choose(wish.get("board"), wish.get("game"));
