// SPDX-License-Identifier: CERN-OHL-P-2.0
// The frame round a board of one deck, of eight sides and four corners, joined by pegs. The wall keeps clear of the
// tiles by the air that is round each of them.
include <dimensions.scad>

part = "side"; // side corner
high = 45;     // base, load cell, post and tile
leg = 20;      // of a corner, along each side
foot = 14;
side = 4 * square - leg + air; // two sides and two legs are a side of the board: 8 squares and the air round them

module profile(length) {
	cube([length, wall, high]);
	cube([length, foot, wall]);
}

module peg(d, h) rotate([0, 90, 0]) cylinder(d = d, h = h);

if (part == "side") difference() {
	union() {
		profile(side);
		for (z = [high / 4, 3 * high / 4]) translate([side, wall / 2, z]) peg(2.4, 5);
	}
	for (z = [high / 4, 3 * high / 4]) translate([-1, wall / 2, z]) peg(2.4 + play, 7);
	for (x = [side / 4, 3 * side / 4]) translate([x, foot - 5, -1]) cylinder(d = m3, h = wall + 2);
}

if (part == "corner") difference() {
	union() {
		translate([-wall, -wall, 0]) {
			cube([leg + wall, wall, high]);
			cube([wall, leg + wall, high]);
			cube([leg + wall, foot, wall]);
			cube([foot, leg + wall, wall]);
		}
		for (z = [high / 4, 3 * high / 4]) translate([leg, -wall / 2, z]) peg(2.4, 5);
	}
	for (z = [high / 4, 3 * high / 4])
		translate([-wall / 2, leg + 1, z]) rotate([90, 0, 0]) cylinder(d = 2.4 + play, h = 7);
	translate([4, 4, -1]) cylinder(d = m3, h = wall + 2);
}
