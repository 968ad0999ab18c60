// SPDX-License-Identifier: CERN-OHL-P-2.0
// A post of the upper deck: eight of them, in the corners and in the middle of each side. They are of plastic, with
// nylon or brass screws: no iron.
include <dimensions.scad>

length = decks;

difference() {
	union() {
		cylinder(d = 12, h = length);
		cylinder(d = 20, h = 4);
	}
	translate([0, 0, -1]) cylinder(d = m4, h = 16);
	translate([0, 0, length - 15]) cylinder(d = m4, h = 16);
}
