// SPDX-License-Identifier: Apache-2.0
// The stream of what is new. It reconnects by itself after an error or a silence. A page of another version than the
// program's loads itself anew.
import { learned } from "./said.js";
import { text } from "./text.js";

const silence = 40000; // ms; the board's computer says something every 15 s

export class Live {
  // on: { event name: handler(data) }
  constructor(url, on, status) {
    this.url = url;
    this.on = on;
    this.status = status;
    this.offset = 0; // ms by which the board's clock is ahead of this one
    this.open();
    // A page kept for the back button would keep its connections too.
    addEventListener("pagehide", () => this.source.close());
    addEventListener("pageshow", (e) => {
      if (e.persisted && !this.closed) this.open();
    });
    this.watch = setInterval(() => {
      if (Date.now() - this.heard > silence) this.again();
    }, 5000);
  }

  open() {
    this.heard = Date.now();
    const s = (this.source = new EventSource(this.url));
    s.onopen = () => this.status?.(true);
    s.onerror = () => {
      this.status?.(false);
      if (s.readyState === EventSource.CLOSED) this.again();
    };
    s.addEventListener("alive", () => {
      this.heard = Date.now();
    });
    s.addEventListener("hello", (e) => this.hello(JSON.parse(e.data)));
    for (const name in this.on)
      s.addEventListener(name, (e) => {
        this.heard = Date.now();
        this.on[name](JSON.parse(e.data));
      });
  }

  hello(h) {
    this.heard = Date.now();
    this.offset = h.now_ms - Date.now();
    if (this.version && this.version !== h.version) location.reload();
    this.version = h.version;
    this.onhello?.(h);
  }

  again() {
    this.source.close();
    this.heard = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), 1500 + 1000 * Math.random()); // not all browsers at the same moment
  }

  close() {
    this.closed = true;
    clearInterval(this.watch);
    clearTimeout(this.timer);
    this.source.close();
  }
}

// Sends something that changes the board. The answer is { ok, error, status }; it never throws.
export async function post(url, body) {
  try {
    const r = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Boardd": "1" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    await learned;
    return { ok: r.ok, ...(await r.json()), status: r.status };
  } catch {
    return { ok: false, error: text.failed, status: 0 };
  }
}

export async function get(url, seen) {
  try {
    const r = await fetch(url);
    seen?.(r.headers);
    return r.ok ? await r.json() : null;
  } catch {
    return null;
  }
}
