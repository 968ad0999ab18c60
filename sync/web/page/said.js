// SPDX-License-Identifier: Apache-2.0
// What the daemon says: in English as it says it, in other languages from a catalogue by its codes. That is fetched
// when the page stands, so that nobody waits for it. What was said before is then said again.
import { language, fill } from "./text.js";

const catalogue = {};
const waiting = [];

// part: "said" and "faults", what every page may have to say, or "calibration".
export async function learn(part) {
  if (language === "en") return;
  try {
    Object.assign(catalogue, await (await fetch(`words/${part}/${language}.json`)).json());
    for (const again of waiting.splice(0)) again();
  } catch {
    // English then
  }
}

// What is said once waits for this.
export const learned = learn("said").then(() => learn("faults"));

// An argument that is words of the catalogue itself, such as "a list", or what a computer says at the end of a text:
// "/var/lib/boardd: no space left on device".
const word = (a) => (/%/.test(a) ? a : catalogue[a] || a.replace(/[^:]+$/, (end) => system(end)));
const system = (end) => end.replace(/\S.*\S/, (text) => catalogue[text] || text);

// How programs call what a person presses is of no use to that person.
const commands =
  /^(((offer|accept|decline|claim)-)?(draw|takeback)|move|resign|answer|flip|pause|resume|adjust|abort|settle): /;

// english: what it says; said: the same as codes with arguments; again: called once if the catalogue comes later.
export function told(english, said, again) {
  if (language === "en" || !english) return english?.replace(commands, "");
  if (!said?.length) return word(english);
  if (again && !waiting.includes(again) && said.some((p) => !catalogue[p.code])) waiting.push(again);
  const parts = said
    .filter((p) => catalogue[p.code])
    .map((p) =>
      fill(catalogue[p.code], p.args?.map(word))
        .replace(/[\s:.]*$/, (end) => (/\s:/.test(end) ? "\u00a0:" : /:/.test(end) ? ":" : "."))
        .replace(/([?!])\.$/, "$1"),
    );
  return parts.length ? parts.join(" ").replace(/\s*:$/, ".") : english;
}
