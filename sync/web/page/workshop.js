// SPDX-License-Identifier: Apache-2.0
// The workshop: what every sensor says, lights to try, buses, traces, and the calibration while it runs.
import { Head, make, button, select, set } from "./dom.js";
import { draw, el } from "./pieces.js";
import { Desk } from "./desk.js";
import { squares, files } from "./notation.js";
import { Live, get, post } from "./live.js";
import { learn, told } from "./said.js";
import { called } from "./ill.js";
import { text } from "./text.js";

const t = text.workshop,
  head = new Head("workshop"),
  root = document.getElementById("boards");
root.className = "workshop";

// What a value of a bank is called, and how it is written.
const shows = {
  presence: ["reeds", (v) => (v ? "●" : "·")],
  weight: ["weights", (v) => (v / 1000).toFixed(1)],
  weightNoise: ["weights", null],
  height: ["heights", (v) => (v / 1000).toFixed(1)],
  heightNoise: ["heights", null],
};

class Shop {
  constructor(board) {
    this.board = board;
    this.root = make("section", "board", root);
    make("h2", "", this.root, board);
    const bar = make("p", "tools", this.root);
    this.kind = select(bar, t.sensor, Object.entries(t.kinds), "presence");
    this.kind.onchange = () => this.draw();
    this.grids = make("div", "grids", this.root);
    this.cells = {};
    this.plot = make("div", "plot", this.root);
    make("p", "help", this.plot, t.pick);
    this.lights();
    this.parts = make("div", "parts", this.root);
    // It scrolls on a phone.
    Object.assign(this.parts, { tabIndex: 0, role: "region", ariaLabel: `${board}: ${t.parts}` });
    this.files = make("div", "", this.root);
    this.live = new Live(`api/boards/${board}/senses`, {
      senses: (s) => {
        this.senses = s;
        this.draw();
      },
    });
    setInterval(() => this.curve(), 1000);
    this.traces();
  }

  grid(deck) {
    if (this.cells[deck]) return this.cells[deck];
    const table = make("table", "sensors", this.grids), // a1 is at the left in every language
      list = (this.cells[deck] = []);
    table.dir = "ltr";
    make("caption", "", table, text.decks[deck]).dir = "auto";
    for (let r = 7; r >= 0; r--) {
      const tr = make("tr", "", table);
      make("th", "", tr, r + 1).scope = "row";
      for (let f = 0; f < 8; f++)
        list[8 * r + f] = button(make("td", "", tr), "", () => this.pick(deck, squares[8 * r + f]));
    }
    const foot = make("tr", "", table);
    make("td", "", foot);
    for (const f of files) make("th", "", foot, f).scope = "col";
    return list;
  }

  draw() {
    const [kind, write] = shows[this.kind.value],
      banks = this.senses.banks.filter((b) => b.kind === kind);
    for (const d of this.senses.banks.map((b) => b.deck)) this.grid(d);
    for (const d in this.cells) {
      const bank = banks.find((b) => b.deck === d),
        sweep = this.faulty?.[d] || {};
      this.cells[d].forEach((c, i) => {
        const v = bank?.values[i],
          none = v === null || v === undefined;
        const words = none ? "?" : write ? write(v) : (bank.noise[i] / 1000).toFixed(2);
        set(c, words);
        const said = kind === "reeds" && !none ? (v ? t.closed : t.opened) : none ? t.unknown : words;
        const fault = sweep[squares[i]];
        c.ariaLabel = `${squares[i]}, ${text.decks[d]}: ${said}${fault ? ", " + fault : ""}`;
        c.title = fault || "";
        c.className = `${none ? "none" : kind === "reeds" && v ? "on" : ""} ${fault ? "fault" : ""} ${this.picked === d + squares[i] ? "picked" : ""}`;
      });
    }
  }

  pick(deck, square) {
    this.picked = deck + square;
    this.at = { deck, square };
    this.draw();
    this.curve();
  }

  async curve() {
    if (!this.at) return;
    const curves = await get(`api/boards/${this.board}/minute?deck=${this.at.deck}&square=${this.at.square}`);
    if (!curves) return;
    this.plot.replaceChildren();
    make("h3", "", this.plot, t.minute(`${this.at.square} ${text.decks[this.at.deck]}`));
    for (const c of curves) this.draws(c);
  }

