// SPDX-License-Identifier: Apache-2.0
// The buttons of a board, and those for rarer things in a window of their own. Only what means something now is shown.
import { ask, closing, make, button, stroke } from "./dom.js";
import { forbidden, paused } from "./now.js";
import { text } from "./text.js";

export class Tools {
  constructor(root, board, acts) {
    this.acts = acts;
    this.board = board;
    const t = text.tools,
      bar = make("div", "tools", root);
    this.buttons = {};
    const add = (parent, key, word, act, icon) => {
      const b = (this.buttons[key] = button(parent, t[key], act));
      b.classList.add("needs-player");
      if (icon) ((b.title = t[key]), stroke(b, icon));
      b.dataset.do = word;
      b.hidden = !["new", "flip"].includes(key); // until a game says what means something
      return b;
    };
    const send = (word) => () => acts.command({ do: word });
    add(bar, "takeback", "takeback", send("takeback"), "back");
    add(bar, "draw", "offer-draw", send("offer-draw"), "draw");
    add(bar, "resign", "resign", () => this.acts.resign(), "resign");
    const big = button(bar, t.large, () => this.acts.large(), "largebutton");
    stroke(big, "large");
    const more = make("details", "more", bar),
      pane = make("div", "pane", more),
      head = make("summary", "");
    more.prepend(head);
    head.ariaLabel = head.title = t.more;
    stroke(head, "more");
    closing(more, "[data-do]"); // what was chosen may be answered beneath
    add(pane, "new", "new", () => this.acts.fresh());
    for (const w of "hint claim-draw pause resume abort flip settle".split(" "))
      add(pane, w.split("-")[0], w, send(w));
    this.buttons.settle.classList.add("needs-workshop");
    add(pane, "problems", "new", () => acts.problems()).dataset.act = "problems";
    add(pane, "players", "name", () => ask((w) => w.players(this.game, (c) => this.acts.command(c))));
    add(pane, "adjust", "adjust", () => ask((w) => w.adjust(this.game, (c) => this.acts.command(c))));
    const pgn = make("a", "pgn", pane, t.pgn);
    pgn.href = `api/boards/${board}/pgn`;
    pgn.setAttribute("download", "");
    this.kept = make("a", "", pane, text.kept.link);
    this.handbox = make("div", "handbox needs-player", pane);
  }

  // Only the buttons that mean something now.
  show(g, over) {
    this.game = g;
    const b = this.buttons,
      held = g.wood.held && paused(g),
      put = (k, on) => {
        b[k].hidden = !on;
      },
      { mine } = this.acts,
      here = mine("white") || mine("black"),
      against = ["white", "black"].some((s) => !mine(s) && g.seats[s] !== "engine");
    this.kept.href = `games?board=${this.board}&game=${g.game}`;
    for (const k of ["draw", "resign"]) put(k, !over && here && !g.problem);
    put("problems", here && !g.problem && (over || !g.moves.length));
    const made = g.moves.length > 0 && !forbidden(g);
    put("takeback", here && (made || held) && (!over || !against)); // no board can be asked any more
    // Another board is asked first.
    put("hint", !over && here && !g.problem && !["white", "black"].some((s) => g.seats[s] === "lichess"));
    put("settle", !!g.conflict);
    put("claim", !over);
    put("abort", !over);
    put("players", here && !g.problem);
    put("adjust", !over && !!g.clock);
    put("pause", !over && g.clock && !paused(g));
    put("resume", !over && g.clock && !g.clock.running && !/ing$/.test(g.pause_reason));
  }
}
