// SPDX-License-Identifier: Apache-2.0

// Command mechanics makes the printed parts of a board from the parametric sources beside it, by OpenSCAD. It writes a
// file for each part, and a picture of all for the guide.
//
//	go run ./hardware/mechanics -o build/mechanics
package main
