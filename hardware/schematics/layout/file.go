// SPDX-License-Identifier: Apache-2.0

package layout

import "slices"

// rectangle returns the corners of a board without recesses.
func (b *board) rectangle() []mm { return []mm{{0, 0}, {b.size.x, 0}, b.size, {0, b.size.y}} }

// outline draws the board's edge.
func (b *board) outline(corners []mm) {
	corners = append(slices.Clone(corners), corners[0])
	for i := 1; i < len(corners); i++ {
		p, q := corners[i-1], corners[i]
		b.items = append(b.items, sx("gr_line", sx("start", origin.x+p.x, origin.y+p.y),
			sx("end", origin.x+q.x, origin.y+q.y),
			sx("stroke", sx("width", 0.1), sx("type", "solid")), sx("layer", quoted("Edge.Cuts")), b.id()))
	}
}

func (b *board) text(what, layer string, at mm, size float64) {
	b.items = append(b.items, sx("gr_text", quoted(what), sx("at", origin.x+at.x, origin.y+at.y, 0),
		sx("layer", quoted(layer)), b.id(),
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
		{13, "F.Paste", "user"}, {15, "B.Paste", "user"}, {5, "F.SilkS", "user"}, {7, "B.SilkS", "user"},
		{1, "F.Mask", "user"}, {3, "B.Mask", "user"},
		{19, "Cmts.User", "user"}, {25, "Edge.Cuts", "user"}, {31, "F.CrtYd", "user"}, {29, "B.CrtYd", "user"},
		{35, "F.Fab", "user"}, {33, "B.Fab", "user"},
	} {
		layers.List = append(layers.List, sx(l.n, quoted(l.name), l.kind))
	}
	n := sx("kicad_pcb", sx("version", 20241229), sx("generator", quoted("pcbnew")),
		sx("generator_version", quoted("9.0")),
		sx("general", sx("thickness", 1.6), sx("legacy_teardrops", "no")), sx("paper", quoted("A3")),
		sx("title_block", sx("title", quoted(b.title)), sx("rev", quoted("1")),
			sx("company", quoted("boardd, boards with stacked pieces"))),
		layers, sx("setup", sx("pad_to_mask_clearance", 0), sx("allow_soldermask_bridges_in_footprints", "no"),
			sx("tenting", "front", "back"),
			sx("aux_axis_origin", origin.x, origin.y+b.size.y), sx("grid_origin", origin.x, origin.y)),
		sx("net", 0, quoted("")))
	for _, name := range b.net.Nets() {
		n.List = append(n.List, sx("net", b.codes[name], quoted(netName(name))))
	}
	n.List = append(n.List, b.items...)
	n.List = append(n.List, sx("embedded_fonts", "no"))
	return n
}
