// SPDX-License-Identifier: Apache-2.0
// The windows that ask before something is done: a new game, who resigns, who plays, and what the clocks show.
import { games } from "./games.js";
import { make, button, link, select, sent } from "./dom.js";
import { placement } from "./notation.js";
import { Deck } from "./deck.js";
import { Live } from "./live.js";
import { text, minutes } from "./text.js";

function dialog(title) {
  document.querySelector("dialog")?.remove(); // its button was pressed twice
  const d = make("dialog", "", document.body);
  make("h2", "", d, title);
  d.onclose = () => d.remove();
  // What is chosen waits until the board's computer is there.
  const away = make("p", "away", d),
    wait = () => {
      if (!d.isConnected) return link.removeEventListener("change", wait);
      away.textContent = link.off ? text.link.off : "";
      for (const b of d.querySelectorAll("[data-do]")) b.disabled = link.off;
    };
  away.role = "status";
  link.addEventListener("change", wait);
  queueMicrotask(wait); // when its buttons are there
  return d;
}

export function resign(sides, command) {
  const t = text.resign,
    one = sides.length < 2,
    d = dialog(one ? text.tools.resign : t.title),
    bar = make("p", "tools", d);
  for (const side of sides)
    button(bar, t[side], () => {
      command({ do: "resign", by: side });
      d.close();
    }).dataset.do = side === sides[0] ? "yes" : "other";
  button(bar, one ? text.new.cancel : t.no, () => d.close());
  d.showModal();
}

const number = (parent, label, value, most) => {
  const l = make("label", "field", parent);
  make("span", "", l, label);
  const i = make("input", "", l);
  Object.assign(i, { type: "number", min: 0, max: most, step: 1, value });
  return i;
};

// Sets both clocks: against another board, when it agrees.
export function adjust(g, command) {
  const t = text.adjust,
    d = dialog(t.title),
    f = make("form", "form", d),
    side = {};
  for (const s of ["white", "black"]) {
    const l = make("label", "field", f);
    make("span", "", l, text.clock[s]);
    side[s] = make("input", "", l);
    Object.assign(side[s], { value: minutes(g.clock[s + "_ms"]), required: true, title: "m:ss" });
    side[s].defaultValue = side[s].value;
    side[s].pattern = "(?=.*[1-9])[0-9]{1,3}(:[0-5][0-9])?";
  }
  // minutes and seconds, or minutes alone; a clock that nobody touches keeps its fractions of a second
  const left = (s) => {
    const [m, sec] = side[s].value.split(":");
    return side[s].value === side[s].defaultValue ? g.clock[s + "_ms"] : 60000 * m + 1000 * (sec || 0);
  };
  const said = make("p", "warn", f),
    bar = make("p", "tools", f),
    go = make("button", "filled", bar, t.go);
  said.role = "alert";
  go.type = "submit";
  go.dataset.do = "yes";
  button(bar, text.new.cancel, () => d.close());
  sent(f, async () => {
    const r = await command({
      do: "adjust",
      to: g.step,
      white_ms: left("white"),
      black_ms: left("black"),
    });
    if (r.ok) d.close();
    else said.textContent = r.error;
  });
  d.showModal();
}

// Which problem comes next: the easiest of a kind, or one by its number.
export function problems(g, command) {
  const t = text.problem,
    d = dialog(t.choose),
    f = make("form", "form", d),
    row = make("div", "choices", f),
    kinds = [
      ["any", t.any],
      ["mate-in-2", t.two],
      ["mate-in-3", t.three],
    ],
    kind = select(row, t.kind, kinds, g.problem?.only ? `mate-in-${g.problem.only}` : "any"),
    one = number(row, t.number, "", g.problem?.of || "");
  one.min = 1;
  const said = make("p", "warn", f),
    bar = make("p", "tools", f),
    go = make("button", "filled", bar, t.set);
  said.role = "alert";
  go.type = "submit";
  go.dataset.do = "yes";
  button(bar, text.new.cancel, () => d.close());
  sent(f, async () => {
    const r = await command({
      do: "new",
      to: g.step,
      variant: g.variant,
      options: { problem: one.value || kind.value },
    });
    if (r.ok) d.close();
    else said.textContent = r.error;
  });
  d.showModal();
}

