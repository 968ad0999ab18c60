// SPDX-License-Identifier: Apache-2.0
// The commands that people give a board on this page, and what is said of them.
import { post } from "./live.js";
import { told } from "./said.js";

// ms in which a second press is part of the first. The browser's own count is of mice alone, so that touches need one:
// Windows' default for a double click (devblogs.microsoft.com/oldnewthing/20080423-00), the longest usual one.
export const doubled = 500;

// A double click, two quick touches of one place and a held key press once: another button may stand there by now.
// What gives no command may be pressed quickly: to leaf.
let was = {};
const stop = (e) => {
  const b = e.target.closest?.("button, a, summary");
  if (!b) return;
  const r = was.box, // of the button that was pressed
    near = r && e.x >= r.x && e.x <= r.right && e.y >= r.y && e.y <= r.bottom,
    touched = near && e.pointerType === "touch" && e.timeStamp - was.at < doubled;
  if (
    (touched || e.detail > 1 || (e.repeat && e.key === "Enter")) &&
    (b !== was.b || b.dataset.do || b.localName === "summary")
  ) {
    e.preventDefault();
    e.stopPropagation();
  } else was = { b, at: e.timeStamp, box: b.getBoundingClientRect() };
};
addEventListener("click", stop, true);
addEventListener("keydown", stop, true);

export class Orders {
  constructor(board, notice) {
    this.url = `api/boards/${board}/command`;
    this.notice = notice;
    this.recent = []; // what a second press would repeat
    this.sent = this.told = 0; // the number of the last command, and of the one whose error is said
    this.played = this.at = ""; // how far the game is, and was when the error was said
    this.open = 0; // how much has been asked that is not answered
  }

  // Sends a command with the step at which it was given. Again at that step, or before the answer, it is a second
  // press and gets the answer of the first.
  command(c) {
    const to = c.to ?? this.step,
      key = JSON.stringify(c),
      first = this.recent.find((x) => x.key === key && (!x.over || x.to === to));
    if (first) return first.answer;
    const x = { key, to, answer: this.send({ ...c, to }) };
    this.recent.push(x);
    x.answer.then((r) => {
      if (r.ok) x.over = true;
      else this.recent = this.recent.filter((y) => y !== x);
    });
    return x.answer;
  }

  // A late answer says nothing of later commands.
  async send(c) {
    const n = ++this.sent,
      r = await post(this.url, { id: String(Math.random()).slice(2), ...c });
    if (!r.ok) r.error = told(r.error, r.said);
    if (n >= this.told) {
      this.told = r.ok ? 0 : n;
      this.at = this.played;
      this.notice.say("own", r.error);
    }
    return r;
  }

  // An error is said until the game goes on. What was asked and is answered may be asked again.
  follow(g) {
    const open = (g.requests?.length || 0) + !!g.ask + !!g.offer;
    if (open < this.open) this.recent = [];
    else this.recent = this.recent.filter((x) => !x.over || x.to === g.step);
    [this.open, this.step] = [open, g.step];
    const before = this.played;
    this.played = [g.game, g.moves.length, g.outcome].join();
    if (g.outcome && before && before !== this.played) this.notice.say("people");
    if (this.told && this.at !== this.played) this.notice.say("own", (this.told = 0));
  }
}
