// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"strings"
)

// Copper that every board house makes: see the rules in strip.kicad_pro.
const (
	thin     = 0.2
	wide     = 0.4
	viaSize  = 0.6
	viaDrill = 0.3
)

// pitch of the lanes is that of the expander's pins, so that its pins stand on their lanes.
const pitch = 0.65

// lane is the y of a lane on the lower side. Pins 1 and 4 to 11 of the expander, 24 to 22 on its other side, are on
// lanes 0 to 10.
func lane(n int) float64 { return round(8 + pitch*float64(n)) }

const (
	laneInt  = 0
	laneSDA  = 1
	laneSCL  = 2
	laneReed = 3 // and on, a to h
	laneDout = 11
	chainY   = 1.0 // the lights' data, along the edge
)

func (b *board) route() {
	for i := range 8 {
		b.reed(i)
		b.light(i)
	}
	b.bus()
	b.ribbon()
	b.expander()
	b.feed()
}

// reed joins the four parts of an input in one line, and leads it down to its lane.
func (b *board) reed(file int) {
	sw, r, c, pull := fmt.Sprint("SW", 101+file), fmt.Sprint("R", 111+file), fmt.Sprint("C", 101+file),
		fmt.Sprint("R", 101+file)
	b.track(b.name(sw, "2"), front, thin, b.pad(sw, "2"), b.pad(r, "2"))
	net := b.name(r, "1")
	down := mm{b.pad(pull, "2").x + 1.3, lane(laneReed + file)}
	b.track(net, front, thin, b.pad(r, "1"), b.pad(c, "1"), b.pad(pull, "2"), mm{down.x, b.pad(pull, "2").y}, down)
	b.via(net, down)
	b.drop(c, "2", mm{b.pad(c, "2").x, 7.35})
	b.drop(sw, "1", b.pad(sw, "1").add(1.8, 0))
	b.drop(pull, "1", mm{b.pad(pull, "1").x, 16})
	// along the strip: from the outer of the input and J102 to the outer of the input and the expander
	from, to := b.pad("J102", fmt.Sprint(2+file)).x, b.pin("U2001", fmt.Sprint(4+file)).x
	b.track(net, back, thin, mm{min(from, down.x), down.y}, mm{max(to, down.x), down.y})
}

// drop leads a pad of a plane's net to its via.
func (b *board) drop(ref, number string, at mm) {
	b.track(b.name(ref, number), front, wide, b.pad(ref, number), at)
	b.via(b.name(ref, number), at)
}

// light joins a light to its capacitor, to the planes and to the next one.
func (b *board) light(file int) {
	d, c := fmt.Sprint("D", 101+file), fmt.Sprint("C", 121+file)
	v5 := b.name(d, "1")
	corner := mm{b.pad(c, "1").x, b.pad(d, "1").y}
	b.track(v5, front, wide, b.pad(d, "1"), corner, b.pad(c, "1"))
	b.via(v5, corner)
	b.drop(c, "2", b.pad(c, "2").add(0, -0.95))
	b.drop(d, "3", b.pad(d, "3").add(0, 1.15))
	out := b.pad(d, "2")
	up := mm{out.x + 1.25, chainY}
	net := b.name(d, "2")
	b.track(net, front, thin, out, mm{up.x, out.y}, up)
	b.via(net, up)
	if file < 7 {
		in := b.pad(fmt.Sprint("D", 102+file), "4")
		down := mm{in.x - 1.45, chainY}
		b.track(net, back, thin, up, down)
		b.via(net, down)
		b.track(net, front, thin, down, mm{down.x, in.y}, in)
		return
	}
	home := mm{b.pad("J101", "10").x, lane(laneDout)}
	b.track(net, back, thin, up, mm{up.x, home.y}, home)
	b.rise("J101", "10", laneDout)
}

// rise leads a connector's pin up to its lane.
func (b *board) rise(ref, number string, n int) mm {
	from := b.pad(ref, number)
	to := mm{from.x, lane(n)}
	b.track(b.name(ref, number), front, thin, from, to)
	b.via(b.name(ref, number), to)
	return to
}

// bus leads J101 to the expander and to the first light.
func (b *board) bus() {
	for _, k := range []struct {
		pin, chip string
		lane      int
	}{{"6", "22", laneSCL}, {"7", "23", laneSDA}, {"8", "1", laneInt}} {
		b.track(b.name("J101", k.pin), back, thin, b.rise("J101", k.pin, k.lane), b.pin("U2001", k.chip))
	}
	b.track(b.name("J101", "9"), front, thin, b.pad("J101", "9"), b.pad("R121", "1"))
	b.track(b.name("R121", "2"), front, thin, b.pad("R121", "2"), mm{b.pad("R121", "2").x, b.pad("D101", "4").y})
	b.track(b.name("TP2", "1"), front, wide, b.pad("TP2", "1"), b.pad("J101", "5"))
	b.track(b.name("TP3", "1"), front, wide, b.pad("TP3", "1"), b.pad("J101", "3"))
}

