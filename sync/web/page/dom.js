// SPDX-License-Identifier: Apache-2.0
// Small helpers for building pages.
import { text } from "./text.js";
import { post, get } from "./live.js";
import { told } from "./said.js";

export function make(tag, cls, parent, words) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (words !== undefined) e.textContent = words;
  parent?.append(e);
  return e;
}

// What takes a while is done once, however often its button is pressed meanwhile.
function single(act) {
  let busy;
  return (e) => {
    busy ||= act(e)?.finally?.(() => {
      busy = 0;
    });
  };
}

export function button(parent, words, act, cls) {
  const b = make("button", cls, parent, words);
  b.type = "button";
  b.onclick = single(act);
  return b;
}

// A menu closes by Escape, and when something beside it is pressed, or something in it that needs no more of it.
export function closing(menu, over = "none") {
  document.addEventListener("click", (e) => {
    if (!menu.contains(e.target) || e.target.closest(over)) menu.open = false;
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !menu.open) return;
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  });
}

// Does something when a form is sent.
export function sent(form, act) {
  const go = single(act);
  form.onsubmit = (e) => {
    e.preventDefault();
    go();
  };
}

// The windows that ask come after the page. Without a connection there is nothing to ask, and the page says so.
let windows;
export const ask = (then) =>
  windows
    ? then(windows)
    : import("./newgame.js").then(
        (m) => then((windows = m)),
        () => {},
      );

export function select(parent, label, options, chosen) {
  const l = make("label", "field", parent);
  make("span", "", l, label);
  const s = make("select", "", l);
  for (const [value, words] of options) {
    const o = make("option", "", s, words);
    o.value = value;
  }
  if (chosen !== undefined) s.value = chosen;
  return s;
}

export function set(e, words) {
  if (e.textContent !== words) e.textContent = words;
}

// What the browser remembers; a browser that forgets everything works as well.
export const memory = {
  get(k) {
    try {
      return localStorage.getItem("boardd." + k);
    } catch {
      return null;
    }
  },
  set(k, v) {
    try {
      localStorage.setItem("boardd." + k, v);
    } catch {
      /* private browsing */
    }
  },
};

// An icon of the page's own: a line drawing in a box of 24.
const strokes = {
  menu: "M4 7h16M4 12h16M4 17h16",
  plus: "M12 5v14M5 12h14",
  back: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  draw: "M5 9h14M5 15h14",
  resign: "M5 21V4h13l-3 4 3 4H5",
  first: "M6 5v14M18 6l-7 6 7 6",
  prev: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M18 5v14M6 6l7 6-7 6",
  large: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  more: "M5 11.500v1M4.500 12h1M12 11.500v1M11.500 12h1M19 11.500v1M18.500 12h1",
};

export function stroke(parent, name) {
  const s = document.createElementNS("http://www.w3.org/2000/svg", "svg"),
    p = document.createElementNS("http://www.w3.org/2000/svg", "path");
  s.setAttribute("viewBox", "0 0 24 24");
  s.setAttribute("class", "stroke");
  s.ariaHidden = "true";
  p.setAttribute("d", strokes[name]);
  s.append(p);
  parent.prepend(s);
  return s;
}

// Whether the board's computer is away, for what waits until it is back.
export const link = new EventTarget();

// The head of every page: links to the others, connection, and one menu for what is touched once.
export class Head {
  constructor(here) {
    const head = document.querySelector("header");
    this.pages(head, here);
    this.link = make("p", "link", head, "…");
    this.link.role = "status";
    this.tools = make("div", "headtools", head);
    this.menu();
    this.pages(this.more, here); // a phone has no room for them beside
    this.theme();
    this.tongue();
    if (here === "board") this.sound();
    this.login();
    this.settings = make("a", "needs-workshop", this.more, text.settings.link);
    this.settings.href = "settings";
    this.version = make("small", "version", this.more);
  }

