// SPDX-License-Identifier: Apache-2.0
// All words of the page, so that another language is one more file. Nothing is cut to the length of these.
export const names = {
  P: "white pawn", N: "white knight", B: "white bishop", R: "white rook", Q: "white queen", K: "white king",
  p: "black pawn", n: "black knight", b: "black bishop", r: "black rook", q: "black queen", k: "black king", "#": "pedestal",
};
const name = (p) => names[p] || p;
const deckOf = (d) => (d === "upper" ? " on the upper deck" : "");
const bare = (p) => name(p).replace(/^(white|black) /, "");
const cap = (s) => s[0].toUpperCase() + s.slice(1);
const minutes = (ms = 0) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
const count = (n, one, many) => (n === 1 ? `one ${one}` : `${n} ${many}`);

export const text = {
  title: "boardd",
  pages: { board: "Play", wall: "Wall", rules: "Rules", workshop: "Workshop", settings: "Settings" },
  menu: "menu: light or dark, log in, what the lights mean",
  leaf: { first: "first position", prev: "one move back", next: "one move on", last: "back to the game" },
  noClock: "no clock",
  timing: (t) => (t.kind === "hourglass" ? `hourglass, ${Math.round(t.initial_ms / 6000) / 10} minutes` : `${Math.round(t.initial_ms / 6000) / 10} minutes${t.increment_ms ? ` + ${t.increment_ms / 1000} seconds` : ""}`),
  andMore: (n) => `and ${count(n, "more square", "more squares")}`,
  link: { on: "connected", off: "no connection to the board's computer: trying again …", old: "the board's computer has a newer page: loading it …" },
  view: { seat: "Seat", top: "Top", flat: "Flat", label: "seen from", turn: "turn the view round", theme: "light or dark", themes: { auto: "as the device", light: "light", dark: "dark" } },
  turn: { white: "White to move", black: "Black to move" },
  sides: { white: "White", black: "Black" },
  unstored: "not stored: the disk takes nothing; what is played is not sent until it does",
  check: "check",
  seat: (s, board) => (s === "local" ? "" : s === "engine" ? "the engine" : s === board ? `${s} (this board)` : s),
  state: {
    synced: "The board shows the game.",
    moving: "A hand is at work.",
    executing: "Copy the other side's move: lift at the arrow up, put down at the arrow down.",
    asking: "Which move was it? Lift and put back a piece on a white light, or choose here.",
    confirm: "Was this the move? Lift and put back the piece on the white light, or confirm here.",
    wrong: "The board differs from the game. Put it right:",
    array: "All pieces are set up again. For a new game lift a king and put it back; to play on, put the board right:",
    setup: "Set up the lit squares:",
  },
  now_: {
    which: "Which move do you mean?", become: "What does the pawn become?", paused: "The game is paused.",
    takeOff: (t) => `Take the captured piece off ${t.square}${deckOf(t.deck)}.`,
    inHand: (p) => `The ${bare(p)} is in your hand: put it on a lit square.`,
    held: (ps) => `In your hand: ${ps.map(name).join(", ")}.`,
    check: (side, mine) => (mine ? `${cap(side)} is in check.` : `${cap(side)} is in check, and to move.`),
    turn: (side, mine, seat) => (mine ? `${cap(side)} to move: lift a piece, its squares light up.` : seat === "engine" ? "The engine thinks." : `${cap(side)} to move, on board ${seat}.`),
  },
  way: { stacks: "stands on it", captures: (ps) => (ps.length ? `captures the ${ps.map(name).join(" and the ")}` : "goes there") },
  request(r) {
    const who = cap(r.by);
    return { takeback: `${who} asks to take back to move ${1 + Math.floor(r.to / 2)}.`, draw: `${who} offers a draw.`, abort: `${who} asks to end the game without a result.`,
      new: `${who} asks for a new game${r.variant ? `: ${r.variant}` : ""}. This one would end.`, adjust: `${who} asks to set the clocks: White ${minutes(r.white_ms)}, Black ${minutes(r.black_ms)}.` }[r.what];
  },
  waits: (r) => `${{ takeback: "Taking back", draw: "Your draw offer", abort: "Ending without a result", new: "A new game", adjust: "Setting the clocks" }[r.what]}: waiting for the other side's answer.`,
  yes: { takeback: "Allow taking back", draw: "Accept the draw", abort: "End the game", new: "Begin the new game", adjust: "Set the clocks" },
  no: "Decline",
  invite: {
    say: "Lift a white piece: its squares light up. Who plays?", person: "Against a virtual person", two: "Two at one board", both: "Both boards", watch: "Watch", sits: "A virtual person plays the other board. Touch that board, and it is yours.",
  },
  adjust: { title: "Set the clocks", go: "Set" },
  answer: (san, a) => (a ? `${san} (light on ${a.square}${deckOf(a.deck)})` : san),
  // One square to put right: how many pieces, which one on top.
  mend(t) {
    const at = t.square + deckOf(t.deck), n = t.want.length, top = n ? name(t.want[n - 1]) : "";
    const piece = n === 1 ? `the ${top}` : `${t.want.map(name).join(", on it the ")}`;
    if (!n) return t.see > 0 ? `${at}: take off ${count(t.see, "piece", "pieces")}, nothing belongs there` : `${at}: nothing belongs there`;
    if (t.see > n) return `${at}: take off ${count(t.see - n, "piece", "pieces")}, so that the ${top} is on top`;
    if (t.see === n) return `${at}: ${n === 1 ? "should be" : "should be, from the bottom,"} ${piece}`;
    return t.see > 0 ? `${at}: add ${count(n - t.see, "piece", "pieces")}, from the bottom it is ${piece}` : `${at}: put ${piece} there`;
  },
  outcome: { "1-0": "White won", "0-1": "Black won", "1/2-1/2": "Drawn", "*": "Ended without a result" },
  reason: (r) => r.replaceAll("-", " "),
  decks: { lower: "lower deck", upper: "upper deck" },
  moves: "moves", moveOf: (n, san) => `position after ${n}: ${san}`, start: "start", now: "back to the game",
  past: (n, all) => `You look at the position ${n ? `after move ${Math.ceil(n / 2)}${n % 2 ? ", White's" : ", Black's"}` : "before the first move"}.`,
  captured: { white: "taken from White", black: "taken from Black" },
  clock: { white: "White's time", black: "Black's time", paused: "the clock is stopped" },
  pile: (sq, pile) => `${sq}, from the bottom:`, alone: (sq) => `${sq}:`, top: "on top",
  open: "show every piece of this square",
  square(sq, pile, m) {
    const what = pile.length ? pile.map(name).join(", on it ") : "empty";
    return `${sq}: ${what}${m.last ? ", last move" : ""}${m.light ? ", " + text.means[m.light] : ""}`;
  },
  locked: (p, by) => `the ${name(p)} is under the ${name(by)}: it is lifted together with what stands on it, and cannot move by itself`,
  hand: {
    right: "right hand", left: "left hand", empty: "empty", holds: "holds", use: "hand in use",
    discard: "put aside", take: "take a spare piece", mend: "Do as the lights say", beside: "Off the board", how: "how pieces are moved",
    help: "Drag a cube, or tap it and then where it goes. Grab a lower cube to lift all above it too. Keys: arrows, Enter lifts and puts down, Shift+Enter lifts the whole stack, 2 to 9 lift so many, L changes the hand, D puts aside.",
    lifted: (h, ps) => `${h} holds ${ps.map(name).join(", ")}`,
    none: "You look on: log in with a player's token to put a hand on the board.",
    real: "This board is real: its pieces are moved by real hands, and the lights say where.",
  },
  tools: {
    new: "New game", takeback: "Take back", draw: "Offer draw", claim: "Claim a draw", hint: "Hint", resign: "Resign", flip: "Turn the game round on the board", pause: "Stop the clock", resume: "Let the clock run",
    rematch: "Play again", settle: "Give way to the other board", abort: "End without a result", adjust: "Set the clocks", pgn: "Save as PGN", more: "more", large: "Make large",
  },
  resign: { title: "Who resigns?", white: "White resigns", black: "Black resigns", no: "nobody" },
  new: {
    title: "New game", variant: "game", time: "time control", minutes: "minutes each", seconds: "seconds a move", opponent: "opponent", both: "both sides at this board", engine: "the engine",
    none: "no other board is online", me: "this board plays", start: "position", array: "the usual array", wood: "what stands on the board now", fen: "laid here, or as stack FEN:", black: "Black moves first",
    beginGame: (name) => `Begin ${name}`, cancel: "not now",
    clocks: [["", "no clock"], ["fischer", "added per move (Fischer)"], ["bronstein", "given back per move (Bronstein)"], ["delay", "delay per move"], ["hourglass", "hourglass"], ["sudden-death", "no addition"]],
  },
  // The six games, in three sentences each, with what is special in them as a picture.
  games: {
    locking: { words: "A piece may stand on another one and lock it. What is under cannot move, capture or give check until it is free. A king with nowhere to go, free or locked, has lost.", piles: { d4: ["N", "q"], e5: ["k", "B"], f3: ["r"], c3: ["P"] } },
    pillar: { words: "What you capture goes under your piece, and nothing leaves the board. The top piece moves the pillar. Split off the top when the next piece is yours.", piles: { d3: ["p", "P", "n", "B", "Q"], f4: ["N", "R"], e5: ["k"], c3: ["P"] } },
    meirav: { words: "A captured piece is buried where it fell. When its captor leaves, it comes up and plays again. Below, buried pieces may capture each other instead of a move above.", piles: { d4: ["p", "N"], e5: ["R", "b"], f3: ["k"], c3: ["P"] } },
    superchess: { words: "A rook carries a queen, bishop, knight or pawn. Together they move as either of the two. Occupy the enemy's rook, and it fights for you.", piles: { d4: ["R", "Q"], e5: ["r", "B"], f3: ["n"], c3: ["P"] } },
    flying: { words: "Rooks, bishops and knights take off. In the air they pass over everything on the ground, and come down to strike. A piece may headbutt whoever flies above it.", piles: { d4: ["#", "N"], e5: ["p", "B"], f3: ["k"], c3: ["P"] } },
    chess: { words: "The game you know. One piece stands on a square. Nothing is stacked.", piles: { d4: ["N"], e5: ["k"], f4: ["Q"], c3: ["P"] } },
  },
  editor: { empty: "empty the board", off: "take off" },
  login: { open: "log in", out: "log out", token: "token", go: "log in", need: "This page needs a token: ask whoever runs the boards.", right: { nothing: "not logged in", spectator: "looking on", player: "player", workshop: "workshop" } },
  lights: "what the lights mean",
  means: {
    quiet: "may go here", stack: "onto a piece", capture: "captures", special: "castles or promotes", from: "copy: lift here", to: "copy: put here",
    wrong: "differs from the game", answer: "answer here", check: "in check", locked: "locked", stuck: "cannot move", origin: "came from here", alarm: "corners: something is not saved",
  },
  faults: { bus: "bus errors", journal: (t) => `the game cannot be saved: ${t}`, broker: "no connection to the broker", part: (p) => `${p.name}: ${p.detail || "does not answer"}`, square: (f) => `${f.square}${deckOf(f.deck)}: ${f.text}`, fine: "all sensors answer", details: "state of the board" },
  about: (version) => `boardd ${version}`,
  failed: "the board's computer did not answer",
  wall: {
    title: "club wall", simul: (who, n) => `${who}: ${n.won} won, ${n.drawn} drawn, ${n.lost} lost, ${n.plays} going on`, empty: "No board is on the broker yet.", demo: "from the archive", online: "online", offline: "offline", boards: (n) => (n === 1 ? "one board" : `${n} boards`),
    states: { over: "ended", play: "playing", wait: "not begun", off: "offline" },
  },
  desk: { clear: "everything off", array: "set all pieces up" },
  workshop: {
    title: "workshop", sensor: "show", kinds: { presence: "presence", weight: "weight, g", weightNoise: "noise of weight, g", height: "height, mm", heightNoise: "noise of height, mm" },
    closed: "closed", opened: "open", unknown: "no answer", minute: (sq) => `${sq}: the last minute`, pick: "choose a square to see its last minute",
    lights: "lights", all: "all lights", run: "one after the other", square: "the chosen square", dark: "back to the game", colors: { "#ffffff": "white", "#ff0000": "red", "#00ff00": "green", "#0000ff": "blue" },
    parts: "buses and chips", part: "part", ok: "answers", no: "does not answer", errors: "errors", sweep: "sweep, ms", worst: "longest, ms", detail: "remarks", uptime: "running for", temperature: "controller",
    traces: "traces", trace: "what was sensed, a file a game", kB: "kB", none: "this board is not opened here: only boards of this computer have sensors on this page",
    need: "This page needs the right of the workshop: log in with such a token.",
    calibrate: "calibration", calibrating: "Run boardd calibrate on the board's computer to check every wire: with web.listen set, this page then leads through it.",
    step: (p) => (p.Parts ? `step ${p.Step} of ${p.Steps}, ${p.Part} of ${p.Parts}` : `step ${p.Step} of ${p.Steps}`), back: "one back", enter: "go on", answer: "answer", done: "The calibration is done and saved.",
  },
  rules: {
    title: "The rules", why: "the rule", of: (name) => `The rules of ${name}`, see: "These boards are played by the board's own rules: what you see is what it plays.", step: "next move", play: "play", stop: "stop",
    at: (san) => `played: ${san}`, not: "not allowed:", array: "All six games begin with the usual array, White moves first, and who mates the king wins.",
    means: "What the signs mean", variant: { "pillar-liberal": "with the liberal rule of splitting" },
  },
  // The lessons of rules/lessons.
  lessons: {
    "chess-begin": "The laws of FIDE. Threefold repetition and fifty moves without a capture or a pawn move are drawn when a player claims it, fivefold repetition and seventy-five moves at once. This holds for all six games.",
    "chess-passing": "A pawn that has gone two squares may be captured at once on the square it passed.",
    "chess-castle": "The king goes two squares towards a rook, which leaps over him. Neither may have moved, nothing may stand between them, and no square on the king's way may be attacked.",
    "chess-pinned": "A move may not leave the king in check: the knight is pinned by the rook.",
    "locking-lock": "Land on a piece and it is locked: it cannot move, capture, guard or give check. Here the rook locks the bishop. When it leaves, the bishop is free again.",
    "locking-climb": "A piece on the board moves as in chess, and may climb onto a piece of its own side. A pawn climbs straight or diagonally, and captures only diagonally.",
    "locking-below": "Does your piece stand on an enemy piece? Then another of yours may capture the enemy from below, and stands locked in its place.",
    "locking-knight": "Does an enemy piece stand on one of yours? Only a knight may capture it from the board; a rook may not.",
    "locking-overlaid": "A piece that stands on another passes over single pieces, and may land on one of either side and lock it. It captures only pieces that stand on others, and goes down to empty squares.",
    "locking-step": "A pawn that stands on another piece goes one square, never two. On the last rank it promotes at once.",
    "locking-passing": "A pawn that stands on a piece may lock a pawn that has just passed it: that one goes back to the square it passed, and the other stands on it. Nothing is captured.",
    "locking-castlock": "Castlock: castle, but put the rook on the king.",
    "locking-check": "Landing on the piece that gives check locks it, and the check is over. A mated king that is locked is lockmated.",
    "locking-approach": "Do not put your king beside a king that is locked by your own piece, if that piece could land on him.",
    "meirav-bury": "What you capture is buried under your piece. When your piece leaves, it comes up and plays again. What was buried there before leaves the game.",
    "meirav-bottom": "Instead of a move above, a buried piece may capture a buried enemy piece in its usual way. Only buried pieces are in its way. What it captures leaves the game.",
    "meirav-buried": "A buried piece makes no other moves. Castling wants king and rook with nothing buried under them.",
    "meirav-uncover": "The knight would come up and check the king: a move may not do that.",
    "meirav-passing": "A pawn captured in passing is buried under the pawn that took it.",
    "meirav-pawn": "A pawn on its second rank may always go two squares, also when it has come up there.",
    "pillar-under": "What you capture goes under your piece, with all that stands there. Nothing leaves the board. A pillar moves and captures as its top piece.",
    "pillar-owner": "A pillar belongs to the side whose piece is on top.",
    "pillar-split": "You may move only the upper pieces, if the rest has one of your own on top.",
    "pillar-pawn": "A pawn on its first or second rank may go two squares.",
    "pillar-left": "A pawn that is left on its last rank stays there as a pawn. Castling wants king and rook alone on their squares. There is no draw for want of material.",
    "pillar-liberal": "With the liberal rule the rest may have an enemy piece on top: it is the enemy's then.",
    "superchess-occupy": "A queen, bishop, knight or pawn may go onto a free rook of either side. It becomes a superpiece.",
    "superchess-occupied": "An occupied rook does not move by itself: whoever stands on it commands it.",
    "superchess-rook": "Rooks and kings never occupy.",
    "superchess-unit": "The two move together, as the superpiece or as the rook. Together they cannot occupy another rook.",
    "superchess-leave": "The superpiece may leave alone, by its own move. The rook is its owner's again.",
    "superchess-capture": "Whoever captures such a stack takes both. A queen, bishop, knight or pawn alone may take only the superpiece, and stand on the rook.",
    "superchess-pawn": "A pawn on a rook goes one square, never two. It promotes only when it goes alone to the last rank.",
    "superchess-check": "A stack attacks as both, also on an enemy rook: now the rook gives check to its own king. Castling wants a rook that nobody stands on.",
    "flying-rook": "Each square has a ground and an air. A rook may rise with the last step of its move, over whatever stands there, or straight up. In the air it moves as a rook among flyers, or comes straight down.",
    "flying-ground": "Kings, queens and pawns stay on the ground.",
    "flying-bishop": "A bishop rises straight up. In the air it moves as a bishop among flyers, and the last step may go down.",
    "flying-knight": "A knight rises straight up. In the air it leaps to the air or to the ground.",
    "flying-headbutt": "A piece on the ground may capture an enemy piece that flies right above it, without moving.",
    "flying-mate": "Beware of the air above your king: after 1.Bf1^ a6 2.Bb5^ it is mate.",
  },
  // The first page of a board that has no configuration.
  first: {
    title: "Your board's first start", word: "word", enter: "Go on", touch: "Touch a square instead",
    askDisplay: "Enter the word that stands on the board's display.", askLog: "Enter the word that stands in the log of the board's computer (journalctl -u boardd).",
    touching: "A square of the board is lit: put a piece on it, or lift the one that stands there.",
    found: "What is connected", kinds: { stack: "A stack board: reeds, and a weight hub.", twin: "A twin board: two decks with height sensors.", reeds: "A board with reeds alone.", "": "No board is connected. A virtual one on this page will do until then." },
    chips: (b) => `${b.name}: ${[b.expanders.length && `expanders at ${b.expanders.map((a) => "0x" + a.toString(16)).join(" ")}`, b.multiplexers.length && count(b.multiplexers.length, "multiplexer", "multiplexers"), b.display && "a display"].filter(Boolean).join(", ")}`,
    hub: (h) => `weight hub: ${h}`, again: "Look again", name: "What is it called?", seats: "Who plays?", network: "Network", password: "Password", advanced: "How it is connected",
    labels: { board: "name", "game.variant": "game", "game.white": "White", "game.black": "Black", "mqtt.url": "broker, for games between boards" },
    passwordHelp: "Whoever has it may do everything on the board's page. 12 letters or more, without spaces.", see: "Show the password",
    networks: "Join a wireless network", networkName: "network", networkPassword: "its password", join: "Join", joined: "joined", joining: "Joining. If this page loses the board, join the same network with this device and open it again.",
    point: (p) => `The board is in no network: it has opened its own, ${p}.`, none: "No wireless network can be joined here:",
    doctor: "Try every part", trying: "Trying every part. This takes some seconds.", well: "Every part is well.", ill: (n) => `${count(n, "part needs", "parts need")} mending. You can go on, and mend it later.`,
    write: "Write the configuration", calibrate: "Calibrate the board first", file: (f) => `It will be written to ${f}, with what every line means. All of it can be changed later.`, text: "the whole file",
    done: "It is written. The board begins …", doneCalibrate: "It is written. The calibration begins …", closed: "This board is set up: this page is closed for good.",
  },
  settings: {
    title: "Settings", link: "Settings", save: "Save", saved: "Saved: it counts now.", later: "Saved: it counts after a restart.", restart: "Restart now", calibrate: "Restart and calibrate", undo: "Undo the last change", undone: "The file before the last change is back.",
    waiting: (names) => `These changes wait for a restart: ${names.join(", ")}.`, file: (f) => `The file is ${f}. What you write into it with an editor stays as you wrote it.`, many: "several values: change them in the file", virtual: "Restarting. The game goes on where it was.",
    need: "Settings are changed with the right of the workshop: log in with such a token.", none: "This program was started without a configuration file: there is nothing to change.", now: "at once", after: "after a restart",
  },
};
