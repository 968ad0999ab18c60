// SPDX-License-Identifier: Apache-2.0
import { Head, make, button, select, memory } from "./dom.js";
import { draw, el } from "./pieces.js";
import { Card } from "./card.js";
import { Live, get } from "./live.js";
import { shine } from "./deck.js";
import { text } from "./text.js";

const head = new Head("board");
draw();

function legend() {
  const d = make("details", "legend", document.querySelector("footer"));
  make("summary", "", d, text.lights);
  const list = make("ul", "", d);
  for (const [c, words] of text.legend) {
    const li = make("li", "", list);
    el("circle", { cx: 6, cy: 6, r: 5, fill: shine(c) }, el("svg", { viewBox: "0 0 12 12", "aria-hidden": true }, li));
    li.append(words);
  }
}

function start(all) {
  const only = new URLSearchParams(location.search).get("board");
  const ids = all.filter((id) => !only || only === id), on = {}, cards = {};
  for (const id of ids) for (const [event, name] of [["game", "game"], ["wood", "wood"], ["leds", "leds"], ["health", "health"], ["link", "linked"]])
    on[`${id}/${event}`] = (state) => cards[id].take(name, state);
  const live = new Live("api/events", on, (up) => head.connected(up));
  for (const id of ids) cards[id] = new Card(id, live);
  const view = select(head.tools, text.view.label, [["solid", text.view.solid], ["flat", text.view.flat]], memory.get("view") || "solid");
  view.onchange = () => { memory.set("view", view.value); for (const id of ids) cards[id].draw(); };
  button(head.tools, text.view.turn, () => { for (const id of ids) cards[id].turnView(); });
  document.getElementById("boards").dataset.count = ids.length;
}

legend();
const ids = await get("api/boards");
if (ids) start(ids);
else make("p", "warn", document.getElementById("boards"), text.login.need);
