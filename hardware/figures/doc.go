// SPDX-License-Identifier: Apache-2.0

// Command figures draws the sections and plans of the builder's guide, as SVG into hardware/figures. It uses the same
// measures as the printed parts (mechanics/dimensions.scad), and the pins of the default configuration. Run it in the
// root of the repository after changing either: go run ./hardware/figures.
package main
