// SPDX-License-Identifier: Apache-2.0
// What the daemon says: in English as it says it, in other languages from a catalogue by its codes. That is fetched
// when the page stands, so that nobody waits for it; what was said before is said anew then.
import { language, fill } from "./text.js";

let catalogue = {};
const waiting = [];

if (language !== "en")
  fetch(`words/said/${language}.json`)
    .then((r) => (r.ok ? r.json() : {}))
    .then(
      (c) => {
        catalogue = c;
        for (const again of waiting.splice(0)) again();
      },
      () => {},
    );

// english: what it says; said: the same as codes with arguments; again: called once if the catalogue comes later.
export function told(english, said, again) {
  if (language === "en" || !said?.length) return english;
  if (!Object.keys(catalogue).length) {
    if (again && !waiting.includes(again)) waiting.push(again);
    return english;
  }
  const parts = said
    .filter((p) => catalogue[p.code])
    .map((p) =>
      fill(catalogue[p.code], p.args)
        .replace(/[\s:.]*$/, (end) => (/\s:/.test(end) ? "\u00a0:" : /:/.test(end) ? ":" : "."))
        .replace(/([?!])\.$/, "$1"),
    );
  return parts.length ? parts.join(" ").replace(/\s*:$/, ".") : english;
}
