// SPDX-License-Identifier: Apache-2.0

package layout

import "fmt"

// outline draws the strip's edge.
func (b *board) outline() {
	corners := []mm{{0, 0}, {length, 0}, {length, width}, {0, width}, {0, 0}}
	for i := 1; i < len(corners); i++ {
		p, q := corners[i-1], corners[i]
		b.items = append(b.items, sx("gr_line", sx("start", origin.x+p.x, origin.y+p.y), sx("end", origin.x+q.x, origin.y+q.y),
			sx("stroke", sx("width", 0.1), sx("type", "solid")), sx("layer", quoted("Edge.Cuts")), b.id()))
	}
}

// print writes what a builder reads on the strip.
func (b *board) print() {
	for i := range 8 {
		b.text(string("abcdefgh"[i]), "F.SilkS", mm{centre(i) - 5, 7}, 2)
	}
	b.text("boardd rank strip 1", "F.SilkS", mm{300, 18.5}, 1.5)
	b.text("this edge to rank 8", "F.SilkS", mm{312, 1.9}, 1.2)
	for i := range 3 { // a jumper to the left is 0, to the right 1
		b.text(fmt.Sprintf("0 A%d 1", i), "F.SilkS", mm{chipAt.x - 4.8*float64(i), 20.9}, 0.8)
	}
	const y = 16.9
	b.text("J1 bus", "B.SilkS", mm{50, y}, 1.2)
	b.text("J2 reeds out", "B.SilkS", mm{outX + 4.5*step, y}, 1.2)
	b.text("J4 reeds in", "B.SilkS", mm{inX + 4.5*step, y}, 1.2)
	b.text("J3 feed", "B.SilkS", mm{feedX + 1.5*step, y}, 1.2)
	b.text("boardd rank strip 1", "B.SilkS", mm{300, 18.5}, 1.5)
}

func (b *board) text(what, layer string, at mm, size float64) {
	b.items = append(b.items, sx("gr_text", quoted(what), sx("at", origin.x+at.x, origin.y+at.y, 0), sx("layer", quoted(layer)), b.id(),
		effects(size, 0.15, layer == "B.SilkS")))
}

// file is the whole board as KiCad 9 reads it.
func (b *board) file() *node {
	layers := sx("layers")
	for _, l := range []struct {
		n          int
		name, kind string
	}{
		{0, front, "signal"}, {4, ground, "power"}, {6, supply, "power"}, {2, back, "signal"},
		{13, "F.Paste", "user"}, {15, "B.Paste", "user"}, {5, "F.SilkS", "user"}, {7, "B.SilkS", "user"}, {1, "F.Mask", "user"}, {3, "B.Mask", "user"},
		{19, "Cmts.User", "user"}, {25, "Edge.Cuts", "user"}, {31, "F.CrtYd", "user"}, {29, "B.CrtYd", "user"}, {35, "F.Fab", "user"}, {33, "B.Fab", "user"},
	} {
		layers.List = append(layers.List, sx(l.n, quoted(l.name), l.kind))
	}
	n := sx("kicad_pcb", sx("version", 20241229), sx("generator", quoted("pcbnew")), sx("generator_version", quoted("9.0")),
		sx("general", sx("thickness", 1.6), sx("legacy_teardrops", "no")), sx("paper", quoted("A3")),
		sx("title_block", sx("title", quoted("Strip of one rank")), sx("rev", quoted("1")), sx("company", quoted("boardd, boards with stacked pieces"))),
		layers, sx("setup", sx("pad_to_mask_clearance", 0), sx("allow_soldermask_bridges_in_footprints", "no"), sx("tenting", "front", "back"),
			sx("aux_axis_origin", origin.x, origin.y+width), sx("grid_origin", origin.x, origin.y)),
		sx("net", 0, quoted("")))
	for _, name := range b.net.Nets() {
		n.List = append(n.List, sx("net", b.codes[name], quoted(name)))
	}
	n.List = append(n.List, b.items...)
	n.List = append(n.List, sx("embedded_fonts", "no"))
	return n
}
