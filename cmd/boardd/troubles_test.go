// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardd/hardware/virtual"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sync/wire"
	"boardd/systemd/steady"
)

// usual is the number of log lines without any trouble. They say that there is no calibration and no traces. They tell
// the board's key, the game that begins, what the board has to ask for in it, and the connection.
const usual = 6

// commanded is the number of lines that say that a command came over MQTT, before further ones are held back.
const commanded = 3

// troubles last until the context ends. most is the largest number of lines of the log after two minutes, and says is
// what the log must contain.
var troubles = []struct {
	name, kind string
	most       int
	says       string
	begin      func(ctx context.Context, w *troubled)
}{
	{"none", "reeds", usual, "", func(context.Context, *troubled) {}},
	{"none, two decks", "twin", usual, "", func(context.Context, *troubled) {}},

	{"broker out of reach", "reeds", usual + 4, "no route to the broker", func(_ context.Context, w *troubled) {
		w.net.CutOff("table", true)
	}},
	{"broker accepts and drops", "reeds", usual + 7, "closed pipe", func(_ context.Context, w *troubled) {
		w.dial = func(context.Context, *url.URL) (net.Conn, error) {
			near, far := net.Pipe()
			go func() {
				io.ReadFull(far, make([]byte, 10)) //nolint:errcheck // it is thrown away
				far.Close()
			}()
			return near, nil
		}
		w.net.Cut("table")
	}},
	{"broker lets in and throws out", "reeds", usual + 9, "another client probably uses the id",
		func(ctx context.Context, w *troubled) {
			every(ctx, 5*time.Second, func(int) { w.net.Cut("table") })
		}},
	{"broker fails from another port each time", "reeds", usual + 4, "connection reset",
		func(_ context.Context, w *troubled) {
			var n atomic.Int32
			w.dial = func(context.Context, *url.URL) (net.Conn, error) {
				return nil, fmt.Errorf("read tcp 127.0.0.1:%d->127.0.0.1:1883: connection reset", 30000+n.Add(1))
			}
			w.net.Cut("table")
		}},

	{"hub gone", "stack", usual + 1, "no load cell of the lower deck answers", func(context.Context, *troubled) {}},
	{"noisy reed", "reeds", usual + 6, "reed of e2", func(_ context.Context, w *troubled) {
		w.v.Faults().Reed(sensing.Lower, 12, virtual.ReedNoisy)
	}},
	{"contact of a reed resists", "reeds", usual + 6, "reed of e2", func(_ context.Context, w *troubled) {
		w.v.Faults().Resist(sensing.Lower, 12, 8000)
	}},
	{"reed noisy now and then", "reeds", usual + 6, "reed of e2", func(ctx context.Context, w *troubled) {
		every(ctx, 10*time.Second, func(n int) {
			w.v.Faults().Reed(sensing.Lower, 12, []virtual.ReedFault{virtual.ReedNoisy, virtual.ReedGood}[n%2])
		})
	}},
	{"expander gone", "reeds", usual + 1, "reeds of rank 3, 4", func(_ context.Context, w *troubled) {
		w.v.Faults().Expander(sensing.Lower, 1, true)
	}},
	{"expander comes and goes", "reeds", usual + 6, "this is over", func(ctx context.Context, w *troubled) {
		every(ctx, 4*time.Second, func(n int) { w.v.Faults().Expander(sensing.Lower, 1, n%2 == 0) })
	}},
	{"nothing answers on the bus", "twin", usual + 2, "no height sensor", func(_ context.Context, w *troubled) {
		w.v.Faults().Bus(wires.Faults{NackEvery: 1})
	}},
	{"bus held", "reeds", usual + 1, "no reed of the lower deck answers", func(_ context.Context, w *troubled) {
		w.v.Faults().StickSDA(1 << 40)
	}},
	{"bits flip on the bus", "reeds", usual + steady.SameWarn + 30, "toggles though nothing moves",
		func(_ context.Context, w *troubled) {
			w.v.Faults().Bus(wires.Faults{NackEvery: 3, FlipEvery: 2})
		}},
	{"chips miss clocks", "twin", usual, "", func(_ context.Context, w *troubled) {
		w.v.Faults().Bus(wires.Faults{StretchEvery: 50})
	}},
	{"multiplexer gone", "twin", usual + 1, "height sensors of rank 4", func(_ context.Context, w *troubled) {
		w.v.Faults().Mux(3, true)
	}},
	{"multiplexer comes and goes", "twin", usual + 6, "this is over", func(ctx context.Context, w *troubled) {
		every(ctx, 5*time.Second, func(n int) { w.v.Faults().Mux(3, n%2 == 0) })
	}},

	{"disk full", "reeds", usual + commanded + 1, "no space left", func(ctx context.Context, w *troubled) {
		w.full.Store(true)
		every(ctx, 2*time.Second, func(n int) { w.command(fmt.Sprintf(`{"id":"%d","do":"offer-draw","by":"white"}`, n)) })
	}},
	{"disk full now and then", "reeds", usual + commanded + 12, "saved again", func(ctx context.Context, w *troubled) {
		every(ctx, 2*time.Second, func(n int) {
			w.full.Store(n%2 == 0)
			w.command(fmt.Sprintf(`{"id":"%d","do":"new"}`, n))
		})
	}},

	{"rubbish commands", "reeds", usual + steady.SameWarn, "is unknown", func(ctx context.Context, w *troubled) {
		every(ctx, 100*time.Millisecond,
			func(n int) { w.command(fmt.Sprintf(`{"id":"%d","do":"dance-%s"}`, n, lettered(n))) })
	}},
	{"commands that are refused", "reeds", usual + commanded, "", func(ctx context.Context, w *troubled) {
		every(ctx, 100*time.Millisecond,
			func(n int) { w.command(fmt.Sprintf(`{"id":"%d","do":"move","move":"e2e%d"}`, n, 5+n%4)) })
	}},
	{"new games without end", "reeds", usual + 9, "a game of Chess", func(ctx context.Context, w *troubled) {
		every(ctx, 500*time.Millisecond, func(n int) { w.command(fmt.Sprintf(`{"id":"%d","do":"new"}`, n)) })
	}},
	{"somebody else says what the board says", "reeds", usual + 6, "another client writes the topics",
		func(ctx context.Context, w *troubled) {
			every(ctx, time.Second, func(n int) {
				w.say("table", wire.LeafStatus, []string{wire.Offline, wire.Online}[n%2])
				w.say("table", wire.LeafGame, fmt.Sprintf(`{"schema":1,"game":"%d"}`, n))
			})
		}},
	{"other board comes and goes", "reeds", usual + 1 + 3, "Black other", func(ctx context.Context, w *troubled) {
		w.invite()
		every(ctx, 500*time.Millisecond,
			func(n int) { w.say("other", wire.LeafStatus, []string{wire.Offline, wire.Online}[n%2]) })
	}},
	{"other board contradicts now and then", "reeds", usual + 10, "contradicts this game",
		func(ctx context.Context, w *troubled) {
			id := w.invite()
			w.command(`{"id":"m","do":"move","move":"e2e4","by":"white"}`)
			every(ctx, time.Second, func(n int) {
				w.say("other", wire.LeafGame,
					fmt.Sprintf(`{"schema":1,"game":%q,"variant":"chess","seats":{"white":"table","black":"other"},"start":%q,"moves":[%q],"san":["x"]}`,
						id, chessStart(w.t), []string{"e2e4", "d2d4"}[n%2]))
			})
		}},
	{"other board talks rubbish", "reeds", usual + 1 + 4 + steady.SameWarn, "dropped a game",
		func(ctx context.Context, w *troubled) {
			w.invite()
			every(ctx, 100*time.Millisecond,
				func(n int) { w.say("other", wire.LeafGame, strings.Repeat("{", n%9)+lettered(n)) })
		}},

	{"wood that is no position", "reeds", usual + 6, "no legal move leads", func(ctx context.Context, w *troubled) {
		every(ctx, 3*time.Second, func(int) {
			must(w.t, w.v.Take("right", []byte("Q")))
			must(w.t, w.v.Place("right", sensing.Lower, 28))
			time.Sleep(3 * time.Second)
			must(w.t, w.v.Lift("right", sensing.Lower, 28, 1))
			must(w.t, w.v.Discard("right"))
		})
	}},
	{"a move and back without end", "reeds", usual + 6, "takeback", func(ctx context.Context, w *troubled) {
		every(ctx, 3*time.Second, func(int) {
			must(w.t, w.v.Lift("right", sensing.Lower, 12, 1))
			must(w.t, w.v.Place("right", sensing.Lower, 28))
			time.Sleep(3 * time.Second)
			must(w.t, w.v.Lift("right", sensing.Lower, 28, 1))
			must(w.t, w.v.Place("right", sensing.Lower, 12))
		})
	}},
}

