// SPDX-License-Identifier: Apache-2.0
// The rules of all games, by moving diagrams that the rules themselves have worked out.
import { Head, make, button, set, stroke } from "./dom.js";
import { draw, el } from "./pieces.js";
import { games } from "./games.js";
import { Mini } from "./mini.js";
import { files, piles, parse } from "./notation.js";
import { get } from "./live.js";
import { language, text } from "./text.js";

const t = text.rules,
  head = new Head("rules"),
  root = document.getElementById("boards");
root.className = "rules";
draw();
head.connected(true);
const lessons = await (await fetch(`words/lessons/${language}.json`)).json();
const pause = 1800,
  rest = 3200; // ms between two moves, and at the end
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Lesson {
  constructor(parent, l) {
    this.l = l;
    this.root = make("article", "lesson", parent);
    this.root.id = l.key;
    this.mini = new Mini(this.root, 23);
    make("p", "", this.root, lessons[l.key]);
    const row = make("div", "saidrow", this.root),
      b = button(row, "", () => this.step());
    stroke(b, "next");
    this.said = make("p", "help", row);
    b.ariaLabel = `${t.step}: ${lessons[l.key]}`;
    this.n = 0;
    this.show();
    new IntersectionObserver((seen) => {
      this.seen = seen[0].isIntersecting;
      this.plan();
    }).observe(this.root);
  }

  step() {
    this.n = (this.n + 1) % (this.l.frames.length + 1); // once more at the end: what may be done there
    this.show();
    this.plan();
  }

  show() {
    const last = this.l.frames.length - 1,
      f = this.l.frames[Math.min(this.n, last)],
      m = f.move && parse(f.move, this.l.game, false),
      wood = piles(f.fen, this.l.game, false).lower;
    this.mini.show(wood, m ? [m.square, m.target] : []);
    if (m && this.n <= last) this.mini.glide(m.square, m.target, 700);
    const ready = this.n >= last || !f.move;
    this.mini.mark(f.marks || []);
    this.line?.remove();
    const tried = f.try && ready ? f.try : null;
    if (tried) {
      const at = (s) => `${50 * files.indexOf(s[0]) + 25} ${425 - 50 * s[1]}`;
      this.line = el("path", { d: `M${at(tried.from)}L${at(tried.to)}`, class: "tryline" }, this.mini.svg);
      this.mini.mark([...(f.marks || []), { square: tried.to, means: "stuck" }]);
    }
    set(this.said, tried ? t.not(tried.from, tried.to, text.because(tried)) : f.san ? t.at(f.san) : "");
    this.mini.svg.ariaLabel = `${lessons[this.l.key]} ${this.said.textContent}`;
  }

  // Goes on by itself while it is seen, unless people want no motion.
  plan() {
    clearTimeout(this.timer);
    if (this.seen && !still.matches && this.l.frames.length > 1)
      this.timer = setTimeout(() => this.step(), this.n >= this.l.frames.length - 1 ? rest : pause);
  }
}

const all = (await get("api/rules")) || [];
const top = make("section", "", root),
  jump = make(
    "p",
    "jump",
    (make("h2", "", top, t.title), make("p", "", top, t.array), make("p", "help", top, t.see), top),
  );
const shelves = {};
for (const l of all) {
  const game = l.game === "pillar-liberal" ? "pillar" : l.game; // the same game with one rule more
  if (!shelves[game]) {
    const s = make("section", "", root);
    s.id = game;
    make("h2", "", s, games[game].name);
    make("p", "", s, text.games[game].words);
    shelves[game] = make("div", "shelf3", s);
    make("a", "", jump, games[game].name).href = "#" + game;
  }
  new Lesson(shelves[game], l);
}

// rules#locking-3.1 leads to the lesson of that section, rules#locking to the game.
function go() {
  const [, game, section] = /^#([a-z-]+?)(?:-([0-9.]+))?$/.exec(location.hash) || [];
  document.querySelector(".lesson.here")?.classList.remove("here");
  if (!game) return;
  const l =
    section &&
    (all.find((l) => l.game === game && l.sections.includes(section)) ||
      all.find((l) => l.sections.includes(section)));
  const e = document.getElementById(l ? l.key : game === "pillar-liberal" ? "pillar" : game);
  e?.scrollIntoView({ block: l ? "center" : "start" });
  if (l) e.classList.add("here");
}
addEventListener("hashchange", go);
go();
