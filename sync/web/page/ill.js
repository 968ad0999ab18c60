// SPDX-License-Identifier: Apache-2.0
// What is wrong with a board, in few words.
import { told } from "./said.js";
import { text } from "./text.js";

// What is said, without its full stop: more may follow.
const bare = (s) => s?.replace(/\.$/, "");

// A part's name in the page's language.
export const called = (p, again) => bare(told(p.name, p.named, again));

// How many troubles are told beside the board: the workshop has them all.
const most = 2;

// What is wrong with parts and squares. Squares that have the same trouble are told together: where a cable is off,
// that is a whole board of them.
export function ill(h, again) {
  const f = text.faults,
    lines = h.parts
      .filter((p) => !p.ok)
      .map((p) => f.part({ called: called(p, again), detail: bare(told(p.detail, p.said, again)) })),
    same = new Map();
  for (const q of h.faults) {
    const kind = `${q.deck} ${q.said?.map((s) => s.code).join() || q.text}`;
    if (!same.has(kind)) same.set(kind, []);
    same.get(kind).push(q);
  }
  for (const all of same.values()) {
    const line = f.square({ ...all[0], text: bare(told(all[0].text, all[0].said, again)) });
    lines.push(all.length > 1 ? f.others(line, all.length - 1) : line);
  }
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), f.left(left)] : lines;
}
