// SPDX-License-Identifier: Apache-2.0
// Small helpers for building pages.
import { text } from "./text.js";
import { post, get } from "./live.js";

export function make(tag, cls, parent, words) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (words !== undefined) e.textContent = words;
  parent?.append(e);
  return e;
}

export function button(parent, words, act, cls) {
  const b = make("button", cls, parent, words);
  b.type = "button";
  b.onclick = act;
  return b;
}

export function select(parent, label, options, chosen) {
  const l = make("label", "field", parent);
  make("span", "", l, label);
  const s = make("select", "", l);
  for (const [value, words] of options) { const o = make("option", "", s, words); o.value = value; }
  if (chosen !== undefined) s.value = chosen;
  return s;
}

export function set(e, words) { if (e.textContent !== words) e.textContent = words; }

// What the browser remembers; a browser that forgets everything works as well.
export const memory = {
  get(k) { try { return localStorage.getItem("boardd." + k); } catch { return null; } },
  set(k, v) { try { localStorage.setItem("boardd." + k, v); } catch { /* private browsing */ } },
};

// The head of every page: links to the others, connection, light or dark, and who is logged in.
export class Head {
  constructor(here) {
    const head = document.querySelector("header");
    const nav = make("nav", "", head);
    for (const [page, href] of [["board", "."], ["wall", "wall"], ["workshop", "workshop"]]) {
      const a = make("a", page === here ? "here" : "", nav, text.pages[page]);
      a.href = href;
      if (page === here) a.setAttribute("aria-current", "page");
    }
    this.link = make("p", "link", head, "…");
    this.link.setAttribute("role", "status");
    this.tools = make("div", "headtools", head);
    this.theme();
    this.login();
    this.version = make("small", "version", document.querySelector("footer"));
  }

  connected(on) {
    set(this.link, on ? text.link.on : text.link.off);
    this.link.className = on ? "link on" : "link off";
  }

  theme() {
    const s = select(this.tools, text.view.theme, Object.entries(text.view.themes), memory.get("theme") || "auto");
    const put = () => { document.documentElement.dataset.theme = s.value; memory.set("theme", s.value); };
    s.onchange = put;
    put();
  }

  login() {
    const d = make("details", "login", this.tools);
    this.who = make("summary", "", d);
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
    said.setAttribute("role", "alert");
    f.onsubmit = (e) => { e.preventDefault(); this.send(i.value.trim(), said); };
    this.details = d;
    get("api/login").then((r) => r && this.right(r.right, r.version));
  }

  async send(token, said) {
    const r = await post("api/login", token);
    if (r.error) set(said, r.error);
    else location.reload();
  }

  right(right, version) {
    document.body.dataset.right = right;
    set(this.who, text.login.right[right] || right);
    if (right === "nothing") this.details.open = true;
    set(this.version, text.about(version));
  }
}
