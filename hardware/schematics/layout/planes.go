// SPDX-License-Identifier: Apache-2.0

package layout

// pour lets KiCad fill an area of a net. Pads are joined by four spokes, so that they can be soldered by hand.
func (b *board) pour(net, layer string, corners ...mm) { b.area(net, layer, false, corners) }

// area lets KiCad fill an area. Its pads are joined by spokes or, if it is solid, along their whole edge, for more
// than an ampere at a pad.
func (b *board) area(net, layer string, solid bool, corners []mm) {
	pts := sx("pts")
	for _, c := range corners {
		pts.List = append(pts.List, sx("xy", origin.x+c.x, origin.y+c.y))
	}
	connect := sx("connect_pads", sx("clearance", 0.2))
	if solid {
		connect = sx("connect_pads", "yes", sx("clearance", 0.2))
	}
	b.items = append(b.items, sx("zone", sx("net", b.codes[net]), sx("net_name", quoted(netName(net))),
		sx("layer", quoted(layer)), b.id(),
		sx("hatch", "edge", 0.5), connect, sx("min_thickness", 0.2), sx("filled_areas_thickness", "no"),
		sx("fill", "yes", sx("thermal_gap", 0.3), sx("thermal_bridge_width", 0.6)), sx("polygon", pts)))
}
