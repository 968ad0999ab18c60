// SPDX-License-Identifier: Apache-2.0
// Cubes of wood. Every face that is composited by itself costs time in each frame in which the board turns. So the
// faces of the cubes at rest lie in sheets. There is one sheet for all fronts of a rank, one for all right sides of a
// file, and one for all tops of a height. Only what moves or floats has faces of its own.
import { el, glyph, picture, side } from "./pieces.js";
import { make } from "./dom.js";

export const U = 100, // a square's width
  W = 78, // a cube's
  EDGE = (U - W) / 2; // what is left beside it

// How high each of n pieces is drawn, in units: eight are 2.9 squares high.
export const rise = (n) => U * (n <= 2 ? 0.5 : n === 3 ? 0.46 : n <= 5 ? 0.42 : 2.9 / n);

// How a face or a sheet turns; its x axis then goes to the viewer's right, its y axis to the viewer or down.
const turns = {
  top: "",
  front: " rotateX(-90deg)",
  right: " rotateZ(-90deg) rotateX(-90deg)",
  left: " rotateZ(90deg) rotateX(-90deg)",
};
const place = (e, kind, x, y, z) => (e.style.transform = `translate3d(${x}px,${y}px,${z}px)${turns[kind]}`);

// The sheet of the tops at height n, or of the sides of rank or file n, counted from the far left. high: its upper
// edge. A sheet costs memory for its whole size.
export function sheet(plane, kind, n, high) {
  const s = make("div", "sheet", plane),
    near = U * (n - 3) - EDGE;
  place(
    s,
    kind,
    kind === "right" ? near : kind === "left" ? near - W : -4 * U,
    kind === "front" ? near : kind === "right" ? 4 * U : -4 * U,
    high,
  );
  s.style.height = (kind === "top" ? 8 * U : high) + "px"; // without a size Chromium draws it behind the ground
  return s;
}

// A cube of one piece with its foot at z; nobody can turn the board so far that its back is seen. A covered piece
// shows its figure on the sides, the top one on top. put: (kind, upper edge) => the element of a face.
export function cube(put, p, z, h, top, locks) {
  const face = (kind, height) => {
      const f = put(kind, z + h);
      f.classList.add("face", kind, side(p));
      f.style.height = height + "px";
      return f;
    },
    sides = ["front", "right", "left"].map((kind) => face(kind, h + 0.5));
  if (top) figure(face("top", W), p);
  else
    for (const f of sides) {
      figure(f, p);
      if (locks && f === sides[0]) {
        f.classList.add("locks");
        padlock(f);
      }
    }
}

// Puts faces into a cube of their own.
export const loose = (c) => (kind, z) => {
  const f = make("div", "", c);
  place(f, kind, kind === "right" ? U - EDGE : EDGE, kind === "front" || kind === "right" ? U - EDGE : EDGE, z);
  return f;
};

export function padlock(parent) {
  el("use", { href: "#kind-lock", class: "lock" }, el("svg", { viewBox: "0 0 20 20", class: "padlock" }, parent));
}

function figure(face, p) {
  if (p !== "#") make("div", "figure" + picture(p), face);
}

// A piece as a small picture of its own wood.
export function chip(parent, p) {
  const c = make("span", "chip " + side(p), parent);
  if (p !== "#") glyph(el("svg", { viewBox: "0 0 45 45", "aria-hidden": true }, c), p, {});
  return c;
}

// Pieces that hang under the pointer while they are dragged.
export function ghost(pieces, deck) {
  const g = make("div", "deck ghost", document.body),
    plane = make("div", "plane", g),
    h = rise(pieces.length);
  g.style.perspective = "1200px";
  const s = (deck?.size || 60) / U;
  plane.style.transform = `scale3d(${s},${s},${s}) rotateX(${deck?.tilt ?? 40}deg) rotateY(5deg)`;
  g.classList.toggle("flat", !!deck?.tiles);
  const p = make("div", "pile", plane);
  p.style.transform = `translate3d(${-U / 2}px,${-U / 2}px,0)`;
  pieces.forEach((c, k) => cube(loose(make("div", "cube", p)), c, k * h, h, k === pieces.length - 1, false));
  return g;
}
