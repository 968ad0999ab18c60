// SPDX-License-Identifier: Apache-2.0

// Command mechanics makes the parts of a board that are printed: from the parametric sources beside it, by OpenSCAD, a
// file for each part and a picture of all for the guide.
//
//	go run ./hardware/mechanics -o build/mechanics
package main
