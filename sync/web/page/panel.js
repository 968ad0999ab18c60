// SPDX-License-Identifier: Apache-2.0
// What a board says beside its drawing: the players, what to do now, the moves, and the buttons.
import { game } from "./games.js";
import { make, set } from "./dom.js";
import { Clocks } from "./clocks.js";
import { Moves } from "./moves.js";
import { Now } from "./now.js";
import { Tools } from "./tools.js";
import { text } from "./text.js";

export class Panel {
  // acts: { command, look, fresh, mine, offset, resign, mend, said, large, problems }.
  constructor(root, board, acts) {
    this.acts = acts;
    this.clocks = new Clocks(root, board, acts.offset);
    this.live = make("p", "live", root);
    this.live.role = "status";
    this.now = new Now(root, this.acts);
    this.moves = new Moves(root, acts.look);
    this.tools = new Tools(root, board, this.acts);
  }

  // more: { flipped, lights, touched, virtual, wood, opening }.
  show(g, at, more) {
    const before = this.game;
    this.game = g;
    const over = g.outcome !== "";
    if (g.problem) set(this.acts.said, `${variant(g.variant)} · ${text.problem.said(g.problem)}`);
    else
      set(
        this.acts.said,
        `${variant(g.variant)} · ${g.timing ? text.timing(g.timing) : text.noClock}${more.opening ? " · " + more.opening : ""}${over ? ` · ${text.outcome[g.outcome] || g.outcome}: ${text.reason(g.reason)}` : ""}`,
      );
    this.clocks.show(g, over, more.flipped);
    this.now.show(g, at, more);
    this.tools.show(g, over);
    this.moves.show(g, at);
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
}

const variant = (id) => game(id).name;
