// SPDX-License-Identifier: Apache-2.0
// Changes of the configuration that stands: one setting at a time, each explained, each undoable.
import { Head, make, button, sent, set } from "./dom.js";
import { field, described, help } from "./field.js";
import { post } from "./live.js";
import { networks } from "./network.js";
import { learned, told } from "./said.js";
import { text } from "./text.js";

const t = text.settings,
  head = new Head("settings"),
  root = document.getElementById("boards");
root.className = "first";
const top = make("section", "board", root),
  keys = make("section", "board", root),
  net = make("section", "board", root),
  list = make("div", "", root);
keys.hidden = net.hidden = true;
make("h2", "", top, t.title);
const file = make("p", "help", top),
  waiting = make("p", "state", top),
  bar = make("p", "tools", top),
  said = make("p", "", top);
said.role = "status";

async function fetched() {
  const r = await fetch("api/settings").catch(() => null);
  const answer = { status: r?.status || 0, ...(await r?.json().catch(() => ({}))) };
  if (answer.error) await learned;
  return answer;
}

async function show() {
  const s = await fetched();
  head.connected(s.status > 0);
  if (s.status !== 200)
    return set(
      said,
      s.status === 401 || s.status === 403
        ? t.need
        : s.status === 404
          ? t.none
          : told(s.error, s.said) || text.failed,
    );
  set(file, t.file(s.file));
  bar.replaceChildren();
  set(waiting, s.waiting.length ? t.waiting(s.waiting) : "");
  button(bar, t.restart, () => again(false));
  button(bar, t.calibrate, () => again(true));
  for (const [what, done] of [
    ["undo", t.undone],
    ["redo", t.redone],
  ])
    button(bar, t[what], async () => {
      const r = await post("api/settings/" + what, { to: s.text });
      await show();
      set(said, r.error ? told(r.error, r.said) : done);
    }).disabled = !s[what];
  const open = [...list.querySelectorAll("details[open]")].map((d) => d.dataset.section);
  await pairing();
  list.replaceChildren(); // and filled at once, so that the page stays where it was scrolled to
  if (!net.firstChild) networks(net, "api/settings/");
  net.hidden = false;
  const sections = {};
  for (const name of order(s.schema)) {
    const section = name.includes(".") ? name.split(".")[0] : "board";
    const d = (sections[section] ||= box(section, open.includes(section)));
    one(d, s, name);
  }
}

// Whose key is whose, in words that two people can compare.
async function pairing(answer) {
  const k = answer?.others
      ? answer
      : await fetch("api/settings/keys").then(
          (r) => (r.ok ? r.json() : null),
          () => null,
        ),
    w = t.keys;
  keys.hidden = !k;
  if (!k) return;
  keys.replaceChildren();
  make("h2", "", keys, w.title);
  make("p", "", keys, k.words ? w.own(k.board) : w.unsigned);
  if (k.words) make("code", "", keys, k.words).dir = "ltr";
  make("p", "help", keys, w.help);
  for (const o of k.others) {
    const row = make("p", "tools", keys);
    make("strong", "", row, o.board);
    make("code", "", row, o.words).dir = "ltr";
    make("small", "help", row, w[o.how]);
    if (o.how === "met") button(row, w.same, () => pair(o.board, o.words, w.done));
    if (o.how !== "file") button(row, o.how === "met" ? w.forget : w.part, () => pair(o.board, "", w.undone));
  }
  const f = make("form", "pair", keys),
    inputs = ["name", "words"].map((what) => {
      const l = make("label", "", f);
      make("span", "", l, w[what]);
      return Object.assign(make("input", "", l), { name: what, autocomplete: "off", dir: "ltr" });
    });
  make("button", "", f, w.pair).type = "submit";
  sent(f, () => pair(inputs[0].value.trim(), inputs[1].value.trim() || " ", w.done));
}

async function pair(board, words, done) {
  const r = await post("api/settings/keys", { board, words });
  if (!r.error) await pairing(r);
  set(said, told(r.error, r.said) || done(board));
  said.scrollIntoView({ block: "nearest" });
}

// The names in the order of the file.
const order = (schema) =>
  Object.entries(schema.properties).flatMap(([head, p]) =>
    p.properties && ![p.type].flat().includes("array")
      ? Object.keys(p.properties).map((n) => `${head}.${n}`)
      : [head],
  );

function box(name, open) {
  const d = make("details", "board", list);
  d.dataset.section = name;
  d.open = open;
  make("summary", "", d, name);
  return d;
}

function one(parent, s, name) {
  const value = s.values[name],
    f = make("form", "tools", parent),
    types = [described(s.schema, name).type].flat();
  if (types.includes("array") || types.includes("object") || (value !== null && typeof value === "object")) {
    make("strong", "", f, name);
    make("small", "help", f, `${help(s.schema, name)} (${t.many})`);
    return;
  }
  const input = field(f, s.schema, name, value ?? ""),
    save = make("button", "", f, t.save),
    word = make("small", "help", f, s.live.includes(name) ? t.now : t.after);
  word.dataset.word = name;
  save.type = "submit";
  sent(f, async () => {
    const r = await post("api/settings", { name, value: input.value });
    if (r.error) {
      word.className = "warn";
      return set(word, told(r.error, r.said));
    }
    const done = r.now ? t.saved : t.later;
    await show();
    set(said, `${name}: ${done}`);
    const there = list.querySelector(`[data-word="${name}"]`); // where whoever saved it looks
    set(there, done);
    there.previousSibling.focus({ preventScroll: true });
  });
}

async function again(calibrate) {
  const r = await post("api/settings/restart", { calibrate });
  set(said, r.error ? told(r.error, r.said) : t.restarting);
  if (r.error) return;
  await new Promise((go) => setTimeout(go, 1500));
  for (;;) {
    const there = await fetch("api/login").then(
      (r) => r.ok,
      () => false,
    );
    if (there) return calibrate ? location.assign("workshop") : (set(said, ""), show());
    await new Promise((go) => setTimeout(go, 500));
  }
}

show();
