// SPDX-License-Identifier: Apache-2.0

// Command report measures the engine and prints tables: `go run ./rules/search/report`, or make engine-report. It
// plays the levels against one another, the engine against the frozen yardstick and against Debian's engines, and
// counts nodes. The openings are drawn at the run; -seed draws the same ones again.
package main