// ribbon leads the reeds' lanes to J102, and J2004 straight to the expander: the nearer the pin, the lower the track.
func (b *board) ribbon() {
	for i := range 8 {
		b.rise("J102", fmt.Sprint(2+i), laneReed+i)
		from, to := b.pad("U2001", fmt.Sprint(13+i)), b.pad("J2004", fmt.Sprint(2+i))
		b.track(b.name("J2004", fmt.Sprint(2+i)), front, thin, from, mm{to.x, from.y}, to)
	}
}

// pin is the via of an expander's pin, next to its pad and at its height, alternately near and far.
func (b *board) pin(ref, number string) mm {
	p := b.pad(ref, number)
	switch number {
	case "22":
		return p.add(3.2, 0)
	case "23":
		return p.add(1.6, 0)
	}
	if strings.ContainsAny(number[len(number)-1:], "02468") {
		return p.add(-2.2, 0)
	}
	return p.add(-1.4, 0)
}

// expander joins the chip to its lanes, its capacitor and its jumpers.
func (b *board) expander() {
	const u = "U2001"
	for _, n := range []string{"1", "4", "5", "6", "7", "8", "9", "10", "11", "22", "23"} {
		b.track(b.name(u, n), front, thin, b.pad(u, n), b.pin(u, n))
		b.via(b.name(u, n), b.pin(u, n))
	}
	vcc, gnd, c := b.pad(u, "24"), b.pad(u, "12"), b.pad("C2001", "1")
	power := mm{c.x + 0.6, vcc.y + 0.15}
	b.track(b.name(u, "24"), front, 0.3, vcc, mm{c.x, vcc.y}, c)
	b.track(b.name(u, "24"), front, 0.3, mm{c.x, vcc.y}, power)
	b.via(b.name(u, "24"), power)
	b.drop("C2001", "2", b.pad("C2001", "2").add(1.2, 0))
	b.track(b.name(u, "12"), front, 0.3, gnd, gnd.add(-1.4, 0))
	b.track(b.name(u, "12"), front, 0.3, gnd.add(-1.4, 0), gnd.add(-1.4, 0.9))
	b.via(b.name(u, "12"), gnd.add(-1.4, 0.9))
	for i, k := range []struct {
		pin   string
		x, to float64 // where it leaves from under the chip, and where it turns
	}{{"21", 0.4, 17.2}, {"2", -0.4, 17.2}, {"3", -1.2, 16.75}} {
		from, jumper := b.pad(u, k.pin), fmt.Sprint("JP", 1+i)
		mid := b.pad(jumper, "2")
		out := mm{round(chipAt.x + k.x), from.y}
		if i == 0 { // straight into its pad
			b.track(b.name(u, k.pin), front, thin, from, out, mm{out.x, mid.y})
		} else {
			b.track(b.name(u, k.pin), front, thin, from, out, mm{out.x, k.to}, mm{mid.x, k.to}, mid)
		}
		b.drop(jumper, "1", b.pad(jumper, "1").add(0, 1.5))
		b.drop(jumper, "3", b.pad(jumper, "3").add(0, 1.5))
	}
}

// feed leads the supply from the fuse and to the capacitor down to its plane.
func (b *board) feed() {
	v5 := b.name("F101", "2")
	for x := range 3 {
		for y := range 3 {
			b.via(v5, b.pad("F101", "2").add(1.1*float64(x-1), -9.2+1.2*float64(y)))
		}
	}
	for _, n := range []string{"1", "2"} {
		p := b.pad("C129", n)
		for _, dx := range []float64{-0.6, 0.6} {
			b.track(b.name("C129", n), back, 0.6, p.add(dx, 0), p.add(dx, 1.6))
			b.via(b.name("C129", n), p.add(dx, 1.6))
		}
	}
}

// planes pours the areas. KiCad's filler leaves out what is in their way.
func (b *board) planes() {
	const edge, split = 0.5, 7.4
	feed, v5 := b.name("F101", "1"), b.name("F101", "2")
	b.pour("GND", ground, mm{edge, edge}, mm{length - edge, edge}, mm{length - edge, width - edge},
		mm{edge, width - edge})
	b.pour(v5, supply, mm{edge, edge}, mm{length - edge, edge}, mm{length - edge, width - edge}, mm{385.6, width - edge},
		mm{385.6, split - 0.15}, mm{edge, split - 0.15})
	b.pour("+3V3", supply, mm{edge, split + 0.15}, mm{385.2, split + 0.15}, mm{385.2, width - edge},
		mm{edge, width - edge})
	b.pour(v5, front, mm{64.5, 2.4}, mm{68.5, 2.4}, mm{68.5, 13.6}, mm{64.5, 13.6})
	b.pour(feed, front, mm{57.9, 18.2}, mm{64.4, 18.2}, mm{64.4, 15.2}, mm{68.6, 15.2}, mm{68.6, 21.3}, mm{57.9, 21.3})
}
