// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
)

// lights switches on all lights while the sensors are listened to, and says how much current that draws.
func (d *examination) lights(c *config.Config, l rig.Lights) {
	var all leds.Frame
	for i := range all {
		for j := range all[i] {
			all[i][j] = leds.Color{R: 255, G: 255, B: 255}
		}
	}
	err := l.Show(all)
	d.find("lights", err, fmt.Sprintf("the line takes what is sent: all shine white now, and draw %.0f mA of the %d mA "+
		"allowed. Look at them: from the first that stays dark the chain is cut, at its "+
		"DIN or at DOUT of the one before; if none shines, look at 5 V, ground and the level shifter; another color than "+
		"white is a broken light or too little current", l.Current(), c.CapMA))
}

// samples holds the readings of one kind of sensor on one deck.
type samples struct {
	known, closed rules.Bitboard
	first         time.Time // reading
	n             [64]float64
	sum, squares  [64]float64
}

// spread is the standard deviation of a square's values, from the mean of all.
func (f *samples) spread(sq rules.Square) float64 {
	if f.n[sq] < 2 {
		return 0
	}
	mean := f.sum[sq] / f.n[sq]
	return math.Sqrt(max(0, f.squares[sq]/f.n[sq]-mean*mean))
}

func (f *samples) mean(sq rules.Square) float64 { return f.sum[sq] / max(1, f.n[sq]) }

// take adds a reading, and reports whether some square is known now for the first time.
func (f *samples) take(m *sensing.Reading) (more bool) {
	more = m.Known&^f.known != 0
	f.known |= m.Known
	f.closed = m.Closed
	if f.first.IsZero() {
		f.first = m.At
	}
	if (m.Kind == sensing.Weights || m.Kind == sensing.Scale) && m.At.Sub(f.first) < discardFor {
		return more
	}
	for sq := range (m.Known &^ m.Stale).Squares() {
		v := float64(m.Value[sq])
		f.n[sq]++
		f.sum[sq] += v
		f.squares[sq] += v * v
	}
	return more
}

// sense is a kind of sensors on a deck.
type sense struct {
	kind sensing.Kind
	deck sensing.Deck
}

func (s sense) String() string { return s.kind.String() + ", " + s.deck.String() + " deck" }

// listen gathers what the sensors say for a while.
func (d *examination) listen(ctx context.Context, r *rig.Rig, log *slog.Logger) map[sense]*samples {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	began := time.Now()
	enough := time.AfterFunc(silenceLimit, cancel)
	defer enough.Stop()
	readings := make(chan sensing.Reading) // capacity 0: nothing is lost, the sources wait
	done := r.RunSources(ctx, readings, log)
	all := map[sense]*samples{}
	look := time.NewTicker(time.Second)
	defer look.Stop()
	waking := r.Uninitialized()
	for {
		select {
		case m := <-readings:
			k := sense{m.Kind, m.Deck}
			if all[k] == nil {
				all[k] = &samples{}
			}
			if all[k].take(&m) && len(all) >= r.Banks() {
				enough.Reset(max(restAfterLast, listening-time.Since(began)))
			}
		case <-look.C:
			if n := r.Uninitialized(); n < waking {
				waking = n
				enough.Reset(silenceLimit)
			}
		case <-ctx.Done():
			done()
			return all
		}
	}
}

// banks reports on the banks of sensors, except faults that follow from a bus or a chip that was reported already.
func (d *examination) banks(r *rig.Rig, lost *wiring) {
	if r.Bus != nil && !lost.dead {
		for i, p := range r.Bus.Health() {
			// The bus itself. Of addresses, not those where only the doctor has looked.
			if i == 0 || mentions(lost.answering, p.Name) {
				d.transfers(p)
			}
		}
	}
	for _, s := range r.Sources {
		parts := s.Health()
		onBus := !strings.HasPrefix(parts[0].Name, "hub ")
		for _, p := range parts {
			if onBus && (lost.dead || lost.covers(p.Name+" "+p.Detail) || p.Name == "reeds" && len(lost.silent) > 0) {
				continue
			}
			d.part(p)
		}
	}
}

// covers reports whether a text is about a chip that is known not to answer.
func (w *wiring) covers(text string) bool {
	return mentions(w.silent, text)
}

// mentions reports whether a text speaks of one of the addresses.
func mentions(addrs map[uint16]bool, text string) bool {
	for addr := range addrs {
		if strings.Contains(text, fmt.Sprintf("0x%02x", addr)) ||
			strings.Contains(text, fmt.Sprintf("pca9548-%02x-", addr)) {
			return true
		}
	}
	return false
}

// transfers says how many transfers on the bus failed. An address has a line only if some did.
func (d *examination) transfers(p sensing.Part) {
	var err error
	if p.Errors > 0 {
		err = mend(p.Detail, "a wire or a plug has a loose contact, or the wires are too long for the speed: move them "+
			"while boardd doctor runs, solder them anew, and use pull-ups of 2.2 kOhm")
	}
	d.find(p.Name, err, p.Detail)
}

// part reports the state of a bank or a chip.
func (d *examination) part(p sensing.Part) {
	well := p.Detail
	if p.Sweep > 0 {
		well = strings.TrimSpace(fmt.Sprintf("a sweep takes %v, the longest %v. %s", p.Sweep.Round(time.Microsecond),
			p.Worst.Round(time.Microsecond), p.Detail))
	}
	if well == "" {
		well = "answers"
	}
	var err error
	old := strings.Contains(p.Detail, "flash")
	if !p.OK || old || strings.Contains(p.Detail, "brown-out") {
		err = mend(p.Detail, "%s", remedy(&p))
	}
	d.find(p.Name, err, well)
}

// remedy is what mends a part that is not well.
func remedy(p *sensing.Part) string {
	switch {
	case strings.Contains(p.Detail, "flash"):
		return "write this release's program into it: boardd flash with the same --config, the daemon stopped"
	case strings.Contains(p.Detail, "brown-out"):
		return "give the hub a better supply: a powered USB socket, a shorter cable"
	case strings.HasPrefix(p.Name, "hub ") && strings.Contains(p.Detail, "no such file"):
		return "plug the hub in, or name its line in hardware.hub: `ls -l /dev/serial/by-id` shows what is there"
	case strings.HasPrefix(p.Name, "hub ") && strings.Contains(p.Detail, "permission denied"):
		return "see what was said of the device above"
	case strings.HasPrefix(p.Name, "hub "):
		return "see that the USB cable is one for data, that the hub's lamp is on, and that hardware.hub is its line: `ls " +
			"-l /dev/serial/by-id`; a new Arduino needs its " +
			"program first: boardd flash with the same --config"
	case p.Name == "cells absent":
		return "look at the plug, DOUT, the clock of the rank and the supply of the converters of these squares"
	case p.Name == "cells saturated":
		return "look at the four wires of the load cells of these squares: E+, E-, A+ and A-; one is open or two are " +
			"changed over, or the plate is jammed"
	case strings.Contains(p.Detail, "no target"):
		return "look what is before the sensor: its window is covered, or it does not look down onto the deck"
	case strings.HasPrefix(p.Name, "heights of"):
		return "look at the sensor's wires to its channel of the multiplexer (SDn, SCn, 2.8 to 3.3 V, ground) over these " +
			"squares"
	}
	return "look at its supply and wires"
}
