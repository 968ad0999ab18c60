// SPDX-License-Identifier: Apache-2.0

package livechess

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sync/wire"
)

// program is one that talks with the server.
type program struct {
	server *server
	feeds  map[float64]*feed // by the number that the program gave it
}

// feed is a board that a program has subscribed to.
type feed struct {
	board Source
	setup string // the position from which the program counts moves, without counters; "" is the beginning of the game
	last  []byte // as it was told last
}

// request is what a program asks for.
type request struct {
	ID    json.RawMessage `json:"id"`
	Call  string          `json:"call"` // eboards, subscribe, unsubscribe or call
	Param json.RawMessage `json:"param"`
}

// response is an answer, or news of a feed.
type response struct {
	Response string   `json:"response"` // call, feed or error
	ID       *float64 `json:"id"`       // always a number, because programs compare it strictly
	Param    any      `json:"param"`
	Time     int64    `json:"time"` // milliseconds since 1970
}

// eboardEvent is news of a board.
type eboardEvent struct {
	Serial string   `json:"serialnr"`
	Board  string   `json:"board"`
	SAN    []string `json:"san,omitempty"` // moves since the position that the program set up
	Match  *bool    `json:"match"`         // whether that position is one of the game
}

// number reads an id, which may have been sent as text.
func number(raw json.RawMessage) (n float64, ok bool) {
	text := strings.Trim(string(bytes.TrimSpace(raw)), `"`)
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n == n && n < 1<<53 && n > -(1<<53)
}

// answer answers a request. It also returns the feed that the request has begun or set up, by its number.
func (p *program) answer(data []byte, now time.Time) (answer []byte, about []float64) {
	var r request
	err := json.Unmarshal(data, &r)
	id, ok := number(r.ID)
	out := response{Response: "call", Time: now.UnixMilli()}
	if ok {
		out.ID = &id
	}
	switch {
	case err != nil:
		err = fmt.Errorf("that is no request: want {\"id\":1,\"call\":\"eboards\"}: %w", err)
	case !ok:
		err = fmt.Errorf("the request has no number: want \"id\":1")
	case r.Call == "eboards":
		out.Param = p.server.eboards()
	case r.Call == "subscribe":
		about, err = p.subscribe(r.Param)
	case r.Call == "unsubscribe":
		err = p.unsubscribe(r.Param)
	case r.Call == "call":
		about, err = p.call(r.Param)
	default:
		err = fmt.Errorf("the call %.40q is unknown: want eboards, subscribe, unsubscribe or call", r.Call)
	}
	if err != nil {
		out.Response, out.Param = "error", err.Error()
	}
	return encode(out), about
}

// subscribe begins a feed, and returns its number.
func (p *program) subscribe(param json.RawMessage) ([]float64, error) {
	var s struct {
		Feed  string          `json:"feed"`
		ID    json.RawMessage `json:"id"`
		Param struct {
			Serial string `json:"serialnr"`
		} `json:"param"`
	}
	if err := json.Unmarshal(param, &s); err != nil {
		return nil, fmt.Errorf("subscribe: %w", err)
	}
	id, ok := number(s.ID)
	i := slices.IndexFunc(p.server.boards, func(b Source) bool { return b.ID == s.Param.Serial })
	switch {
	case s.Feed != "eboardevent":
		return nil, fmt.Errorf("the feed %.40q is unknown: want eboardevent", s.Feed)
	case !ok:
		return nil, fmt.Errorf("the feed has no number: want \"id\":1")
	case i < 0:
		return nil, fmt.Errorf("there is no board %.40q: eboards lists them by serialnr", s.Param.Serial)
	case p.feeds[id] == nil && len(p.feeds) >= mostFeeds:
		return nil, fmt.Errorf("%d feeds are open already", len(p.feeds))
	}
	p.feeds[id] = &feed{board: p.server.boards[i]}
	return []float64{id}, nil
}

// unsubscribe ends a feed, named by its number or by an object with it.
func (p *program) unsubscribe(param json.RawMessage) error {
	id, ok := number(param)
	if !ok {
		var s struct {
			ID json.RawMessage `json:"id"`
		}
		if json.Unmarshal(param, &s) == nil {
			id, ok = number(s.ID)
		}
	}
	if !ok || p.feeds[id] == nil {
		return fmt.Errorf("there is no such feed: want the number that it was subscribed by")
	}
	delete(p.feeds, id)
	return nil
}

// call does something with a feed, and returns its number: setup tells from which position the program counts moves.
func (p *program) call(param json.RawMessage) ([]float64, error) {
	var s struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Param  struct {
			FEN string `json:"fen"`
		} `json:"param"`
	}
	if err := json.Unmarshal(param, &s); err != nil {
		return nil, fmt.Errorf("call: %w", err)
	}
	id, ok := number(s.ID)
	f := p.feeds[id]
	switch {
	case !ok || f == nil:
		return nil, fmt.Errorf("there is no such feed: want the number that it was subscribed by")
	case s.Method == "flip":
		return nil, nil // the game says which side is which
	case s.Method != "setup":
		return nil, fmt.Errorf("the method %.40q is unknown: want setup", s.Method)
	}
	v, err := rules.ByID("chess")
	if err != nil {
		return nil, err
	}
	fen := s.Param.FEN
	if fen == "" || fen == "startpos" {
		at := v.Start()
		fen = at.FEN()
	}
	at, err := v.ParseFEN(fen)
	if err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	f.setup, f.last = position(at.FEN()), nil
	return []float64{id}, nil
}

// news is what has changed on the boards of these feeds. To look at one costs as much as to play its game through.
func (p *program) news(now time.Time, feeds []float64) (out [][]byte) {
	for _, id := range feeds {
		f := p.feeds[id]
		g := orthodox(f.board.Game())
		if g == nil {
			continue
		}
		e, err := f.event(g)
		if err != nil {
			continue // a game that the rules refuse
		}
		data := encode(e)
		if bytes.Equal(data, f.last) {
			continue
		}
		f.last = data
		out = append(out, encode(response{"feed", &id, e, now.UnixMilli()}))
	}
	return out
}

// event compares a board with the position that the program has set up. It has the moves since that position was last
// on the board.
func (f *feed) event(g *wire.Game) (e eboardEvent, err error) {
	e = eboardEvent{Serial: f.board.ID, Board: placement(g.FEN)}
	v, err := rules.ByID(g.Variant)
	if err != nil {
		return e, err
	}
	at, err := v.ParseFEN(g.Start)
	if err != nil {
		return e, err
	}
	since := -1
	for i := 0; ; i++ {
		if f.setup == "" && i == 0 || position(at.FEN()) == f.setup {
			since = i
		}
		if i == len(g.Moves) {
			break
		}
		m, err := at.ParseMove(g.Moves[i])
		if err != nil {
			return e, err
		}
		at.Play(m)
	}
	match := since >= 0
	if e.Match = &match; match {
		e.SAN = g.SAN[since:]
	}
	return e, nil
}

// placement is the first field of a FEN, where the pieces stand.
func placement(fen string) string {
	first, _, _ := strings.Cut(fen, " ")
	return first
}

// position is a FEN without what programs count differently: en passant, and the counters.
func position(fen string) string {
	f := strings.Fields(fen)
	return strings.Join(f[:min(3, len(f))], " ")
}
