// SPDX-License-Identifier: Apache-2.0

package games

import (
	"crypto/ed25519"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

// attempts is how often a hostile broker tries; make soak asks for 10,000.
var attempts = flag.Int("attempts", 1000, "how often a hostile broker tries to get a false move past a board or "+
	"past verify")

// duel is a game of two boards with a hostile broker between them. North is a table, south an honest board whose
// messages the broker has in its hands. Each knows the other's key.
type duel struct {
	t     *testing.T
	r     *rand.Rand
	now   time.Time
	north *table.Table
	south *game.Game
	keys  *trust.Keys // of south
	evil  *trust.Keys // the broker's own
	said  []table.Message
	asked int  // the number of north's last request
	fixed bool // north's owner has fixed south's key
	pins  map[string]ed25519.PublicKey
}

// played is the game of a duel. The board began it by itself, as boards do that are switched on.
const played = table.Automatic + "m"

func newDuel(t *testing.T, seed uint64) *duel { return startDuel(t, seed, true) }

// startDuel begins a duel. North's owner has fixed south's key, or else north keeps the first one that it meets.
func startDuel(t *testing.T, seed uint64, fixed bool) *duel {
	t.Helper()
	d := &duel{t: t, fixed: fixed, r: rand.New(rand.NewPCG(seed, 21)),
		now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	own := func(name, pinned string) (*trust.Keys, string, ed25519.PublicKey) {
		dir := t.TempDir()
		k, err := trust.Read(pinned)
		if err == nil {
			_, _, err = k.Own(dir, name)
		}
		key, _, failed := seal.LoadKey(filepath.Join(dir, "board.key"))
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		return k, filepath.Join(dir, "board.pub"), key.Public().(ed25519.PublicKey)
	}
	var souths string
	var south, north ed25519.PublicKey
	d.keys, souths, south = own("south", "")
	d.evil, _, _ = own("south", "")
	if !fixed {
		souths = ""
	}
	norths, _, north := own("north", souths)
	d.pins = map[string]ed25519.PublicKey{"north": north, "south": south}
	d.north = table.New(table.Options{Board: "north", Trust: norths,
		Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
	setup := game.Setup{ID: played, Variant: "chess", White: "north", Black: "south", Board: "north"}
	effects, err := d.north.Start(d.now, setup)
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	setup.Board = "south"
	started, err := game.Start(setup, d.now)
	if err == nil {
		d.south, err = game.New(started)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.speak()
	if !fixed {
		d.hear()
	}
	return d
}

// hear lets north hear south's newest message.
func (d *duel) hear() { d.carry(d.north.Receive(d.now, clone(d.said[len(d.said)-1]))) }

// carry stores what the table wants stored, and shows nothing.
func (d *duel) carry(effects []table.Effect) {
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		if _, ok := e.(table.Append); ok {
			effects = slices.Concat(d.north.Stored(d.now, nil), effects)
		}
	}
}

// speak lets south sign and publish its game.
func (d *duel) speak() {
	for _, e := range d.keys.Sign(d.south, d.now) {
		if err := d.south.Apply(e); err != nil {
			d.t.Fatal(err)
		}
	}
	d.said = append(d.said, message(d.south))
}

// message is south's message about a game.
func message(g *game.Game) table.Message {
	start := g.Start()
	return table.Message{Game: game.RemoteGame{
		Board: "south", ID: g.ID(), Variant: "chess", White: "north", Black: "south",
		Start: start.FEN(), Moves: g.Coords(),
		Outcome: g.Outcome(), Reason: string(g.Reason()), Takebacks: g.Takebacks()},
		Seals: table.Seals{game.White: g.Seal(game.White), game.Black: g.Seal(game.Black)}}
}

// play makes the next two moves, north's and south's, each at the own board, and lets north hear of them.
func (d *duel) play() bool {
	if legal := d.south.Legal(); len(legal) > 0 {
		m := legal[d.r.IntN(len(legal))]
		effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: game.Move, Move: m, By: game.White}})
		if err != nil {
			d.t.Fatal(err)
		}
		d.carry(effects)
		if err := d.south.Apply(game.Event{Kind: game.Moved, At: d.now, Move: m, Remote: true}); err != nil {
			d.t.Fatal(err)
		}
	}
	if legal := d.south.Legal(); len(legal) > 0 {
		if err := d.south.Apply(game.Event{Kind: game.Moved, At: d.now, Move: legal[d.r.IntN(len(legal))]}); err != nil {
			d.t.Fatal(err)
		}
	}
	d.speak()
	return !d.south.Over()
}

// forge is a message that south never sent, or not now.
func (d *duel) forge() (m table.Message, what string) {
	pick := func() table.Message { return clone(d.said[d.r.IntN(len(d.said))]) }
	m = clone(d.said[len(d.said)-1])
	h := &m.Game
	if d.r.IntN(2) == 0 { // south has not answered what north asked
		m.Answered = table.Reply{Number: d.asked, Accepted: true}
	}
	switch d.r.IntN(13) {
	case 0:
		return pick(), "replayed"
	case 1:
		d.extend(h, 1+d.r.IntN(3))
		return m, "moves added"
	case 2:
		d.extend(h, 1)
		m.Seals = d.sealed(h, d.evil)
		return m, "a move added, signed by another key"
	case 3:
		h.Moves = h.Moves[:d.r.IntN(len(h.Moves)+1)]
		return m, "moves dropped"
	case 4:
		if len(h.Moves) > 1 {
			i, j := d.r.IntN(len(h.Moves)), d.r.IntN(len(h.Moves))
			h.Moves[i], h.Moves[j] = h.Moves[j], h.Moves[i]
		}
		return m, "moves in another order"
	case 5:
		m.Seals = pick().Seals
		d.extend(h, 1)
		return m, "an older signature under more moves"
	case 6:
		h.Outcome, h.Reason = "0-1", "resignation"
		return m, "a result that nobody gave"
	case 7:
		h.Takebacks++
		h.Moves = h.Moves[:max(0, len(h.Moves)-2)]
		return m, "a takeback that nobody made"
	case 8:
		h.White, h.Black = "south", "south"
		d.extend(h, 2)
		m.Seals[game.White] = m.Seals[game.Black]
		return m, "both seats"
	case 9:
		d.extend(h, 1)
		m.Seals = table.Seals{}
		return m, "no signature"
	case 10:
		h.ID = []string{table.Automatic + "a", table.Automatic + "z", "z"}[d.r.IntN(3)]
		return m, "the signatures of this game under another one"
	case 11:
		h.ID = []string{table.Automatic + "a", table.Automatic + "z", "z"}[d.r.IntN(3)]
		m.Seals = d.sealed(h, d.evil)
		return m, "another game, signed by another key"
	}
	if n := len(h.Moves); n > 0 { // to another reader the game goes another way
		h.Moves = h.Moves[:n-1]
		d.extend(h, 1)
	}
	return m, "equivocated"
}

// ask lets north ask south for what a broker might say yes to.
func (d *duel) ask() {
	if d.north.Game().Plies() < 2 || d.north.Game().Over() {
		return // no consent is needed
	}
	do := []game.ActionKind{table.Rematch, game.Abort}[d.r.IntN(2)]
	effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: do}})
	if d.carry(effects); err != nil {
		d.t.Fatalf("%s: %v", do, err)
	}
	d.asked++
}

