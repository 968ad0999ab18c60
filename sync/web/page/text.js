// All words of the page, so that another language is one more file.
export const text = {
  link: { on: "connected", off: "no connection to the board's computer: trying again …" },
  turn: { white: "White to move", black: "Black to move" },
  check: "check",
  seats: (s) => `White: ${s.white} · Black: ${s.black}`,
  state: {
    synced: "the board shows the game",
    moving: "a hand is at work",
    executing: "copy the move: take up at the amber light, put down at the blue one",
    asking: "which move was meant? Lift and put back the piece on a white light, or choose here",
    wrong: "the board differs from the game: mend the lit squares",
    setup: "set up the lit squares",
  },
  touch: (t) => `${t.square}${t.deck === "upper" ? " (upper deck)" : ""}: ${t.want.length ? "should show " + t.want.join(" under ") : "should be empty"}, ${t.see} to be seen`,
  outcome: { "1-0": "White won", "0-1": "Black won", "1/2-1/2": "drawn" },
  decks: { lower: "lower deck", upper: "upper deck" },
  hand: { right: "in the hand", empty: "the hand is empty: click a square to lift its top piece, again to put it down", discard: "put aside", take: "take a spare piece", mend: "do as the lights say" },
  tools: { variant: "game", new: "new game", takeback: "take back", draw: "draw", resign: "resign", flip: "turn the board" },
  games: [
    ["chess", "orthodox chess"], ["locking", "Locking Chess"], ["meirav", "Meirav"], ["pillar", "Pillar Chess"],
    ["pillar-liberal", "Pillar Chess, liberal split"], ["superchess", "Superchess"], ["flying", "Flying Chess"],
  ],
  moves: "moves",
  legend: [
    ["#00963c", "may go here"], ["#003cff", "onto a piece"], ["#ff1e00", "captures"], ["#aa00ff", "castles or promotes"],
    ["#281200", "locked"], ["#ff005a", "in check"], ["#ff9600", "copy: from"], ["#00c8ff", "copy: to"], ["#ff3c3c", "mend this"], ["#ffffff", "answer here"],
  ],
  square: (sq, pile) => pile.length ? `${sq}: ${pile.map((p) => names[p] || p).join(", then on it ")}` : `${sq}: empty`,
};
export const names = {
  P: "white pawn", N: "white knight", B: "white bishop", R: "white rook", Q: "white queen", K: "white king",
  p: "black pawn", n: "black knight", b: "black bishop", r: "black rook", q: "black queen", k: "black king", "#": "pedestal",
};
