// SPDX-License-Identifier: Apache-2.0
import { Head, make, button, memory, stroke } from "./dom.js";
import { draw } from "./pieces.js";
import { Card, Views } from "./card.js";
import { Live, get, post } from "./live.js";
import { shape } from "./deck.js";
import { text } from "./text.js";
import { awake, hear, offline } from "./install.js";

const head = new Head("board"),
  root = document.getElementById("boards");
draw();
root.className = "play";
const others = make("div", "others", root);

function legend() {
  const d = make("details", "legend", head.more);
  make("summary", "", d, text.lights);
  const list = make("ul", "", d);
  for (const kind in text.means) {
    const li = make("li", "", list);
    shape(make("span", "badge " + kind, li), kind);
    li.append(text.means[kind]);
  }
  const help = make("details", "legend", head.more);
  make("summary", "", help, text.hand.how);
  make("p", "", help, text.hand.help);
}

function start(all) {
  const only = new URLSearchParams(location.search).get("board");
  const ids = all.filter((id) => !only || only === id),
    on = {},
    cards = {};
  for (const id of ids)
    for (const name of ["game", "wood", "leds", "lights", "event", "health", "link"])
      on[`${id}/${name}`] = (state) => {
        cards[id].take(name, state);
        if (name === "game") heard(id, state);
      };
  const live = new Live("api/events", on, (up) => head.connected(up));
  const plies = {}; // by board, of the last message: a move more is heard
  const heard = (id, g) => {
    if (plies[id]?.game === g.game && g.moves.length > plies[id].n) hear(g.san[g.san.length - 1]);
    plies[id] = { game: g.game, n: g.moves.length, runs: !g.outcome && !g.paused && g.moves.length > 0 };
    awake(Object.values(plies).some((p) => p.runs));
  };
  const drawn = () => {
    for (const k of ids) cards[k].draw();
  };
  // a phone has no room for them beside the board
  const seen = make("div", "field seen"),
    views = new Views(seen, () => {
      head.details.open = false;
      drawn();
      views.show();
    });
  seen.prepend(make("span", "", null, text.view.label));
  head.more.firstElementChild.after(seen);
  const large = (id) => {
    memory.set("large", id);
    for (const k of ids) {
      cards[k].root.classList.toggle("main", k === id);
      (k === id ? root : others).append(cards[k].root);
    }
    others.hidden = ids.length < 2;
    drawn();
  };
  for (const id of ids) {
    cards[id] = new Card(id, live);
    cards[id].onview = drawn;
    cards[id].onlarge = () => large(id);
  }
  large(ids.includes(memory.get("large")) ? memory.get("large") : ids[0]);
  const main = () => cards[ids.find((id) => cards[id].root.classList.contains("main"))];
  button(head.more, text.view.turn, () => main().turnView());
  const fresh = button(head.tools, text.tools.new, () => main().panel.acts.fresh(), "filled needs-player");
  const first = setInterval(() => {
    if (main().game) {
      clearInterval(first);
      invite(main, Object.values(cards));
    }
  }, 300);
  stroke(fresh, "plus");
  head.tools.prepend(fresh);
}

// The demo's first card: one sentence of what to do, and who plays, one click each. Later the menu has the same.
async function invite(card, all) {
  const o = await get("api/opponent");
  if (!o?.here || !["player", "workshop"].includes(document.body.dataset.right || "workshop")) return;
  let asked = "";
  const t = text.invite,
    persons = async (who, said) => {
      const asks = JSON.stringify(who);
      if (asked === asks) return; // pressed twice
      asked = asks;
      const { error } = await post("api/opponent", who);
      asked = "";
      if (error || said) card().notice.say("own", error || said, 12000);
      return !error;
    },
    both = [t.both, () => persons({ person: false })],
    person = [t.person, () => persons({ person: true }, t.sits)],
    watch = [t.watch, () => persons({ both: true }, t.plays)],
    // every board that has not begun: one that was left behind would say that its rival plays without it
    two = async () => {
      const begun = all
        .filter((b) => b.game && !b.game.moves.length)
        .map((b) => b.command({ do: "new", variant: b.game.variant, seats: { white: "local", black: "local" } }));
      return !(await Promise.all(begun)).some((r) => r.status === 0); // one board's new game may make the other's late
    };
  const menu = make("details", "legend", head.more);
  make("summary", "", menu, text.first.seats);
  for (const [words, act] of [person, both, watch])
    button(menu, words, () => {
      menu.open = false;
      card().panel.now.invite(null);
      act();
    });
  if (!o.person && !card().game.moves.length) card().panel.now.invite([person, [t.two, two], both, watch]);
}

legend();
const ids = await get("api/boards");
if (ids) start(ids);
else if (await get("api/login")) make("p", "warn", root, text.login.need);
else offline(root);
