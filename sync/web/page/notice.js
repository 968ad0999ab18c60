// SPDX-License-Identifier: Apache-2.0
// What is said for a while below the line that says what to do. Several voices speak there: "asks", what is asked and
// not answered; "people", what else others at the game say; "own", the answer to a command from this page; "hand", why
// what a hand holds cannot be done. A voice replaces and erases only its own words. The newest words are seen; after
// them those before, if they still hold.
import { make, set } from "./dom.js";
import { text } from "./text.js";

export class Notice {
  constructor(at) {
    this.at = at;
    this.said = new Map(); // by voice, oldest first
  }

  // ms: for how long, 0: until the voice says something else; rule: where the rules teach it.
  say(voice, words, ms, rule) {
    clearTimeout(this.said.get(voice)?.timer);
    this.said.delete(voice);
    if (words) this.said.set(voice, { words, rule, timer: ms && setTimeout(() => this.say(voice), ms) });
    const last = [...this.said.values()].pop();
    set(this.at, last?.words || "");
    if (last?.rule) make("a", "why", this.at, text.rules.why).href = `rules#${last.rule}`;
  }
}
