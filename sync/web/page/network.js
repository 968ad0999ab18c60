// SPDX-License-Identifier: Apache-2.0
// The networks that a board can see, and joining one.
import { make, sent, set } from "./dom.js";
import { post, get } from "./live.js";
import { learned, told } from "./said.js";
import { text } from "./text.js";

const t = text.first;

// networks asks below at, a part of the daemon's addresses.
export function networks(parent, at) {
  const d = make("details", "", parent),
    said = make("p", "warn", parent);
  make("summary", "", d, t.networks);
  said.role = "status";
  d.ontoggle = async () => {
    if (!d.open || d.dataset.there) return;
    d.dataset.there = 1;
    const r = await get(at + "networks");
    await learned;
    if (!r || r.say) return set(said, `${t.none} ${told(r?.say || "", r?.said)}`);
    const f = make("form", "tools", d),
      s = make("select", "", f),
      p = make("input", "", f);
    s.ariaLabel = t.networkName;
    for (const n of r.networks)
      make("option", "", s, `${n.name} (${n.signal} %)${n.joined ? ", " + t.joined : ""}`).value = n.name;
    Object.assign(p, { type: "password", placeholder: t.networkPassword, autocomplete: "off" });
    p.ariaLabel = t.networkPassword;
    make("button", "", f, t.join).type = "submit";
    sent(f, async () => {
      set(said, t.joining);
      const a = await post(at + "network", { name: s.value, password: p.value });
      set(said, a.error ? told(a.error, a.said) : t.joined);
    });
  };
}
