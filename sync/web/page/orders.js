// SPDX-License-Identifier: Apache-2.0
// The commands that people give a board on this page, and what is said of them.
import { post } from "./live.js";
import { told } from "./said.js";

const press = 700; // ms in which the same command is a second press of its button

export class Orders {
  constructor(board, notice) {
    this.url = `api/boards/${board}/command`;
    this.notice = notice;
    this.recent = []; // what a second press would repeat
    this.sent = this.told = 0; // the number of the last command, and of the one whose error is said
    this.played = this.at = ""; // how far the game is, and was when the error was said
    this.open = 0; // how much has been asked that is not answered
  }

  // Sends a command. The same one again shortly after, or while its answer is on the way, is a second press: it gets
  // the answer of the first.
  command(c) {
    const key = JSON.stringify(c),
      first = this.recent.find((x) => x.key === key);
    if (first) return first.answer;
    const x = { key, answer: this.send(c) },
      rest = new Promise((done) => setTimeout(done, press));
    this.recent.push(x);
    x.answer.then(async (r) => {
      if (r.ok) await rest;
      this.recent = this.recent.filter((y) => y !== x);
    });
    return x.answer;
  }

  // A late answer says nothing of what was asked after it.
  async send(c) {
    const n = ++this.sent,
      r = await post(this.url, { id: String(Math.random()).slice(2), ...c });
    if (!r.ok) r.error = told(r.error, r.said); // whoever shows it shows the same
    if (n >= this.told) {
      this.told = r.ok ? 0 : n;
      this.at = this.played;
      this.notice.say("own", r.error);
    }
    return r;
  }

  // What is wrong with a command is no longer said when the game has gone on. What was asked and is answered may be
  // asked again, however late the board says that it was asked.
  follow(g) {
    const open = (g.requests?.length || 0) + !!g.ask + !!g.offer;
    if (open < this.open) this.recent = [];
    this.open = open;
    this.played = [g.game, g.moves.length, g.outcome].join();
    if (this.told && this.at !== this.played) this.notice.say("own", (this.told = 0));
  }
}