// Who plays, for the screens and the game file. What the pairings say besides stays.
export function players(g, command) {
  const t = text.players,
    d = dialog(t.title),
    f = make("form", "form", d),
    inputs = {};
  const field = (parent, key, label) => {
    const l = make("label", "field", parent);
    make("span", "", l, label);
    inputs[key] = Object.assign(make("input", "", l), {
      name: key,
      value: g.names?.[key] || "",
      maxLength: 64,
      autocomplete: "off",
      dir: "auto",
    });
  };
  for (const s of ["white", "black"]) {
    const row = make("fieldset", "choices", f);
    make("legend", "", row, text.sides[s]);
    field(row, s, t.name);
    field(row, s + "_title", t.rank);
    field(row, s + "_federation", t.federation);
  }
  const row = make("div", "choices", f);
  field(row, "event", t.event);
  field(row, "round", t.round);
  const said = make("p", "warn", f),
    bar = make("p", "tools", f),
    go = make("button", "filled", bar, t.go);
  said.role = "alert";
  go.type = "submit";
  go.dataset.do = "yes";
  button(bar, text.new.cancel, () => d.close());
  sent(f, async () => {
    const names = { ...g.names };
    for (const key in inputs)
      if (inputs[key].value.trim()) names[key] = inputs[key].value.trim();
      else delete names[key];
    const r = await command({ do: "name", names, to: g.step });
    if (r.ok) d.close();
    else said.textContent = r.error;
  });
  d.showModal();
}

// The usual values of a field as buttons in a row: [words, whether it is chosen, act] each.
function presets(row, label, ways) {
  row.role = "group";
  row.ariaLabel = label;
  const all = ways.map(([words, is, act]) => {
    const b = button(row, words, () => {
      act();
      b.dispatchEvent(new Event("change", { bubbles: true }));
    });
    return () => b.setAttribute("aria-pressed", is());
  });
  return () => all.forEach((draw) => draw());
}

// A card for each game: a picture of what is special in it, and three sentences.
function cards(shelf, variant) {
  for (const id in text.games)
    if (games[id]) {
      const c = button(
          shelf,
          "",
          () => {
            variant.value = id;
            variant.dispatchEvent(new Event("change", { bubbles: true }));
          },
          "gamecard",
        ),
        pic = make("span", "pic", c);
      c.dataset.game = id;
      pic.inert = true;
      const deck = new Deck(pic, "lower", () => "");
      deck.apart = true; // few pieces, which nobody turns; software drawing cuts sheets that stick out of the picture
      deck.layout("seat", false, false);
      deck.roll(60, -40);
      deck.rest();
      deck.show(text.games[id].piles, {}, {});
      make("strong", "", c, games[id].name);
      make("span", "", c, text.games[id].words);
    }
}