func clone(m table.Message) table.Message {
	m.Game.Moves = slices.Clone(m.Game.Moves)
	seals := table.Seals{}
	for side, s := range m.Seals {
		seals[side] = s
	}
	m.Seals = seals
	return m
}

// doubted reports whether north's people are asked whose key it is.
func (d *duel) doubted() bool {
	text := d.north.Conflict().English
	return strings.Contains(text, "signed by the key") || strings.Contains(text, "is not signed")
}

// settle is that somebody at north presses the button that gives way to south.
func (d *duel) settle() error {
	effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: table.Settle}})
	d.carry(effects)
	return err
}

// at is the game that a message tells, nil where its moves cannot be made.
func (d *duel) at(h *game.RemoteGame) *game.Game {
	started, err := game.Start(game.Setup{ID: h.ID, Variant: h.Variant, White: h.White, Black: h.Black, Board: "south"},
		d.now)
	if err != nil {
		return nil
	}
	g, err := game.New(started)
	for _, m := range h.Moves {
		if err == nil {
			err = g.Apply(game.Event{Kind: game.Moved, At: d.now, Move: m, Remote: true})
		}
	}
	if err != nil {
		return nil
	}
	return g
}

// extend adds legal moves.
func (d *duel) extend(h *game.RemoteGame, n int) {
	g := d.at(h)
	for range n {
		if g == nil || len(g.Legal()) == 0 {
			return
		}
		m := g.Legal()[d.r.IntN(len(g.Legal()))]
		if g.Apply(game.Event{Kind: game.Moved, At: d.now, Move: m}) == nil {
			h.Moves = append(h.Moves, m)
		}
	}
}