func chessStart(t *testing.T) string {
	v, err := rules.ByID("chess")
	must(t, err)
	p := v.Start()
	return p.FEN()
}

// TestNoTroubleFloodsTheLog: a trouble that lasts, or comes and goes, is logged, but not again and again.
func TestNoTroubleFloodsTheLog(t *testing.T) {
	lasts := 2 * time.Minute
	if shortened() {
		lasts = 15 * time.Second // too short for some of the lines
	}
	for _, c := range troubles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log, end := suffer(t, c.kind, c.begin, lasts)
			all := strings.Join(append(log, end...), "")
			if len(log) > c.most {
				t.Errorf("%d lines in two minutes, want %d at most:\n%s", len(log), c.most, all)
			}
			if !shortened() && !strings.Contains(all, c.says) {
				t.Errorf("the log does not say %q:\n%s", c.says, all)
			}
			if m := heldSo.FindAllString(strings.Join(end, ""), -1); len(m) != len(end) {
				t.Errorf("at the end it tells more than what it held back:\n%s", strings.Join(end, ""))
			}
			t.Logf("%d lines, %d at the end", len(log), len(end))
		})
	}
}

// heldSo finds how many lines were held back before a line.
var heldSo = regexp.MustCompile(`held_back=(\d+)`)

// lettered writes a number in letters, because lines that differ only in numbers count as the same to the log.
func lettered(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n))
}