  draws(c) {
    const vs = c.points.map((p) => p[1]),
      kind = { reeds: t.presence, weights: t.weight, heights: t.height }[c.kind],
      low = Math.min(...vs, 0),
      high = Math.max(...vs, c.kind === "reeds" ? 1 : 5000),
      y = (v) => 90 - (80 * (v - low)) / (high - low || 1);
    const fig = make("figure", "", this.plot),
      svg = el(
        "svg",
        { viewBox: "0 0 600 100", preserveAspectRatio: "none", class: "curve", role: "img", "aria-label": kind },
        fig,
      );
    for (const s of [0, 15, 30, 45, 60]) el("path", { d: `M${600 - s * 10} 0V100`, class: "rule" }, svg);
    el(
      "path",
      {
        d: c.points.map((p, i) => `${i ? "L" : "M"}${(600 - p[0] / 100).toFixed(1)} ${y(p[1]).toFixed(1)}`).join(""),
        class: "line",
      },
      svg,
    );
    const k = c.kind === "reeds" ? 1 : 1000;
    make(
      "figcaption",
      "",
      fig,
      `${kind}: ${vs.length ? `${(Math.min(...vs) / k).toFixed(1)} … ${(Math.max(...vs) / k).toFixed(1)}` : t.unknown}`,
    );
  }

  lights() {
    const bar = make("p", "tools", this.root);
    make("strong", "", bar, t.lights);
    const color = select(bar, "", Object.entries(t.colors), "#ffffff");
    color.ariaLabel = t.lights;
    const said = make("span", "warn", null),
      send = async (b) => {
        const r = await post(`api/boards/${this.board}/lights`, { color: color.value, ...b });
        set(said, told(r.error, r.said) || "");
      };
    button(bar, t.all, () => send({ what: "all" }));
    button(bar, t.square, () => this.at && send({ what: "one", ...this.at }));
    button(bar, t.run, async () => {
      for (const d in this.cells)
        for (const square of squares) {
          await send({ what: "one", deck: d, square });
          await new Promise((r) => setTimeout(r, 150));
        }
      send({ what: "none" });
    });
    button(bar, t.dark, () => send({ what: "none" }));
    bar.append(said);
  }

  health(h) {
    if (h.uptime_s < 3) return; // the sensors have not been asked yet
    this.faulty = {};
    this.seen = h;
    const again = () => this.health(this.seen); // once the catalogue has come
    for (const f of h.faults) (this.faulty[f.deck] ||= {})[f.square] = told(f.text, f.said, again);
    this.parts.replaceChildren();
    make(
      "p",
      "help",
      this.parts, // not in the table, which may be wider than a phone
      `${t.parts} · ${t.uptime} ${Math.floor(h.uptime_s / 60)} min${h.temperature_c === undefined ? "" : ` · ${t.temperature} ${h.temperature_c.toFixed(0)} °C`} · \u2068${h.version}\u2069`,
    );
    const table = make("table", "partlist", this.parts),
      top = make("tr", "", table);
    for (const k of [t.part, t.ok, t.errors, t.sweep, t.worst, t.detail]) make("th", "", top, k).scope = "col";
    for (const p of h.parts) {
      const tr = make("tr", p.ok ? "" : "warn", table);
      for (const v of [
        called(p, again),
        p.ok ? t.ok : t.no,
        p.errors,
        p.sweep_us ? (p.sweep_us / 1000).toFixed(1) : "",
        p.worst_us ? (p.worst_us / 1000).toFixed(1) : "",
        told(p.detail, p.said, again) || "",
      ])
        make("td", "", tr, v);
    }
    for (const f of h.faults)
      make("p", "warn", this.parts, text.faults.square({ ...f, text: told(f.text, f.said, again) }));
  }

  async traces() {
    const list = await get(`api/boards/${this.board}/traces`);
    if (!list) return;
    const d = make("details", "", this.files);
    make("summary", "", d, `${t.traces}: ${t.trace} (${list.length})`);
    const ul = make("ul", "", d);
    for (const f of list) {
      const a = make("a", "", make("li", "", ul), `${f.name}, ${Math.ceil(f.bytes / 1000)} ${t.kB}`);
      a.href = `api/boards/${this.board}/traces/${f.name}`;
      a.setAttribute("download", "");
    }
  }
}

