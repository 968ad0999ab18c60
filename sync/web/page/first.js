// SPDX-License-Identifier: Apache-2.0
// The first start of a board that has no configuration. It asks who you are and what the board is to be called, shows
// what is connected, and lets the doctor look at it.
import { make, button, sent, set } from "./dom.js";
import { field } from "./field.js";
import { games } from "./games.js";
import { post, get } from "./live.js";
import { networks } from "./network.js";
import { told } from "./said.js";
import { text } from "./text.js";

const t = text.first,
  root = document.getElementById("boards");
root.className = "first";

// kept: what was typed before, by the fields' names; ticked: whether to calibrate, if somebody has said so.
async function begin(kept, ticked) {
  const state = await get("api/first");
  root.replaceChildren();
  if (!state) return closed("./");
  if (!state.granted) return door(state);
  form(state, ticked);
  for (const name in kept) root.querySelector(`[name="${name}"]`).value = kept[name];
  root.onchange();
}

// Only who stands at the board, or reads its log, gets further.
function door(state) {
  const s = make("section", "board", root);
  make("h2", "", s, t.title);
  make("p", "", s, state.display ? t.askDisplay : t.askLog);
  const f = make("form", "tools", s),
    l = make("label", "field", f),
    said = make("p", "warn", s);
  make("span", "", l, t.word);
  const word = make("input", "", l);
  Object.assign(word, { name: "word", autocomplete: "off", autocapitalize: "none", spellcheck: false });
  make("button", "filled", f, t.enter).type = "submit";
  said.role = "alert";
  const through = (r) => (r.error ? set(said, told(r.error, r.said)) : begin());
  sent(f, async () => through(await post("api/first/word", { word: word.value })));
  if (state.touch)
    button(f, t.touch, async () => {
      set(said, t.touching);
      await through(await post("api/first/touch", {}));
    });
  word.focus();
}

