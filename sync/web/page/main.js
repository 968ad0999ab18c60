import { deck } from "./draw.js";
import { text } from "./text.js";

const $ = (tag, cls, parent) => { const e = document.createElement(tag); if (cls) e.className = cls; parent?.append(e); return e; };

// A board's card: its decks, what it says, its moves, and on a virtual board the hand.
class Card {
  constructor(board) {
    this.board = board;
    this.root = $("section", "board", document.getElementById("boards"));
    $("h2", "", this.root).textContent = board;
    this.said = $("p", "said", this.root);
    this.said.setAttribute("role", "status");
    this.state = $("p", "state", this.root);
    this.choices = $("p", "choices", this.root);
    this.decks = $("div", "decks", this.root);
    this.svgs = {};
    this.handLine = $("p", "hand", this.root);
    this.tools();
    this.moves = $("ol", "moves", this.root);
    this.moves.setAttribute("aria-label", text.moves);
    this.game = this.wood = this.leds = null;
    this.listen();
  }

  // What players do beside the wood: begin, take back, offer, resign, turn the board.
  tools() {
    const bar = $("p", "tools", this.root);
    const variant = $("select", "", bar);
    variant.setAttribute("aria-label", text.tools.variant);
    for (const [id, name] of text.games) { const o = $("option", "", variant); o.value = id; o.textContent = name; }
    const button = (name, command) => { const b = $("button", "", bar); b.textContent = text.tools[name]; b.onclick = () => this.command(command()); };
    button("new", () => ({ do: "new", variant: variant.value }));
    button("takeback", () => ({ do: this.game.ask && !this.mine(this.game.ask.by) ? "accept-takeback" : "takeback" }));
    button("draw", () => ({ do: this.game.offer && !this.mine(this.game.offer) ? "accept-draw" : "offer-draw" }));
    button("resign", () => ({ do: "resign" }));
    button("flip", () => ({ do: "flip" }));
    this.variant = variant;
  }

  mine(side) { return ["local", this.board].includes(this.game.seats[side]); }

  listen() {
    const source = new EventSource(`api/boards/${this.board}/events`);
    source.onopen = () => link(true);
    source.onerror = () => link(false);
    for (const name of ["game", "wood", "leds"])
      source.addEventListener(name, (e) => { this[name] = JSON.parse(e.data); this.soon(); });
  }

  // Many states in one frame of the screen are drawn once.
  soon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  draw() {
    if (!this.game || !this.leds) return;
    this.words();
    const wood = this.wood || { lower: fromFEN(this.game.fen), upper: {} };
    const decks = this.leds.upper.length ? ["upper", "lower"] : ["lower"];
    for (const d of decks) {
      if (!this.svgs[d]) {
        const figure = $("figure", "", this.decks);
        this.svgs[d] = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        figure.append(this.svgs[d]);
        if (decks.length > 1) $("figcaption", "", figure).textContent = text.decks[d];
      }
      deck(this.svgs[d], wood[d], this.leds[d], (sq, pile, all) => this.touch(d, sq, pile, all));
    }
    this.hand();
  }

