// SPDX-License-Identifier: Apache-2.0
// What a page has to know of notation: where pieces lie on the decks, and between which places a coordinate move
// goes. The rules themselves stay with the board.
import { game } from "./games.js";
export const files = "abcdefgh";
export const squares = [...Array(64).keys()].map((i) => files[i % 8] + (1 + (i >> 3)));

// The piles of a stack FEN, bottom to top, as they lie on one deck or two: { lower: { e2: ["P"] }, upper: {} }.
export function piles(fen, variant, twin) {
  const out = { lower: {}, upper: {} };
  fen
    .split(" ")[0]
    .split("/")
    .forEach((row, i) => {
      let f = 0;
      for (let k = 0; k < row.length; k++) {
        if (row[k] >= "1" && row[k] <= "8") {
          f += +row[k];
          continue;
        }
        let pile = [row[k]];
        if (row[k] === "[") {
          const end = row.indexOf("]", k);
          if (end < 0) return;
          pile = [...row.slice(k + 1, end)];
          k = end;
        }
        lay(out, files[f++] + (8 - i), pile, variant, twin);
      }
    });
  return out;
}

function lay(out, sq, pile, variant, twin) {
  const { layered: levels, topFirst } = game(variant),
    layered = twin && levels;
  if (!layered) {
    out.lower[sq] = pile.map((p) => (p === "-" ? "#" : p));
    return;
  }
  const [low, high] = pile.length > 1 ? pile : topFirst ? ["-", pile[0]] : [pile[0], "-"];
  if (low !== "-") out.lower[sq] = [low];
  if (high !== "-") out.upper[sq] = [high];
}

// The stack FEN placement of piles, the other way round.
export function placement(wood, variant, twin) {
  const rows = [];
  for (let r = 8; r >= 1; r--) {
    let row = "",
      gap = 0;
    for (const f of files) {
      const pile = written(wood, f + r, variant, twin);
      if (!pile) {
        gap++;
        continue;
      }
      row += (gap || "") + pile;
      gap = 0;
    }
    rows.push(row + (gap || ""));
  }
  return rows.join("/");
}

function written(wood, sq, variant, twin) {
  const low = wood.lower[sq] || [],
    high = wood.upper?.[sq] || [];
  let pile = low.map((p) => (p === "#" ? "-" : p));
  if (twin && game(variant).pedestals && high.length) pile = [low[0] || "-", high[0]];
  else pile = [...pile, ...high];
  return pile.length > 1 ? `[${pile.join("")}]` : pile.join("");
}

const form = /^([a-h][1-8])(\^?)x?([a-h][1-8])(\^?)([qrbn]?)(?::(\d+))?([*_]?)$/;

// A coordinate move: from and to as places ("upper e4"), what it does, and how many pieces it takes up.
export function parse(move, variant, twin) {
  const m = form.exec(move);
  if (!m) return null;
  const { layered: levels, topFirst } = game(variant),
    layered = twin && levels;
  const deck = (air) =>
    !layered ? "lower" : topFirst ? (m[7] === "_" ? "lower" : "upper") : air ? "upper" : "lower";
  return {
    from: `${deck(m[2])} ${m[1]}`,
    to: `${deck(m[4])} ${m[3]}`,
    square: m[1],
    target: m[3],
    promotion: m[5],
    count: +m[6] || 0,
    mark: m[7],
  };
}

export const color = (p) => (p === "#" || p === "-" ? "" : p < "a" ? "white" : "black");

// How many of each letter stand in a FEN.
export function material(fen) {
  const n = {};
  for (const c of fen.split(" ")[0]) if (/[a-z]/i.test(c)) n[c] = (n[c] || 0) + 1;
  return n;
}
