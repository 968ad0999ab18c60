// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardd/hardware/schematics/cables"
	"boardd/hardware/schematics/netlist"
)

// single returns the project of the printed board that has a part of a whole board, and the reference of the part
// there. All boards of a kind have the references of the first.
func single(whole, ref string) (project, there string) {
	letters := strings.TrimRight(ref, "0123456789")
	n, err := strconv.Atoi(ref[len(letters):])
	if err != nil {
		return "", ""
	}
	switch kind, _, _ := strings.Cut(cables.Board(ref), " "); {
	case kind == "strip" && n >= 2000:
		return "strip", fmt.Sprint(letters, 2000+(n-2000)%800%20)
	case kind == "strip":
		return "strip", fmt.Sprint(letters, 100+n%100)
	case kind == "cells":
		return "cells", fmt.Sprint(letters, 3100+n%100)
	case kind == "height":
		return "eyes", fmt.Sprint(letters, 4100+n%100)
	case kind == "hub" && whole == "scale":
		return "nano", ref
	case kind == "hub":
		return "hub", ref
	}
	return "pi", ref
}

// wired compares every printed board of a whole board with its own project: the same parts, and the same pins joined.
// Only a chip's address may differ, which is wired on the whole board and set by a jumper on the printed one.
func wired(whole string, n *netlist.Netlist, of func(project string) *netlist.Netlist) []error {
	var errs []error
	there, here := map[[2]string]string{}, map[[2]string]string{}
	for ref, part := range n.Parts {
		project, name := single(whole, ref)
		p := of(project)
		twin := p.Parts[name]
		if twin == nil {
			errs = append(errs, fmt.Errorf("%s of %s is not on the printed board %s", ref, whole, project))
			continue
		}
		if part.Fields["MPN"] != twin.Fields["MPN"] || part.Footprint != twin.Footprint {
			errs = append(errs, fmt.Errorf("%s of %s is %s in %s, and %s in %s on the printed board %s", ref, whole,
				part.Fields["MPN"], part.Footprint,
				twin.Fields["MPN"], twin.Footprint, project))
		}
		for number := range part.Functions {
			a, b := n.Net(netlist.Pin{Ref: ref, Number: number}), p.Net(netlist.Pin{Ref: name, Number: number})
			board := cables.Board(ref)
			if other, ok := there[[2]string{board, a}]; ok && other != b && !address(p, other) && !address(p, b) {
				errs = append(errs, fmt.Errorf("%s.%s of %s, %s, is not joined to all of that on the printed board %s: %s, %s",
					ref, number, whole, a, project, other, b))
			}
			if other, ok := here[[2]string{board, b}]; ok && other != a {
				errs = append(errs, fmt.Errorf("%s.%s of the printed board %s, %s, is joined to more than in %s: %s, %s",
					name, number, project, b, whole, other, a))
			}
			if !address(p, b) {
				there[[2]string{board, a}] = b
			}
			here[[2]string{board, b}] = a
		}
	}
	return errs
}

// address reports whether a net goes to a jumper.
func address(n *netlist.Netlist, net string) bool {
	return slices.ContainsFunc(n.Pins(net), func(p netlist.Pin) bool {
		return strings.HasPrefix(p.Ref, "JP") &&
			p.Number == "2"
	})
}

// TestPrintedBoardsAreThoseOfTheWhole: every printed board is a piece of the boards that are tested as a whole.
func TestPrintedBoardsAreThoseOfTheWhole(t *testing.T) {
	inFull(t)
	t.Parallel()
	projects := map[string]*netlist.Netlist{}
	of := func(project string) *netlist.Netlist {
		if projects[project] == nil {
			projects[project] = export(t, project)
		}
		return projects[project]
	}
	used := map[string]bool{}
	for _, b := range boards {
		n := export(t, b.name)
		for _, err := range wired(b.name, n, of) {
			t.Error(err)
		}
		for ref := range n.Parts {
			project, name := single(b.name, ref)
			used[project+" "+name] = true
		}
	}
	for project, n := range projects {
		for ref, p := range n.Parts {
			if !used[project+" "+ref] && !p.Bare {
				t.Errorf("%s of the printed board %s is on no whole board", ref, project)
			}
		}
	}
	for project, pins := range map[string][2]netlist.Pin{
		"hub": {{Ref: "J5301", Number: "7"}, {Ref: "J5301", Number: "8"}}, "cells": {{Ref: "J3109", Number: "5"},
			{Ref: "J3109", Number: "7"}},
		"pi": {{Ref: "J6003", Number: "6"}, {Ref: "J6003", Number: "7"}}, "eyes": {{Ref: "J4101", Number: "7"},
			{Ref: "J4101", Number: "9"}},
		"nano": {{Ref: "J5302", Number: "2"}, {Ref: "J5302", Number: "3"}},
	} {
		n := projects[project]
		n.Swap(pins[0], pins[1])
		found := 0
		for _, b := range boards {
			found += len(wired(b.name, export(t, b.name), of))
		}
		if found == 0 {
			t.Errorf("%s: %v exchanged with %v: not found", project, pins[0], pins[1])
		}
		n.Swap(pins[0], pins[1])
	}
}