  words() {
    const g = this.game;
    const over = g.outcome ? `${text.outcome[g.outcome]}: ${g.reason.replaceAll("-", " ")}` : text.turn[g.turn] + (g.check ? `, ${text.check}` : "");
    set(this.said, `${g.variant} · ${text.seats(g.seats)} · ${over}`);
    if (this.known !== g.game) { this.known = g.game; this.variant.value = g.variant; }
    const touch = g.wood.squares.slice(0, 6).map(text.touch).join("; ");
    set(this.state, text.state[g.wood.state] + (touch ? `: ${touch}` : ""));
    this.choices.replaceChildren(...(g.wood.choices || []).map((m) => {
      const b = $("button");
      b.textContent = m;
      b.onclick = () => this.command({ do: "answer", move: m });
      return b;
    }));
    if (this.drawn === g.game + g.san.join()) return;
    this.drawn = g.game + g.san.join();
    const black = g.start.split(" ")[1] === "b";
    const first = +g.start.split(" ")[5] || 1;
    const all = black ? ["…", ...g.san] : g.san;
    this.moves.start = first;
    this.moves.replaceChildren();
    for (let i = 0; i < all.length; i += 2) $("li", "", this.moves).textContent = all.slice(i, i + 2).join("  ");
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  hand() {
    this.handLine.replaceChildren();
    if (!this.wood) return;
    const held = this.wood.hands.right;
    this.handLine.append(held.length ? `${text.hand.right}: ${held.join(" ")} ` : text.hand.empty + " ");
    if (held.length) {
      const b = $("button", "", this.handLine);
      b.textContent = text.hand.discard;
      b.onclick = () => this.deed({ do: "discard" });
    }
    if (this.game.wood.state !== "moving" && this.game.wood.squares.length) {
      const b = $("button", "", this.handLine);
      b.textContent = text.hand.mend;
      b.onclick = () => this.mend();
    }
    const s = $("select", "", this.handLine);
    s.setAttribute("aria-label", text.hand.take);
    for (const p of ["", ..."QRBNPKqrbnpk#"]) { const o = $("option", "", s); o.value = p; o.textContent = p || text.hand.take; }
    s.onchange = () => s.value && this.deed({ do: "take", pieces: [s.value] });
  }

  touch(deck, square, pile, all) {
    if (!this.wood) return; // a real board: its pieces are moved by real hands
    if (this.wood.hands.right.length) this.deed({ do: "place", deck, square });
    else if (pile.length) this.deed({ do: "lift", deck, square, count: all ? pile.length : 1 });
  }

  // Lets the hand bring every square named by the board to what should stand there.
  async mend() {
    const touch = this.game.wood.squares;
    if (this.wood.hands.right.length) await this.deed({ do: "discard" });
    for (const t of touch) {
      const count = (this.wood[t.deck][t.square] || []).length;
      if (!count) continue;
      await this.deed({ do: "lift", deck: t.deck, square: t.square, count });
      await this.deed({ do: "discard" });
    }
    for (const t of touch) {
      if (!t.want.length) continue;
      await this.deed({ do: "take", pieces: t.want });
      await this.deed({ do: "place", deck: t.deck, square: t.square });
    }
  }

  deed(d) { return this.post("hand", d); }
  command(c) { return this.post("command", { id: crypto.randomUUID?.() ?? String(Math.random()), ...c }); }

  async post(what, body) {
    const r = await fetch(`api/boards/${this.board}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await r.json();
    if (answer.ok === false) set(this.state, answer.error);
  }
}

function set(e, s) { if (e.textContent !== s) e.textContent = s; }
function link(on) { const e = document.getElementById("link"); set(e, on ? text.link.on : text.link.off); e.className = on ? "on" : "off"; }

// A real board's wood is not known: what the game has stands for it.
function fromFEN(fen) {
  const piles = {};
  fen.split(" ")[0].split("/").forEach((row, i) => {
    let f = 0;
    for (let k = 0; k < row.length; k++) {
      const c = row[k];
      if (c >= "1" && c <= "8") { f += +c; continue; }
      let pile = [c];
      if (c === "[") { const end = row.indexOf("]", k); pile = [...row.slice(k + 1, end)].map((x) => (x === "-" ? "#" : x)); k = end; }
      piles["abcdefgh"[f++] + (8 - i)] = pile;
    }
  });
  return piles;
}

function legend() {
  for (const [color, words] of text.legend) {
    const li = $("li", "", document.getElementById("legend"));
    li.innerHTML = "<svg viewBox='0 0 12 12' aria-hidden='true'><circle cx='6' cy='6' r='5'/></svg>";
    li.querySelector("circle").setAttribute("fill", color);
    li.append(words);
  }
}

legend();
for (const board of await (await fetch("api/boards")).json()) new Card(board);
