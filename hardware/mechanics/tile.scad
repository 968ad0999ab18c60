// SPDX-License-Identifier: CERN-OHL-P-2.0
// The tile of one square of a stack board, with its rim and a boss for the post on the load cell. A brass insert or a
// nut of brass takes the nylon screw.
include <dimensions.scad>

outer = square - 2 * air;
inner = cube + 2 * wander;

difference() {
	union() {
		translate([-outer / 2, -outer / 2, 0]) cube([outer, outer, tile]);
		difference() {
			translate([-outer / 2, -outer / 2, tile]) cube([outer, outer, rim]);
			translate([-inner / 2, -inner / 2, tile]) cube([inner, inner, rim + 1]);
			for (a = [0 : 90 : 270]) rotate(a) // the rim's upper edge is broken: a piece slides over it
				translate([0, outer / 2, tile + rim]) rotate([45, 0, 0]) cube([outer + 1, 0.8, 0.8], center = true);
		}
	}
	translate([0, 0, -1]) cylinder(d = m4, h = tile + 0.6); // blind: the magnet stands above it
}
