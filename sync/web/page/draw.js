// Draws a board as cubes on squares, seen from White's side a little from the right: x grows with the file, squares
// further away stand higher and to the right, cubes of a stack stand on each other.
import { text } from "./text.js";

const NS = "http://www.w3.org/2000/svg";
const W = 46, H = 38, SHEAR = 10;         // a square's width, depth on the screen, and shift to the right per rank
const CUBE = 32, RISE = 25, TOP = 9;      // a cube's width, height, and the depth of its top face

// One symbol a kind, drawn for this page in a box of 24 by 24.
const shapes = {
  p: "M12 5a3.4 3.4 0 0 1 2 6c1.600 1 1.700 3.500 2.500 6H7.500c.8-2.500.9-5 2.500-6a3.400 3.400 0 0 1 2-6z",
  n: "M8 19c0-4 2.500-5 3.500-7.500-2 .5-3 2.300-4.700 1.800-1-.4-.8-1.800-.1-2.700C8.500 8 10 5.500 13.500 5l.8-1.500 1 1.800c3 2 4.200 6.700 3.200 13.700z",
  b: "M12 3.500l1.200 1.500c2.300 1.800 3.600 4 3.600 6 0 1.700-1 2.900-2.300 3.600L16 19H8l1.500-4.400C8.200 13.900 7.200 12.700 7.200 11c0-2 1.300-4.200 3.600-6z",
  r: "M6.500 5h2.500v2h2V5h2v2h2V5h2.500v4.500l-1.800 1.500v5.500L17.500 19h-11l1.800-2.500V11L6.500 9.500z",
  q: "M5 7l3 4 1.200-6L12 10.500 14.800 5 16 11l3-4-1.800 9.500.3 2.500h-11l.3-2.500z",
  k: "M11 3h2v1.800h1.800v1.800H13v1.700c3-1.600 6.300-.6 6.300 2.400 0 2-1.500 3.600-2.800 5.300V19h-9v-3c-1.300-1.700-2.800-3.300-2.800-5.300 0-3 3.300-4 6.300-2.400V6.600H9.200V4.800H11z",
};

function el(name, attrs, parent) {
  const e = document.createElementNS(NS, name);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  if (parent) parent.append(e);
  return e;
}

let head = 40; // room above the board for its tallest stack

function corner(f, r) { return [20 + f * W + r * SHEAR, head + (8 - r) * H]; } // near left corner of a square

// A light's color comes as the bytes on its line, which are corrected for the light: the screen wants it uncorrected.
function glow(led) {
  const parts = [1, 3, 5].map((i) => Math.round(255 * (parseInt(led.slice(i, i + 2), 16) / 255) ** (1 / 2.2)));
  return `rgb(${parts.join(",")})`;
}

export function deck(svg, piles, leds, onSquare) {
  const tallest = Object.entries(piles).reduce((m, [sq, p]) => Math.max(m, p.length * RISE - (8 - sq[1]) * H), 0);
  head = Math.max(40, tallest + 20);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${40 + 8 * W + 8 * SHEAR} ${head + 20 + 8 * H}`);
  for (let r = 7; r >= 0; r--) for (let f = 0; f < 8; f++) square(svg, f, r, leds[r * 8 + f]);
  for (let r = 7; r >= 0; r--) for (let f = 0; f < 8; f++) stack(svg, f, r, piles["abcdefgh"[f] + (r + 1)] || [], onSquare);
}

function square(svg, f, r, led) {
  const [x, y] = corner(f, r);
  const points = (d) => `${x + d},${y - d} ${x + W - d},${y - d} ${x + W + SHEAR - d},${y - H + d} ${x + SHEAR + d},${y - H + d}`;
  el("polygon", { points: points(0), class: (f + r) % 2 ? "light" : "dark" }, svg);
  if (led && led !== "#000000") el("polygon", { points: points(3), fill: "none", stroke: glow(led), "stroke-width": 5, class: "led" }, svg);
  if (r === 0) el("text", { x: x + W / 2, y: y + 13, class: "coordinate" }, svg).textContent = "abcdefgh"[f];
  if (f === 0) el("text", { x: x - 9, y: y - H / 2 + 4, class: "coordinate" }, svg).textContent = r + 1;
}

function stack(svg, f, r, pile, onSquare) {
  const [x, y] = corner(f, r);
  const name = "abcdefgh"[f] + (r + 1);
  const g = el("g", { tabindex: 0, role: "button", "aria-label": text.square(name, pile) }, svg);
  el("rect", { x: x + 4, y: y - H + 2, width: W, height: H - 4, class: "hit" }, g);
  const left = x + (W - CUBE) / 2 + 2;
  pile.forEach((p, i) => cube(g, left, y - 8 - i * RISE, p));
  g.addEventListener("click", (e) => onSquare(name, pile, e.shiftKey));
  g.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); onSquare(name, pile, e.shiftKey); } });
}

function cube(g, x, y, p) {
  const color = p === "#" ? "pedestal" : p === p.toUpperCase() ? "white" : "black";
  const c = el("g", { class: "cube " + color }, g);
  el("rect", { x, y: y - RISE, width: CUBE, height: RISE, class: "front" }, c);
  el("polygon", { points: `${x},${y - RISE} ${x + TOP},${y - RISE - TOP} ${x + CUBE + TOP},${y - RISE - TOP} ${x + CUBE},${y - RISE}`, class: "top" }, c);
  el("polygon", { points: `${x + CUBE},${y} ${x + CUBE + TOP},${y - TOP} ${x + CUBE + TOP},${y - RISE - TOP} ${x + CUBE},${y - RISE}`, class: "side" }, c);
  if (shapes[p.toLowerCase()]) el("path", { d: shapes[p.toLowerCase()], transform: `translate(${x + 4},${y - RISE + 0.5})`, class: "shape" }, c);
}
