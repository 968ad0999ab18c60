// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
)

// What no printed part has, in millimetres.
const (
	post     = 13 // the spacer between cell and tile
	cellLong = 47 // the body of a load cell of 1 kg or less
	cellHigh = 6
	cellWide = 12
	washer   = 3
	gap      = 12 // of a reed from the middle of its square: magnet_test.go
	lamp     = 18.5
	cone     = 25 // degrees: VL6180X datasheet, "field of view"
	acrylic  = 3
)

// stackSection is one square of the stack board, seen along the rank, four pixels a millimetre.
func stackSection(m sizes) []byte {
	s := newSheet(900, 520, "Stack board: section through one square, seen along the rank (mm)")
	const scale, x, top = 4.0, 250.0, 250.0 // the middle of the square, the upper side of the tile
	at := func(mm float64) float64 { return x + scale*mm }
	tile, cube, half := m["square"]-2*m["air"], m["cube"], m["square"]/2
	s.across(at(-half), at(half), 58, "square "+n(m["square"]))
	s.rect(at(-cube/2), top-scale*cube, scale*cube, scale*cube, wood, edge)
	s.across(at(-cube/2), at(cube/2), 92, "cube "+n(cube))
	s.rect(at(-m["magnet_width"]/2), top-scale*m["magnet_height"]-2, scale*m["magnet_width"], scale*m["magnet_height"],
		magnet, edge)
	s.note(x, top-10, 470, 200, fmt.Sprintf("magnet %s x %s, N42, in the base, flush, north down in every piece",
		n(m["magnet_width"]), n(m["magnet_height"])))
	s.rect(at(-tile/2), top, scale*tile, scale*m["tile"], board, edge)
	s.note(at(-21), top+6, 470, 232, fmt.Sprintf("tile %[1]s x %[1]s x %[2]s, stands on the post alone: %[3]s free all "+
		"round",
		n(tile), n(m["tile"]), n(m["air"])))
	rim := (tile - cube - 2*m["wander"]) / 2 // so that a cube stops so far off the middle
	for _, left := range []float64{-tile / 2, tile/2 - rim} {
		s.rect(at(left), top-scale*m["rim"], scale*rim, scale*m["rim"], "#a55", edge)
	}
	s.note(at(tile/2-rim)+2, top-2.4, 470, 262, fmt.Sprintf("rim %s high, %s wide: keeps a cube within %s of the centre",
		n(m["rim"]), n(rim), n(m["wander"])))
	under := top + scale*m["tile"]
	s.rect(x-8, under, 16, scale*post, metal, edge)
	s.note(x, under+12, 470, 296, fmt.Sprintf("post: M4 spacer, %d long, screwed to the cell's free end", post))
	strip := under + scale*post - 15.2 - scale*m["strip_thick"]
	s.rect(at(2.5), strip, scale*m["strip_width"], scale*m["strip_thick"], copper, edge)
	s.note(at(22), strip+3.2, 470, 326, fmt.Sprintf("strip %s wide, %s thick, from 2.5 to %s off the centre line",
		n(m["strip_width"]), n(m["strip_thick"]), n(2.5+m["strip_width"])))
	s.rect(at(gap)-28, strip-10, 56, 10, reed, edge)
	s.note(at(gap)+8, strip-4.8, 470, 352, fmt.Sprintf("reed along the file, its gap %d off the centre", gap))
	s.rect(at(21), strip-6.4, 13.6, 6.4, light, edge)
	s.note(at(23), strip-4, 470, 378, "light at the edge of the square, seen through the gap or a clear tile")
	cell := under + scale*post
	s.rect(at(-4), cell, scale*cellLong, scale*cellHigh, cellTint, edge)
	s.note(at(30), cell+12, 470, 410, fmt.Sprintf("load cell %d x %d x %d, along the file, its free end under the centre",
		cellLong, cellWide, cellHigh))
	s.circle(at(19.5), cell+12, 8.8, "#fff", edge)
	s.rect(at(33), cell+scale*cellHigh, 40, scale*washer, metal, edge)
	s.note(at(38), cell+scale*cellHigh+6, 470, 440,
		fmt.Sprintf("washer %d under the fixed end only: the rest hangs free", washer))
	base := cell + scale*(cellHigh+washer)
	s.rect(110, base, 350, 32, board, edge)
	s.note(150, base+16, 470, 470, "base: plywood 12 or more, stiff: a base that bends weighs")
	s.down(60, under, cell, fmt.Sprint(post))
	s.down(60, top-scale*cube, top, n(cube))
	return s.end("Stop: a screw through the base under the free end, 0.5 mm below it, takes what a hand presses.", 506)
}

