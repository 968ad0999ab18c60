// SPDX-License-Identifier: CERN-OHL-P-2.0
// A piece: a cube, or a flat one, with the magnet's pocket in its base. Its kind is cut into the top and the four
// sides; kind "none" is the pedestal. Print it upside down: then the pocket is open above.
include <dimensions.scad>

kind = "king"; // king queen rook bishop knight pawn none
height = cube;

cut = 1; // depth of the face

module face(k) {
	if (k == "pawn") circle(d = 10);
	if (k == "rook") difference() {
		square([16, 14], center = true);
		for (x = [-4, 4]) translate([x, 6]) square([3, 6], center = true);
	}
	if (k == "knight")
		polygon([[-7, -8], [7, -8], [4, 0], [7, 3], [3, 8], [-2, 8], [-8, 2], [-6, -1], [-1, 1], [-5, -4]]);
	if (k == "bishop") difference() {
		rotate(45) square(14, center = true);
		square([3, 12], center = true);
	}
	if (k == "queen") for (i = [0 : 4]) rotate(72 * i) polygon([[-3.5, 0], [0, 10], [3.5, 0]]);
	if (k == "king") {
		square([4, 20], center = true);
		square([20, 4], center = true);
	}
}

module body() {
	hull() {
		translate([-cube / 2, -cube / 2, bevel]) cube([cube, cube, height - bevel]);
		translate([-cube / 2 + bevel, -cube / 2 + bevel, 0]) cube([cube - 2 * bevel, cube - 2 * bevel, 1]);
	}
}

difference() {
	body();
	translate([0, 0, -1]) cylinder(d = magnet_width + play, h = magnet_height + play + 1);
	if (kind != "none") {
		translate([0, 0, height - cut]) linear_extrude(cut + 1) face(kind);
		if (height >= cube)
			for (a = [0 : 90 : 270]) rotate(a)
				translate([0, -cube / 2 + cut, height / 2]) rotate([90, 0, 0]) linear_extrude(cut + 1) face(kind);
	}
}