  pages(parent, here) {
    const nav = make("nav", "", parent);
    nav.ariaLabel = text.pages.label;
    for (const [page, href] of [
      ["board", "."],
      ["wall", "wall"],
      ["games", "games"],
      ["rules", "rules"],
      ["workshop", "workshop"],
      ...(here === "settings" ? [["settings", "settings"]] : []),
    ]) {
      const a = make("a", page === here ? "here" : "", nav, text.pages[page]);
      a.href = href;
      if (page === here) a.setAttribute("aria-current", "page");
    }
  }

  connected(on) {
    set(this.link, on ? text.link.on : text.link.off);
    this.link.className = on ? "link on" : "link off";
    link.off = !on;
    link.dispatchEvent(new Event("change"));
  }

  menu() {
    const d = (this.details = make("details", "menu", this.tools)),
      s = make("summary", "", d);
    stroke(s, "menu");
    this.who = make("span", "who", s);
    s.ariaLabel = text.menu;
    this.more = make("div", "pane", d);
    closing(d);
  }

  theme() {
    const s = select(this.more, text.view.theme, Object.entries(text.view.themes), memory.get("theme") || "auto");
    const put = () => {
      document.documentElement.dataset.theme = s.value;
      memory.set("theme", s.value);
    };
    s.onchange = put;
    put();
  }

  sound() {
    const s = select(
      this.more,
      text.view.sound,
      [
        ["on", text.view.soundOn],
        ["spoken", text.view.soundSpoken],
        ["off", text.view.soundOff],
      ],
      memory.get("sound") || "on",
    );
    s.onchange = () => memory.set("sound", s.value);
  }

  // The language, and whose letters stand for the pieces: both are words, so the page is drawn anew.
  tongue() {
    const again = (k, v) => {
      memory.set(k, v);
      location.reload();
    };
    const s = select(
      this.more,
      text.view.language,
      [["", text.view.themes.auto], ...text.languages.map((l) => [l.code, text.view.of(l)])],
      memory.get("language") || "",
    );
    s.onchange = () => again("language", s.value);
    if (text.letters.join("") === "KQRBNP") return;
    const n = select(
      this.more,
      text.view.notation,
      [
        ["", text.view.english],
        ["own", text.view.own],
      ],
      memory.get("notation") || "",
    );
    n.onchange = () => again("notation", n.value);
  }

  login() {
    const d = make("div", "login", this.more);
    this.right_ = make("p", "", d);
    const f = make("form", "", d);
    const user = make("input", "", f); // password managers want one
    Object.assign(user, { hidden: true, autocomplete: "username", value: "boardd" });
    const l = make("label", "field", f);
    make("span", "", l, text.login.token);
    const i = make("input", "", l);
    i.type = "password";
    i.autocomplete = "current-password";
    const go = make("button", "", f, text.login.go);
    go.type = "submit";
    button(f, text.login.out, () => this.send("", said));
    const said = make("p", "warn", f);
    said.role = "alert";
    sent(f, () => this.send(i.value.trim(), said));
    get("api/login").then((r) => r && this.right(r.right, r.version));
  }

  async send(token, said) {
    const r = await post("api/login", token);
    if (r.error) set(said, told(r.error, r.said));
    else location.reload();
  }

  right(right, version) {
    document.body.dataset.right = right;
    set(this.right_, text.login.right[right] || right);
    if (right === "nothing" || right === "spectator") set(this.who, text.login.right[right]);
    if (right === "nothing") this.details.open = true;
    set(this.version, text.about(version));
  }
}

// Scrolls a box, and nothing around it, until a part of it stands in its middle.
export function centre(box, part) {
  const b = box.getBoundingClientRect(),
    p = part.getBoundingClientRect();
  box.scrollTop += p.top + p.height / 2 - b.top - b.height / 2;
  box.scrollLeft += p.left + p.width / 2 - b.left - b.width / 2;
}
