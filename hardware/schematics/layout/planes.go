// SPDX-License-Identifier: Apache-2.0

package layout

// planes pours the areas: the filler takes them round what is in their way.
func (b *board) planes() {
	const edge, split = 0.5, 7.4
	feed, v5 := b.name("F101", "1"), b.name("F101", "2")
	b.pour("GND", ground, mm{edge, edge}, mm{length - edge, edge}, mm{length - edge, width - edge}, mm{edge, width - edge})
	b.pour(v5, supply, mm{edge, edge}, mm{length - edge, edge}, mm{length - edge, width - edge}, mm{385.6, width - edge}, mm{385.6, split - 0.15}, mm{edge, split - 0.15})
	b.pour("+3V3", supply, mm{edge, split + 0.15}, mm{385.2, split + 0.15}, mm{385.2, width - edge}, mm{edge, width - edge})
	b.pour(v5, front, mm{64.5, 2.4}, mm{68.5, 2.4}, mm{68.5, 13.6}, mm{64.5, 13.6})
	b.pour(feed, front, mm{57.9, 18.2}, mm{64.4, 18.2}, mm{64.4, 15.2}, mm{68.6, 15.2}, mm{68.6, 21.3}, mm{57.9, 21.3})
}

func (b *board) pour(net, layer string, corners ...mm) {
	pts := sx("pts")
	for _, c := range corners {
		pts.List = append(pts.List, sx("xy", origin.x+c.x, origin.y+c.y))
	}
	b.items = append(b.items, sx("zone", sx("net", b.codes[net]), sx("net_name", quoted(net)), sx("layer", quoted(layer)), b.id(),
		sx("hatch", "edge", 0.5), sx("connect_pads", sx("clearance", 0.2)), sx("min_thickness", 0.2), sx("filled_areas_thickness", "no"),
		sx("fill", "yes", sx("thermal_gap", 0.3), sx("thermal_bridge_width", 0.6)), sx("polygon", pts)))
}