// pinAt is where a pin's pad is, in millimetres from the board's upper left corner.
func (c *copper) pinAt(t *testing.T, ref, number string) [2]float64 {
	t.Helper()
	for _, p := range c.pieces {
		if p.what == "pad" && p.pin == (netlist.Pin{Ref: ref, Number: number}) {
			return p.a
		}
	}
	t.Fatalf("%s has no pad %s", ref, number)
	return [2]float64{}
}

// close reports whether two places are the same to a hundredth of a millimetre.
func closeTo(a, b [2]float64) bool { return math.Hypot(a[0]-b[0], a[1]-b[1]) < 0.01 }

// megaRowsAt is the place of the first pin of each of the Arduino's rows, and the step to the next. They are in
// millimetres from its lower left corner, y upwards, from its maker's drawing of the Mega 2560 Rev3.
var megaRowsAt = map[string][4]float64{
	"Mega POWER": {27.94, 2.54, 2.54, 0}, "Mega ADCL": {50.8, 2.54, 2.54, 0}, "Mega ADCH": {73.66, 2.54, 2.54, 0},
	"Mega PWML": {63.5, 50.8, -2.54, 0}, "Mega PWMH": {41.656, 50.8, -2.54, 0}, "Mega COMM": {68.58, 50.8, 2.54, 0},
}

// megaHoles is where the Arduino's holes for screws are.
var megaHoles = [][2]float64{{13.97, 2.54}, {15.24, 50.8}, {66.04, 7.62}, {66.04, 35.56}, {90.17, 50.8}, {96.52, 2.54}}

// TestShieldFitsTheArduino: the shield's rows of pins fit the Arduino's from above, and its screws fit the Arduino's
// holes.
func TestShieldFitsTheArduino(t *testing.T) {
	inFull(t)
	t.Parallel()
	c, n := readCopper(t, layoutOf("hub")), export(t, "hub")
	var corner [2]float64 // the Arduino's lower left one on the shield
	at := func(x, y float64) [2]float64 { return [2]float64{corner[0] + x, corner[1] - y} }
	rows := 0
	for _, ref := range []string{"J5320", "J5321", "J5322", "J5323", "J5324", "J5325", "J5326"} {
		if !c.parts[ref].below {
			t.Errorf("%s is not on the lower side", ref)
		}
		value := n.Parts[ref].Value
		names := megaHeader[value]
		if ref == "J5320" {
			first := c.pinAt(t, ref, "1")
			corner = [2]float64{first[0] - megaRowsAt[value][0], first[1] + megaRowsAt[value][1]}
		}
		for i, name := range names {
			want := at(megaRowsAt[value][0]+float64(i)*megaRowsAt[value][2], megaRowsAt[value][1])
			if value == "Mega XIO" { // two columns: 5V above, then 22 and 23, and so on downwards
				want = at(93.98, 50.8-2.54*float64(i/2))
				if number, err := strconv.Atoi(strings.TrimPrefix(name, "D")); err == nil && number%2 == 1 || err != nil &&
					i%2 == 0 {
					want[0] += 2.54
				}
			}
			if got := c.pinAt(t, ref, fmt.Sprint(i+1)); !closeTo(got, want) {
				t.Errorf("%s, %s, is at %v, want %v", ref, name, got, want)
			}
		}
		rows++
	}
	screws := 0
	for ref, p := range c.parts {
		if !strings.HasPrefix(ref, "H") {
			continue
		}
		screws++
		if !slices.ContainsFunc(megaHoles, func(h [2]float64) bool { return closeTo(p.at, at(h[0], h[1])) }) {
			t.Errorf("%s at %v is over no hole of the Arduino", ref, p.at)
		}
	}
	if rows != len(megaHeader) || screws < 3 {
		t.Errorf("%d rows of pins and %d screws", rows, screws)
	}
	// Over the Arduino's USB and power sockets, which are as high as its pins, there must be no pin, via or lower track.
	for _, p := range c.pieces {
		x, y := p.a[0]-corner[0], corner[1]-p.a[1]
		below := p.what != "zone" && strings.Contains(p.layers, " B.Cu ")
		if below && x < 12 && (y > 31 && y < 45 || y > 2 && y < 13) {
			t.Errorf("%s %v of %s is below, over a socket of the Arduino", p.what, p.pin, p.net)
		}
	}
}