// The calibration asks one thing after the other; what is done at the board shows here at once.
class Calibration {
  constructor(virtual) {
    learn("calibration");
    this.root = make("section", "board calibration", root);
    make("h2", "", this.root, t.calibrate);
    this.step = make("p", "state", this.root);
    this.seen = make("p", "tip", this.root);
    this.seen.role = "status";
    this.todo = make("p", "said", this.root);
    this.board = el("svg", { viewBox: "-2 -2 404 404", class: "mini", role: "img" }, this.root);
    el("rect", { width: 400, height: 400, class: "minilight" }, this.board);
    el(
      "path",
      {
        d: squares
          .map((_, i) => ((i + (i >> 3)) % 2 ? "" : `M${50 * (i % 8)} ${350 - 50 * (i >> 3)}h50v50h-50z`))
          .join(""),
        class: "minidark",
      },
      this.board,
    );
    this.target = el("rect", { width: 50, height: 50, class: "target" }, this.board);
    this.board.addEventListener("click", (e) => {
      // where a square is asked for, pointing at it is quicker than its name
      const r = this.board.getBoundingClientRect(),
        at = (v) => Math.min(7, Math.max(0, Math.floor(8 * v)));
      if (this.points) this.answer(files[at((e.clientX - r.x) / r.width)] + (8 - at((e.clientY - r.y) / r.height)));
    });
    const f = make("form", "tools", this.root),
      l = make("label", "field", f);
    make("span", "", l, t.answer);
    this.word = make("input", "", l);
    make("button", "", f, t.enter).type = "submit";
    this.words = make("span", "tools", f);
    this.wrong = make("p", "warn", this.root);
    this.wrong.role = "alert";
    f.onsubmit = (e) => {
      e.preventDefault();
      this.answer(this.word.value); // which may be the next one, while the last is on its way
    };
    if (virtual) {
      draw();
      new Desk(virtual, this.root);
    } // a real board's wood is moved by real hands
    new Live("api/calibration/events", { prompt: (p) => this.show(p) }, (up) => head.connected(up));
  }

  show(p) {
    set(this.step, t.step(p));
    if (this.number !== p.Number) {
      set(this.wrong, "");
      this.word.value = "";
    }
    this.number = p.Number;
    this.points = (p.Answers || []).includes("a1 ... h8");
    set(
      this.seen,
      told(p.Seen, p.SeenSaid, () => this.show(p)),
    );
    set(
      this.todo,
      told(p.Do, p.Said, () => this.show(p)),
    );
    this.board.ariaLabel = p.Square;
    const i = squares.indexOf(p.Square.slice(0, 2));
    this.target.setAttribute("visibility", i < 0 ? "hidden" : "visible");
    if (i >= 0) {
      this.target.setAttribute("x", 50 * (i % 8));
      this.target.setAttribute("y", 350 - 50 * (i >> 3));
    }
    this.words.replaceChildren();
    for (const a of [...(p.Answers || []).filter((w) => /^[a-z]+$/.test(w)), "back"])
      button(this.words, a, () => this.answer(a));
  }

  async answer(word) {
    const to = this.number;
    if (this.answered === to) return; // a second press
    this.answered = to;
    const r = await post("api/calibration", { word, to });
    if (to !== this.number) return;
    if (!r.ok) this.answered = 0; // it may be answered otherwise
    set(this.wrong, r.ok ? "" : told(r.error, r.said));
    this.word.value = "";
  }
}

const ids = await get("api/boards"),
  mine = await get("api/login");
if (mine?.right !== "workshop") make("p", "warn", root, t.need);
else if (mine.calibration) new Calibration(ids[0]);
else {
  const shops = {},
    on = {};
  for (const id of ids) on[`${id}/health`] = (h) => shops[id].health(h);
  make("p", "help", root, t.calibrating);
  for (const id of ids) shops[id] = new Shop(id);
  new Live("api/events", on, (up) => head.connected(up));
}