// sealed is what a message bears that was signed by somebody else's key.
func (d *duel) sealed(h *game.RemoteGame, by *trust.Keys) table.Seals {
	seals := table.Seals{}
	if g := d.at(h); g != nil {
		for _, e := range by.Sign(g, d.now) {
			seals[e.By] = e.Seal
		}
	}
	return seals
}

// honest reports whether north's game is a beginning of the game that was played, without a false result.
func (d *duel) honest() bool {
	g, moves := d.north.Game(), d.south.Coords()
	n := g.Plies()
	return g.ID() == played && n <= len(moves) && slices.Equal(g.Coords(), moves[:n]) && n >= len(moves)-1 &&
		(g.Outcome() == "" || g.Outcome() == d.south.Outcome()) && g.Takebacks() == 0
}

// TestHostileBroker: the broker forges, replays, reorders, drops and contradicts messages and swaps keys. It also says
// yes in south's name. None of this adds a move of south to north's wood, removes one, sets a result or ends the game.
// Nor does it end the question whether a key is south's. The exported file verifies, and no changed copy of it does.
func TestHostileBroker(t *testing.T) {
	tried, taken := 0, map[string]int{}
	for seed := uint64(1); tried < *attempts; seed++ {
		d := startDuel(t, seed, seed%2 == 0)
		for range 20 {
			goes := d.play()
			if d.r.IntN(4) == 0 {
				d.ask()
			}
			for range 4 { // the broker has the new message, and has not passed it on
				m, what := d.forge()
				doubted, fresh := d.doubted(), m.Seals[game.Black] == d.said[len(d.said)-1].Seals[game.Black]
				d.now = d.now.Add(time.Second)
				d.carry(d.north.Receive(d.now, m))
				tried++
				taken[what]++
				if doubted && !fresh && !d.doubted() {
					t.Fatalf("seed %d, %s: the question whose key it is has gone", seed, what)
				}
				if d.r.IntN(2) == 0 && (d.fixed || !d.doubted()) { // nobody says that the other key is south's
					d.settle() //nolint:errcheck // whether or not there is something to settle
				}
				if !d.honest() {
					t.Fatalf("seed %d, %s: north holds %v %s, south has played %v", seed, what, d.north.Game().Coords(),
						d.north.Game().Outcome(), d.south.Coords())
				}
			}
			d.hear()
			if got := d.north.Game().Coords(); !slices.Equal(got, d.south.Coords()) {
				t.Fatalf("seed %d: after the true message north holds %v, want %v", seed, got, d.south.Coords())
			}
			if !goes {
				break
			}
		}
		tried += d.tamper(seed)
	}
	if len(taken) < 13 {
		t.Errorf("only these were tried: %v", taken)
	}
}

// tamper changes the exported game at every move and has each file verified.
func (d *duel) tamper(seed uint64) (tried int) {
	file := File(d.north.Game(), nil, nil)
	verify := func() []string { return newChecker(file, d.pins).run() }
	if faults := verify(); len(faults) > 0 {
		d.t.Fatalf("seed %d: the true game does not verify: %v", seed, faults)
	}
	p := file.Start
	for i, ply := range file.Plies {
		for _, m := range p.AppendMoves(nil) {
			if m == ply.Move {
				continue
			}
			g := file.Start
			plies := slices.Clone(file.Plies)
			plies[i].Move, plies[i].SAN = m, p.SAN(m)
			legal := true
			for k := range plies {
				legal = legal && slices.Contains(g.AppendMoves(nil), plies[k].Move)
				if legal {
					g.Play(plies[k].Move)
				}
			}
			if !legal {
				continue
			}
			changed := *file
			changed.Plies = plies
			tried++
			if len(newChecker(&changed, d.pins).run()) == 0 {
				d.t.Fatalf("seed %d: move %d changed to %s verifies", seed, i+1, p.SAN(m))
			}
			break
		}
		p.Play(ply.Move)
	}
	return tried
}