// A new game: which one, against whom, by which clock, from which position.
export function fresh(card) {
  const t = text.new,
    g = card.game,
    d = dialog(t.title),
    f = make("form", "form", d);
  const shelf = make("div", "shelf", f);
  const row = make("div", "choices", f);
  const variant = select(
    row,
    t.variant,
    Object.entries(games).map(([id, v]) => [id, v.name]),
    g.variant,
  );
  cards(shelf, variant);
  const taught = make("a", "why", null, ""),
    teach = () => {
      taught.textContent = text.rules.of(variant.selectedOptions[0].textContent);
      taught.href = `rules#${variant.value}`;
    };
  variant.addEventListener("change", teach);
  teach();
  const kind = select(row, t.time, t.clocks, g.timing?.kind || "");
  const clocks = make("div", "presets", row);
  const initial = number(row, t.minutes, g.timing ? g.timing.initial_ms / 60000 : 10, 600);
  const seconds = number(row, t.seconds, g.timing ? (g.timing.increment_ms || 0) / 1000 : 5, 600);
  const usual = presets(clocks, t.time, [
    [t.clocks[0][1], () => !kind.value, () => (kind.value = "")],
    ...[
      [5, 3],
      [15, 10],
      [60, 0],
    ].map(([m, s]) => [
      s ? `${m} + ${s}` : String(m),
      () => kind.value === (s ? "fischer" : "sudden-death") && +initial.value === m && (!s || +seconds.value === s),
      () => {
        kind.value = s ? "fischer" : "sudden-death";
        [initial.value, seconds.value] = [m, s];
      },
    ]),
  ]);
  const rival = [g.seats.white, g.seats.black].find((s) => s !== "local" && s !== card.board) || "";
  const board = rival && rival !== "engine" ? [[rival, rival]] : [];
  const opponent = select(row, t.opponent, [["", t.both], ["engine", t.engine], ...board], rival);
  const me = select(
    row,
    t.me,
    [
      ["white", text.sides.white],
      ["black", text.sides.black],
    ],
    g.seats.black !== rival && rival && [card.board, "local"].includes(g.seats.black) ? "black" : "white",
  );
  const level = select(row, t.level, t.levels, g.options.level || "");
  const secs = [...new Set([1, 3, 10, 30, +g.options.seconds || 3])].sort((a, b) => a - b);
  const think = select(row, t.think, [["", t.usual], ...secs.map((n) => [n, t.most(n)])], g.options.seconds || "");
  const starts = [["", t.array], ...(card.wood ? [["wood", t.wood]] : []), ["fen", t.fen]];
  const start = select(row, t.start, starts);
  const fen = make("input", "wide", f);
  fen.ariaLabel = t.fen;
  fen.value = g.fen || "";
  const laid = make("div", "", f);
  let editor, coming;
  // Few lay a position: what they need comes when they ask for it.
  const lay = () =>
    (coming ||= import("./editor.js").then(
      ({ Editor }) => {
        editor = new Editor(laid, fen, () => variant.value);
      },
      () => {
        coming = null; // the field beside it takes a position as well
      },
    ));
  const turn = make("label", "field", f);
  const black = make("input", "", turn);
  black.type = "checkbox";
  make("span", "", turn, t.black);
  const hide = () => {
    initial.parentElement.hidden = seconds.parentElement.hidden = !kind.value;
    me.parentElement.hidden = !opponent.value;
    level.parentElement.hidden = opponent.value !== "engine";
    think.parentElement.hidden = level.parentElement.hidden || kind.value;
    fen.hidden = laid.hidden = start.value !== "fen";
    if (!fen.hidden) lay();
    editor?.kinds();
    for (const c of shelf.children) c.ariaPressed = c.dataset.game === variant.value;
    go.textContent = t.beginGame(games[variant.value].name);
    turn.hidden = start.value !== "wood";
    said.textContent = board[0] && g.turn && g.moves.length > 1 && opponent.value !== rival ? t.leaves(rival) : "";
    usual();
  };
  f.onchange = () => hide();
  const bar = make("p", "tools", f),
    said = make("span", "warn", bar), // in sight whatever is scrolled
    go = make("button", "filled", bar, t.begin);
  said.role = "alert";
  go.type = "submit";
  go.dataset.do = "yes";
  button(bar, t.cancel, () => d.close());
  bar.append(taught);
  hide();
  sent(f, async () => {
    const engine = opponent.value === "engine",
      mine = engine ? "local" : card.board;
    const seats = opponent.value
      ? { [me.value]: mine, [me.value === "white" ? "black" : "white"]: opponent.value }
      : { white: "local", black: "local" };
    // Other options stay as in the game before. One of another board may have further ones, which a command must not.
    const { takeback, draws, outage } = g.options,
      options = {
        takeback,
        draws,
        outage,
        level: (engine && level.value) || undefined,
        seconds: (engine && !kind.value && think.value) || undefined,
      };
    const now = card.game,
      same = now.game === g.game && now.moves.length === g.moves.length && now.outcome === g.outcome,
      to = same ? now.step : g.step; // a program that was started again counts anew
    const c = { do: "new", variant: variant.value, seats, to, options };
    if (kind.value)
      c.clock = {
        kind: kind.value,
        initial_ms: Math.round(60000 * initial.value),
        increment_ms: Math.round(1000 * seconds.value),
      };
    if (start.value === "fen") c.start = fen.value.trim();
    if (start.value === "wood")
      c.start = `${placement(card.wood, variant.value, card.twin)} ${black.checked ? "b" : "w"} - - 0 1`;
    const r = await card.command(c);
    if (r.ok) d.close();
    else said.textContent = r.error;
  });
  online(d, opponent, card.board);
  d.showModal();
  shelf.querySelector("[aria-pressed=true]")?.focus();
}

// The boards that are online are listened for only while the window is open.
function online(d, opponent, self) {
  const live = new Live("api/wall/events", {
    board: (b) => {
      const known = [...opponent.options].find((o) => o.value === b.board);
      if (b.board === self || known || !b.online) return;
      const o = make("option", "", opponent, b.board);
      o.value = b.board;
    },
  });
  d.addEventListener("close", () => live.close());
}
