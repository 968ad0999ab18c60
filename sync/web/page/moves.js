// SPDX-License-Identifier: Apache-2.0
// The moves of a game, to leaf through. Before the first one: what the game is, and where its rules are taught.
import { make, button, centre, set, stroke } from "./dom.js";
import { games } from "./games.js";
import { text } from "./text.js";

export class Moves {
  constructor(root, look) {
    this.look = look; // shows the position after some moves, null: the newest
    const box = make("div", "movebox", root);
    this.back = make("p", "past", box);
    this.pastText = make("span", "", this.back);
    button(this.back, text.now, () => this.look(null));
    this.back.hidden = true;
    this.intro = make("p", "intro", box);
    this.list = make("ol", "moves", box);
    this.list.ariaLabel = text.moves;
    this.list.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[e.key];
      if (!step) return;
      e.preventDefault();
      this.leaf(step);
      this.list.querySelector(`[data-ply="${this.at ?? this.game.san.length}"]`)?.focus();
    });
    new ResizeObserver(() => this.at ?? this.list.scrollTo(1e6, 1e6)).observe(this.list);
    const bar = make("p", "leaf", box);
    for (const [icon, step] of [
      ["first", -1e6],
      ["prev", -1],
      ["next", 1],
      ["last", 1e6],
    ]) {
      const b = button(bar, "", () => this.leaf(step));
      b.ariaLabel = text.leaf[icon];
      stroke(b, icon);
    }
  }

  leaf(step) {
    this.look(Math.max(0, Math.min(this.game.san.length, (this.at ?? this.game.san.length) + step)));
  }

  show(g, at) {
    this.game = g;
    const key = [g.game, ...g.san, ""].join();
    if (this.listKey !== key) {
      // Not only moves more: some were taken back, or corrected.
      if (!key.startsWith(this.listKey)) {
        this.list.replaceChildren();
        this.listed = 0;
      }
      this.listKey = key;
      this.append(g);
      this.list.scrollTo(1e6, 1e6);
    }
    const n = at ?? g.san.length;
    this.introduce(g);
    this.at = at;
    this.back.hidden = at == null;
    if (at != null) set(this.pastText, text.past(at, g.san.length) + " ");
    if (this.here === n + key) return;
    this.here = n + key;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const ply = this.list.querySelector(`[data-ply="${n}"]`);
    ply?.setAttribute("aria-current", "true");
    if (ply && at != null) centre(this.list, ply);
    else this.list.scrollTo(n && 1e6, n && 1e6);
  }

  introduce(g) {
    const words = text.games[g.variant]?.words;
    this.intro.hidden = g.san.length > 0 || !words;
    if (this.intro.hidden || this.of === g.variant) return;
    this.of = g.variant;
    set(this.intro, words);
    make("a", "why", this.intro, text.rules.of(games[g.variant].name)).href = `rules#${g.variant}`;
  }

  append(g) {
    const black = g.start.split(" ")[1] === "b" ? 1 : 0;
    for (let i = this.listed || 0; i < g.san.length; i++) {
      let li = this.list.lastElementChild;
      if (!li || (i + black) % 2 === 0)
        ((li = make("li", "", this.list)), (li.dataset.n = (+g.start.split(" ")[5] || 1) + ((i + black) >> 1)));
      if (i === 0 && black) make("span", "", li, "… ");
      const b = button(li, text.san(g.san[i]), () => this.look(i + 1 === this.game.san.length ? null : i + 1), "ply");
      b.dataset.ply = i + 1;
    }
    this.listed = g.san.length;
  }
}
