// SPDX-License-Identifier: Apache-2.0
// The six kinds, drawn for this page in a box of 45 by 45. The body is filled with the piece's color, and the lines
// have the opposite color. So a kind is known by its outline and a side by light or dark, without any hue.
const NS = "http://www.w3.org/2000/svg";

const kinds = {
  p: [
    "M22.500 8a6 6 0 0 1 4.200 10.300c1.800 1 2.800 2.700 2.800 4.700h-3c.3 5 2 8.500 6 11.500V38h-20v-3.500c4-3 5.700-6.500 6-11.500h-3c0-2 1-3.700 2.800-4.700A6 6 0 0 1 22.500 8z",
    "M15 34.500h15",
  ],
  n: [
    "M34 38H14c0-7 3-10.500 7-14.500-3 1.500-5 3.500-8.500 4.500-2.300.6-4.300-1.500-3.700-3.700.7-2.500 2.200-4.300 3.600-6.800 1.200-3 3.100-6 6.600-7.500L18.500 5l5 3.500L26 5l2 4.500c6 3.500 8.300 12 7.300 20-.3 3-.8 6-1.300 8.500z",
    "M17.500 15.500h2M14 24.300l1.500-1.300M29 13c2.500 4 3.200 9 2.500 14.500M15 34.500h18",
  ],
  b: [
    "M22.500 5a2.900 2.900 0 0 1 1.900 5.100c4.500 3.500 7.100 7.700 7.100 12.400 0 3-1.500 5.300-3.500 6.800l1.500 4.200h4V38h-22v-4.500h4l1.500-4.200c-2-1.500-3.500-3.800-3.500-6.800 0-4.700 2.600-8.900 7.100-12.400A2.900 2.900 0 0 1 22.500 5z",
    "M22.500 15.500v9M18.500 19.500h8M17 29.300h11M15.500 33.500h14",
  ],
  r: [
    "M10.500 7h5.500v4h4V7h5v4h4V7h5.500v9l-4 3.500V30l4 4v4h-24v-4l4-4V19.500l-4-3.500z",
    "M10.500 16h24M14.500 19.500h16M14.500 30h16M10.500 34h24",
  ],
  q: [
    "M8.500 13.500l5.300 8L15 9.500l5.300 10L22.500 7l2.200 12.500L30 9.500l1.200 12 5.300-8L34 29.500l.5 8.500h-24l.5-8.500z",
    "M11 29.500c7-2 16-2 23 0M10.700 34c7.500-1.500 16-1.500 23.600 0",
    [
      [8.5, 12.5],
      [15, 8.5],
      [22.5, 6],
      [30, 8.5],
      [36.5, 12.5],
    ],
  ],
  k: [
    "M21 4h3v3h3.500v3H24v3.500c1.200.7 2 1.800 2.500 3.200 4.500-3.200 11-1.200 11 4 0 4-3 6.500-4.500 9.300v8H12v-8c-1.500-2.800-4.500-5.300-4.500-9.300 0-5.200 6.500-7.200 11-4 .5-1.400 1.300-2.500 2.500-3.200V10h-3.500V7H21z",
    "M12 30c7-2 14-2 21 0M12 34.300c7-1.500 14-1.500 21 0M22.500 17.500v10.500",
  ],
};

export function el(name, attrs, parent) {
  const e = document.createElementNS(NS, name);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  parent?.append(e);
  return e;
}

// Puts the drawings into the document once; every piece on the page uses them.
export function draw() {
  const svg = el("svg", { width: 0, height: 0, "aria-hidden": true, class: "store" }, document.body);
  for (const [k, [body, lines, balls]] of Object.entries(kinds)) {
    const s = el("symbol", { id: "kind-" + k, viewBox: "4.5 3 36 36" }, svg);
    el("path", { d: body, "stroke-width": 1.6, "stroke-linejoin": "round" }, s);
    for (const [cx, cy] of balls || []) el("circle", { cx, cy, r: 2.6, "stroke-width": 1.4 }, s);
    el("path", { d: lines, fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round" }, s);
  }
  const lock = el("symbol", { id: "kind-lock", viewBox: "0 0 20 20" }, svg);
  el("path", { d: "M4 9h12v9H4zM6.500 9V6a3.500 3.500 0 0 1 7 0v3", "stroke-width": 2 }, lock);
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

// A piece as a picture in a line of text.
export function icon(parent, p, name) {
  const svg = el("svg", { viewBox: "0 0 45 45", class: "icon " + side(p), role: "img", "aria-label": name }, parent);
  if (p === "#") el("rect", { x: 9, y: 12, width: 27, height: 24, class: "pedestal" }, svg);
  else glyph(svg, p, {});
  return svg;
}