function form(state, ticked) {
  const inputs = {},
    faults = {},
    part = (name) => {
      const s = make("section", "board", root);
      make("h2", "", s, name);
      return s;
    };
  const ask = (parent, name) => {
    const label = make("div", "", parent);
    inputs[name] = field(label, state.schema, name, state.values[name], t.labels[name]);
    fault(label, name);
    inputs[name].addEventListener("input", () => set(faults[name], ""));
  };
  const fault = (parent, name) => {
    (faults[name] = make("p", "warn", parent)).role = "alert";
  };

  const found = part(t.found);
  make("p", "state", found, t.kinds[state.found.kind]);
  const list = make("ul", "", found);
  for (const b of state.found.buses || []) make("li", "", list, t.chips(b));
  for (const h of state.found.hubs || []) make("li", "", list, t.hub(h));
  for (const x of state.missing) {
    const li = make("li", "warn", list),
      put = () => set(li, told(x.what, x.said, put));
    put();
  }
  button(found, t.again, async () => {
    await post("api/first/find", {});
    const typed = Object.entries(inputs).filter(([n, i]) => i.value !== String(state.values[n]));
    await begin({ ...Object.fromEntries(typed.map(([n, i]) => [n, i.value])), password: password.value }, ticked);
  });

  const name = part(t.name);
  ask(name, "board");
  const seats = part(t.seats);
  for (const n of ["game.variant", "game.white", "game.black"]) ask(seats, n);
  for (const o of inputs["game.variant"].options) o.textContent = games[o.value].name;

  const net = part(t.network);
  if (state.point) make("p", "", net, t.point(state.point));
  networks(net, "api/first/");
  ask(net, "mqtt.url");

  const secret = part(t.password),
    l = make("label", "setting", secret),
    password = make("input", "", l);
  l.prepend(make("strong", "words", null, t.password));
  Object.assign(password, { type: "password", name: "password", autocomplete: "new-password", minLength: 12 });
  make("small", "help", l, t.passwordHelp);
  fault(secret, "password");
  button(secret, t.see, () => {
    password.type = password.type === "text" ? "password" : "text";
  });

  const how = make("section", "board", root),
    more = make("details", "", how);
  make("summary", "", more, t.advanced);
  for (const n of state.asked) if (!inputs[n]) ask(more, n);

  const end = part(t.doctor),
    report = make("ul", "report", end),
    said = make("p", "state", end),
    calibrate = make("label", "", end),
    check = make("input", "", calibrate);
  const answers = () => ({
    settings: Object.fromEntries(Object.entries(inputs).map(([n, i]) => [n, i.value])),
    password: password.value,
    calibrate: check.checked && !calibrate.hidden,
  });
  const wrong = (list) => {
    for (const n in faults)
      set(
        faults[n],
        list
          .filter((x) => x.setting === n || (x.setting.startsWith(n + ".") && !faults[x.setting]))
          .map((x) => told(x.what, x.said))
          .join("; ")
          .replaceAll(".; ", ". "),
      );
    set(
      said,
      list
        .filter((x) => !faults[x.setting])
        .map((x) => `${x.setting} ${told(x.what, x.said)}`)
        .join("; ")
        .replaceAll(".; ", ". "),
    );
    const first = list.map((x) => faults[x.setting]).find(Boolean);
    if (first) {
      first.closest("details")?.setAttribute("open", "");
      first.scrollIntoView({ block: "center" });
    }
    return list.length > 0;
  };
  check.type = "checkbox";
  check.checked = ticked ?? !!state.found.kind;
  check.onchange = () => (ticked = check.checked);
  calibrate.append(" ", t.calibrate);
  // A virtual board has nothing to calibrate.
  root.onchange = () => (calibrate.hidden = inputs["hardware.virtual"].value === "true");
  make("p", "help", end, t.file(state.file));
  const bar = make("p", "tools", end);
  const doctor = button(bar, t.doctor, async () => {
    const r = await post("api/first/doctor", answers());
    if (wrong(r.faults || [])) return;
    if (r.error) return set(said, told(r.error, r.said));
    doctor.disabled = true;
    set(said, t.trying);
    for (let d; !d?.done; await new Promise((go) => setTimeout(go, 400))) {
      if (!(d = await get("api/first/doctor"))) break;
      report.replaceChildren();
      for (const f of d.findings)
        make("li", f.ok ? "" : "warn", report, `${f.ok ? "✓" : "✗"} ${f.part}: ${f.say}${f.do ? " → " + f.do : ""}`);
      const ill = d.findings.filter((f) => !f.ok).length;
      if (d.done) set(said, ill ? t.ill(ill) : t.well);
    }
    doctor.disabled = false;
  });
  const write = button(
    bar,
    t.write,
    async () => {
      write.disabled = true; // it can be pressed twice, and is done once
      const a = answers(),
        r = await post("api/first/write", a);
      write.disabled = false;
      if (r.ok) return closed(a.calibrate ? "workshop" : "./");
      if (!wrong(r.faults || [])) set(said, told(r.error, r.said));
    },
    "filled",
  );
  const whole = make("details", "", end),
    pre = make("pre", "", (make("summary", "", whole, t.text), whole));
  whole.ontoggle = async () => {
    if (whole.open) {
      const r = await post("api/first/check", answers());
      wrong(r.faults);
      set(pre, r.text);
    }
  };
}

// The page goes where the board is, as soon as it is there.
async function closed(to) {
  root.replaceChildren();
  const s = make("section", "board", root);
  make("h2", "", s, t.title);
  make("p", "state", s, to === "workshop" ? t.doneCalibrate : t.done).role = "status";
  for (;;) {
    await new Promise((go) => setTimeout(go, 500));
    const there = await fetch("api/first").then(
      (r) => r.status === 404,
      () => false,
    );
    if (there) return location.assign(to);
  }
}

begin();
