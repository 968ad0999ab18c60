// SPDX-License-Identifier: Apache-2.0
// The wood and the lights of a virtual board on which no game is played. Hands move the wood, and the lights show what
// is asked for.
import { make, button, set } from "./dom.js";
import { Deck } from "./deck.js";
import { Hand } from "./hand.js";
import { Live } from "./live.js";
import { files, squares } from "./notation.js";
import { text } from "./text.js";

// What stands where when all pieces are set up.
const array = Object.fromEntries(
  [
    ["1", "RNBQKBNR"],
    ["2", "PPPPPPPP"],
    ["7", "pppppppp"],
    ["8", "rnbqkbnr"],
  ].flatMap(([r, row]) => [...row].map((p, i) => [files[i] + r, p])),
);

export class Desk {
  constructor(board, parent) {
    this.board = board;
    parent.dataset.board = board;
    this.figures = make("div", "decks", parent);
    this.tip = make("p", "tip", parent);
    const hands = make("div", "needs-player", parent);
    this.hand = new Hand(
      board,
      hands,
      (words) => set(this.tip, words),
      () => false,
    );
    this.hand.decks = () => Object.values(this.decks);
    const bar = make("p", "tools", hands);
    button(bar, text.desk.clear, () => this.put({}));
    button(bar, text.desk.array, () => this.put(array));
    this.decks = {};
    new Live("api/events", {
      [`${board}/wood`]: (w) => this.show((this.wood = w), this.leds),
      [`${board}/leds`]: (l) => this.show(this.wood, (this.leds = l)),
    });
  }

  show(wood, leds) {
    if (!wood || !leds) return;
    const names = leds.upper.length ? ["upper", "lower"] : ["lower"];
    this.figures.classList.toggle("two", names.length > 1);
    for (const name of names) {
      if (!this.decks[name]) {
        const figure = make("figure", "", this.figures),
          deck = (this.decks[name] = new Deck(figure, name, (sq, pile, m) => text.square(sq, pile, m)));
        if (names.length > 1) make("figcaption", "", figure, text.decks[name]);
        deck.root.ariaLabel = `${this.board}, ${text.decks[name]}`;
        deck.layout("top", false, "");
        this.hand.on(deck);
      }
      this.decks[name].show(wood[name], shining(leds[name]), {});
    }
    this.hand.show(wood, []);
  }

  // Clears the board except for one piece on each of some squares of the lower deck.
  put(pieces) {
    const touch = (deck, square, want) => ({ deck, square, want });
    const all = squares.flatMap((sq) => [touch("upper", sq, []), touch("lower", sq, pieces[sq] ? [pieces[sq]] : [])]);
    this.hand.squares = all.filter((t) => (this.wood[t.deck][t.square] || []).join("") !== t.want.join(""));
    this.hand.mend();
  }
}

// Lights without a meaning that the page knows: the square is framed.
const shining = (leds) =>
  Object.fromEntries(leds.flatMap((c, i) => (c === "#000000" ? [] : [[squares[i], "answer"]])));