// TestBoardFitsThePi: the Pi's board sits on the header of a Pi below it. Its screws fit the holes of a large Pi and
// of a Zero. In the drawings of Raspberry Pi Ltd the header is 29 mm from either hole and 3.5 mm from the edge. The
// board leaves the sockets for USB and Ethernet free.
func TestBoardFitsThePi(t *testing.T) {
	t.Parallel()
	c := readCopper(t, layoutOf("pi"))
	if !c.parts["J5201"].below {
		t.Error("the Pi's socket is not on the lower side")
	}
	first := c.pinAt(t, "J5201", "1")
	corner := [2]float64{first[0] - 3.5 - 29 + 19*1.27, first[1] - 3.5 - 1.27}
	for i := range 40 {
		want := [2]float64{first[0] + 2.54*float64(i/2), first[1] - 2.54*float64(i%2)}
		if got := c.pinAt(t, "J5201", fmt.Sprint(i+1)); !closeTo(got, want) {
			t.Errorf("pin %d of the Pi is at %v, want %v", i+1, got, want)
		}
	}
	for _, h := range [][2]float64{{3.5, 3.5}, {61.5, 3.5}, {3.5, 26.5}, {61.5, 26.5}, {3.5, 52.5}, {61.5, 52.5}} {
		found := false
		for ref, p := range c.parts {
			found = found || strings.HasPrefix(ref, "H") && closeTo(p.at, [2]float64{corner[0] + h[0], corner[1] + h[1]})
		}
		if !found {
			t.Errorf("no hole is over the Pi's at %v", h)
		}
	}
	if over := c.width - corner[0]; over > 65.01 {
		t.Errorf("the board reaches %g mm over the Pi, whose sockets begin at 65", over)
	}
	for ref, p := range c.parts {
		if p.below && ref != "J5201" {
			t.Errorf("%s is on the lower side, where the Pi is", ref)
		}
	}
}

// TestEyesLookAtTheSquares: the height sensors are over the middles of the squares, near the edge towards rank 8. The
// rank's strip hangs next to that edge. Between the files there is room for the clips that hold the strip.
func TestEyesLookAtTheSquares(t *testing.T) {
	t.Parallel()
	c := readCopper(t, layoutOf("eyes"))
	for file := range 8 {
		u := c.parts[fmt.Sprint("U", 4101+file)]
		if want := [2]float64{25 + 1e3*square*float64(file), c.height - 2.3}; !closeTo(u.at, want) || u.below {
			t.Errorf("the sensor of file %c is at %v, want %v", 'a'+file, u.at, want)
		}
	}
	for _, p := range c.pieces {
		for k := 1; k < 8; k++ { // a clip is 20 mm long and reaches 6 mm from the strip, which is 0.2 mm away
			x := 1e3 * square * float64(k)
			if p.what != "zone" && p.a[0] > x-10.5 && p.a[0] < x+10.5 && p.a[1] > c.height-6 {
				t.Errorf("%s of %s at %v is where a clip sits", p.what, p.net, p.a)
			}
		}
	}
	for ref, p := range c.parts {
		if p.below {
			t.Errorf("%s is on the side of the acrylic", ref)
		}
	}
}
