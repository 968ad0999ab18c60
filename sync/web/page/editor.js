// SPDX-License-Identifier: Apache-2.0
// A board on which any position is laid: choose a piece, click squares; what is clicked comes on top of what stands
// there. It writes stack FEN into a field that can as well be typed into.
import { game } from "./games.js";
import { make, button } from "./dom.js";
import { icon } from "./pieces.js";
import { squares, piles, placement } from "./notation.js";
import { names, text } from "./text.js";

const off = "x";

export class Editor {
  constructor(parent, field, variant) {
    [this.field, this.variant, this.piece, this.focus] = [field, variant, "K", 4];
    this.root = make("div", "editor", parent);
    this.palette = make("p", "tools", this.root);
    this.palette.role = "group";
    this.grid = make("div", "editgrid", this.root);
    const bar = make("p", "tools", this.root);
    button(bar, text.editor.empty, () => this.write({ lower: {} }));
    this.turn = button(bar, "", () => {
      const t = this.tail();
      t[0] = t[0] === "b" ? "w" : "b";
      this.write(this.wood(), t);
    });
    this.cells = [];
    for (let row = 7; row >= 0; row--) for (let f = 0; f < 8; f++) this.cell(8 * row + f);
    field.addEventListener("input", () => this.draw());
    this.kinds();
    this.draw();
  }

  // Pedestals exist in Flying Chess only.
  kinds() {
    this.palette.replaceChildren();
    const kinds = [..."KQRBNPkqrbnp", ...(game(this.variant()).pedestals ? ["#"] : []), off];
    if (!kinds.includes(this.piece)) this.piece = "K";
    for (const p of kinds) {
      const b = button(
        this.palette,
        "",
        () => {
          this.piece = p;
          this.kinds();
        },
        "kind",
      );
      b.ariaPressed = this.piece === p;
      b.dataset.piece = p;
      if (p === off) b.textContent = text.editor.off;
      else icon(b, p, names[p]);
    }
  }

  cell(i) {
    const b = button(this.grid, "", () => this.click(i), (i + (i >> 3)) % 2 ? "light" : "dark");
    b.dataset.edit = squares[i];
    if (!(i % 8)) b.dataset.rank = squares[i][1];
    if (i < 8) b.dataset.file = squares[i][0];
    b.onkeydown = (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 8, ArrowDown: -8 }[e.key],
        to = i + step;
      if (!step || to < 0 || to > 63 || (Math.abs(step) === 1 && to >> 3 !== i >> 3)) return;
      e.preventDefault();
      this.focus = to;
      this.draw();
      this.cells[to].focus();
    };
    this.cells[i] = b;
  }

  click(i) {
    const wood = this.wood(),
      sq = squares[i],
      pile = wood.lower[sq] || [];
    wood.lower[sq] = this.piece === off ? pile.slice(0, -1) : [...pile, this.piece];
    this.focus = i;
    this.write(wood);
  }

  wood() {
    return piles(this.field.value.trim(), this.variant(), false);
  }

  // What stands behind the placement: whose move, castling, en passant, counters.
  tail() {
    return this.field.value
      .trim()
      .split(/\s+/)
      .slice(1)
      .concat(["w", "-", "-", "0", "1"].slice(this.field.value.trim().split(/\s+/).length - 1));
  }

  // Of a position that is changed by hand only the castling rights stay whose king and rook stand at home, and no
  // en passant.
  write(wood, tail = this.tail()) {
    const home = (sq, p) => wood.lower[sq]?.join("") === p;
    tail[1] =
      [...tail[1]]
        .filter((c) => {
          const rank = c < "a" ? 1 : 8,
            [king, rook] = c < "a" ? ["K", "R"] : ["k", "r"];
          return home("e" + rank, king) && home((c.toLowerCase() === "k" ? "h" : "a") + rank, rook);
        })
        .join("") || "-";
    tail[2] = "-";
    this.field.value = [placement(wood, this.variant(), false), ...tail].join(" ");
    this.draw();
  }

  draw() {
    const wood = this.wood().lower;
    this.turn.textContent = text.turn[this.tail()[0] === "b" ? "black" : "white"];
    squares.forEach((sq, i) => {
      const b = this.cells[i],
        pile = wood[sq] || [],
        key = pile.join("");
      b.tabIndex = i === this.focus ? 0 : -1;
      b.ariaLabel = text.square(sq, pile, {});
      if (b.dataset.key === key) return;
      b.dataset.key = key;
      b.replaceChildren();
      [...pile].reverse().forEach((p) => icon(b, p, names[p]));
      b.classList.toggle("tall", pile.length > 1);
    });
  }
}