// twinSection is one square of the twin board, 2.2 pixels a millimetre.
func twinSection(m sizes) []byte {
	s := newSheet(980, 470, "Twin board: section through one square (mm)")
	const scale, x, low = 2.2, 228.5, 390.0     // the middle of the square, the upper side of the lower deck
	cube, view := m["cube"], m["decks"]-acrylic // the sensor looks down from its strip
	s.rect(60, low, 330, scale*acrylic, board, edge)
	s.note(80, low+3, 470, low+2, "lower deck: tile, strip with reed and light under it")
	s.rect(x+5.5, low+10.6, scale*m["strip_width"], 4, copper, edge)
	for i := range 2 {
		bottom := low - scale*cube*float64(i)
		s.rect(x-scale*cube/2, bottom-scale*cube, scale*cube, scale*cube, wood, edge)
		s.rect(x-scale*m["magnet_width"]/2, bottom-scale*m["magnet_height"]-1.3, scale*m["magnet_width"],
			scale*m["magnet_height"], magnet, edge)
	}
	s.note(x+5.5, low-scale*cube*1.7, 470, 250, fmt.Sprintf("up to four cubes of %s: %s of %s", n(cube), n(4*cube),
		n(view)))
	upper := low - scale*m["decks"]
	s.rect(60, upper-scale*acrylic, 330, scale*acrylic, "#cde7f7", edge)
	s.note(80, upper-3, 470, upper-4, fmt.Sprintf("upper deck: acrylic %d, clear; pieces stand on it", acrylic))
	s.rect(x+5.5, upper+2, scale*m["strip_width"], 4, copper, edge)
	s.note(x+31.5, upper+4, 470, upper+24,
		fmt.Sprintf("strip of the upper deck: reeds, lights; %s wide, leaves the view free", n(m["strip_width"])))
	s.rect(x-4.4, upper+8, 8.8, 4, "#333", edge)
	s.note(x, upper+10, 470, upper+50,
		fmt.Sprintf("VL6180X on its own strip, over the square's centre, looking down: %s above the deck", n(view)))
	from := low - scale*view
	wide := 2 * view * math.Tan(cone*math.Pi/360)
	fmt.Fprintf(&s.b, `<path d="M%s %sL%s %sL%s %sZ" fill="#fbb" fill-opacity=".35" stroke="none"/>`+"\n",
		n(x), n(from), n(x-scale*wide/2), n(low), n(x+scale*wide/2), n(low))
	s.note(x+scale*wide*0.21, low-122, 470, 300, fmt.Sprintf(
		"cone of %d degrees: %.0f wide at the deck, so calibrate on an empty board", cone, wide))
	s.down(90, upper, low, n(m["decks"]))
	return s.end(fmt.Sprintf("Four corner posts of %s mm, and one in the middle of each side. Nothing may hang into "+
		"the cones.",
		n(m["decks"])), 455)
}

// squarePlan is one square from above, six pixels a millimetre.
func squarePlan(m sizes) []byte {
	s := newSheet(860, 420, "One square from above, a strip under it (mm)")
	const scale, x, y = 6.0, 210.0, 210.0
	square, cube := scale*m["square"], scale*m["cube"]
	s.rect(x-square/2, y-square/2, square, square, "#faf6ec", edge)
	s.rect(x-cube/2, y-cube/2, cube, cube, none, "#b80")
	s.rect(40, y-scale*(2.5+m["strip_width"]), 340, scale*m["strip_width"], "#dff3e6", copper)
	s.text(44, y-scale*(2.5+m["strip_width"])+14, "strip", style{color: copper})
	pole := scale * m["magnet_width"] / 2
	s.circle(x, y, pole, "#f3c9c9", magnet)
	s.note(x-12, y+12, 430, 300, "magnet, when the cube stands right")
	s.circle(x, y, 12, metal, edge)
	s.note(x, y, 430, 270, "post of the load cell (stack board)")
	s.rect(x-9, y-scale*gap-42, 18, 84, reed, edge)
	s.line(2, "#fff", x-8, y-scale*gap, x+8, y-scale*gap)
	s.note(x+6, y-scale*gap-18, 430, 100, "reed, along the file")
	s.note(x, y-scale*gap, 430, 130, fmt.Sprintf("its gap: %d from the centre, never above the magnet's pole", gap))
	s.rect(x+scale*lamp-15, 69, 30, 30, light, edge)
	s.note(x+scale*lamp-3, 84, 430, 74, fmt.Sprintf("light, %v to the h side: seen beside a cube", lamp))
	for _, off := range []float64{-m["wander"], m["wander"]} {
		s.circle(x, y+scale*off, pole, none, magnet)
	}
	s.note(x+18, y+scale*m["wander"]+24, 430, 330,
		fmt.Sprintf("the magnet may stand %s off: the rim stops the cube", n(m["wander"])))
	s.rect(x-scale*cellWide/2, y-scale*28, scale*cellWide, scale*32, none, "#369")
	s.note(x-scale*cellWide/2, y+18, 430, 360, fmt.Sprintf(
		"load cell below, %d wide: its free end here, its body under the next square", cellWide))
	s.down(180, y-scale*gap, y, fmt.Sprint(gap))
	return s.end("h side to the right, rank 8 upwards. The a file's square has its centre 25 mm from the strip's left "+
		"end.", 405)
}
