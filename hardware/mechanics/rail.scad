// SPDX-License-Identifier: CERN-OHL-P-2.0
// What holds a rank's strip under the upper deck. Glued to the acrylic or screwed (nylon), it carries the strip on a
// ledge, parts upwards. At the edge towards rank 8 it is a rail of half a rank. At the edge beside the height sensors
// it is short clips, between two files, for the sensors' view must stay free.
include <dimensions.scad>

length = 4 * square; // a clip has 20
ledge = 2;           // how far it reaches under the strip
thick = 2;           // of the ledge
parts = 3;           // height of what stands on the strip

difference() {
	cube([length, 8, strip_thick + parts + thick]);
	translate([-1, 8 - ledge, thick]) cube([length + 2, ledge + 1, 10]);
	for (x = length < square ? [length / 2] : [length / 8, length / 2, 7 * length / 8])
		translate([x, 3, -1]) cylinder(d = m3, h = 20);
}
