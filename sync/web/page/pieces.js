// SPDX-License-Identifier: Apache-2.0
// Pieces as they are drawn: as drawings in the page, and as pictures on cubes and tiles.
const NS = "http://www.w3.org/2000/svg";

export function el(name, attrs, parent) {
  const e = document.createElementNS(NS, name);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  parent?.append(e);
  return e;
}

// Puts the drawings into the document once; every drawing on the page uses them.
export async function draw() {
  const svg = el("svg", { width: 0, height: 0, "aria-hidden": true, class: "store" }, document.body),
    text = await (await fetch("pieces.svg")).text(),
    all = new DOMParser().parseFromString(text, "image/svg+xml");
  svg.append(...all.querySelectorAll("symbol"));
}

export const side = (p) => (p === "#" ? "pedestal" : p < "a" ? "white" : "black");

// A piece's drawing with its upper left corner at x, y, or wherever a transform puts a box of 45.
export function glyph(parent, p, attrs) {
  if (p === "#") return null;
  return el(
    "use",
    { href: "#kind-" + p.toLowerCase(), width: 45, height: 45, class: "glyph " + side(p), ...attrs },
    parent,
  );
}

// The figure of a piece as a picture: the class of what has it as its background.
export const picture = (p) => (p === "#" ? "" : ` picture ${p.toLowerCase()} ${side(p)}`);

// A piece as a picture in a line of text.
export function icon(parent, p, name) {
  const svg = el("svg", { viewBox: "0 0 45 45", class: "icon " + side(p), role: "img", "aria-label": name }, parent);
  glyph(svg, p, {});
  return svg;
}
