// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"boardd/hardware/box/emulator"
	"boardd/hardware/virtual"
	"boardd/hardware/virtual/hands"
	"boardd/hardware/virtual/play"
	"boardd/rules"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// boardID is the board in the guest.
const boardID = "boxed"

// table is the board in the guest, as its players use it. Its wood is moved by hand on the board whose devices the
// guest has. If the chips are inside the daemon, it is moved over the page.
type table struct {
	url      string
	http     http.Client
	geometry wood.Geometry
	board    *virtual.Board // nil: inside the daemon
}

func newTable(address string, board *virtual.Board) *table {
	kind := virtual.Stack
	if board != nil {
		kind = board.Kind()
	}
	return &table{url: "http://" + address + "/api/boards/" + boardID, http: http.Client{Timeout: answersIn},
		geometry: geometryOf(kind), board: board}
}

// get reads a part of the board.
func (t *table) get(ctx context.Context, what string, v any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url+"/"+what, nil)
	if err != nil {
		return err
	}
	resp, err := t.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // all was read
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, data)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

func (t *table) game(ctx context.Context) (g wire.Game, err error) {
	err = t.get(ctx, "game", &g)
	return g, err
}

// await asks for the game until it satisfies the condition.
func (t *table) await(ctx context.Context, what string, ok func(*wire.Game) bool) (wire.Game, error) {
	ctx, cancel := context.WithTimeout(ctx, emulator.Patience)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		g, err := t.game(ctx)
		if err == nil && ok(&g) {
			return g, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return g, fmt.Errorf("waited in vain until %s: %d moves, %s, %v", what, len(g.Moves), g.Wood.State, err)
		}
	}
}

// handRequest is the body of a hand request.
type handRequest struct {
	Do     string   `json:"do"`
	Square string   `json:"square,omitempty"`
	Deck   string   `json:"deck,omitempty"`
	Count  int      `json:"count,omitempty"`
	Pieces []string `json:"pieces,omitempty"`
	Hand   string   `json:"hand"`
}

// act carries out one act of a hand.
func (t *table) act(ctx context.Context, a hands.Act) error {
	if t.board != nil {
		return play.Do(t.board, a)
	}
	d := handRequest{Square: a.Place.Square().String(), Deck: a.Place.Deck().String()}
	switch a.Do {
	case hands.Lift:
		d.Do, d.Count = "lift", a.Count
	case hands.Put:
		d.Do = "place"
	case hands.Discard:
		d = handRequest{Do: "discard"}
	case hands.Take:
		d = handRequest{Do: "take"}
		for _, p := range a.Pieces {
			d.Pieces = append(d.Pieces, string(p))
		}
	default:
		return fmt.Errorf("the page has no hand for %v", a)
	}
	d.Hand = map[hands.Hand]string{hands.Left: "left", hands.Right: "right"}[a.Hand]
	return t.post(ctx, "hand", d)
}

func (t *table) post(ctx context.Context, what string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url+"/"+what, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := t.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // all was read
	said, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || bytes.Contains(said, []byte(`"ok":false`))) {
		err = fmt.Errorf("%s %s: %s: %s", what, body, resp.Status, said)
	}
	return err
}

// wood is what stands on the virtual board in the guest.
func (t *table) wood(ctx context.Context) (w wood.Wood, err error) {
	if t.board != nil {
		return t.board.Wood(), nil
	}
	var piles map[string]map[string][]string
	if err := t.get(ctx, "wood", &piles); err != nil {
		return w, err
	}
	for d, name := range []string{"lower", "upper"} {
		for square, pile := range piles[name] {
			sq, err := rules.ParseSquare(square)
			if err != nil {
				return w, err
			}
			for _, p := range pile {
				w[64*d+int(sq)] += wood.Pile(p)
			}
		}
	}
	return w, nil
}

// standAs moves the wood by hand until it stands as the position has it.
func (t *table) standAs(ctx context.Context, to *rules.Position) error {
	now, err := t.wood(ctx)
	if err != nil {
		return err
	}
	want := t.geometry.Lay(to)
	p := hands.Person{Do: func(a hands.Act) error { return t.act(ctx, a) }, Pace: hands.Brisk(),
		Rand: rand.New(rand.NewPCG(1, 2))}
	return p.Perform(ctx, hands.Plan(&now, &want))
}

// play makes moves by hand from ply on, and waits until each is in the game.
func (t *table) play(ctx context.Context, line []rules.Position, coords []string, from int) error {
	for i := from; i < len(coords); i++ {
		if err := t.standAs(ctx, &line[i+1]); err != nil {
			return fmt.Errorf("ply %d, %s: %w", i+1, coords[i], err)
		}
		if _, err := t.await(ctx, coords[i]+" is made",
			func(g *wire.Game) bool { return slices.Equal(g.Moves, coords[:i+1]) }); err != nil {
			return fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	return nil
}

// geometryOf is what a kind of board can sense.
func geometryOf(kind virtual.Kind) wood.Geometry {
	g := wood.Reference()
	g.Weights = kind == virtual.Stack
	g.Heights, g.TwoDecks = kind == virtual.Twin, kind == virtual.Twin
	return g
}
