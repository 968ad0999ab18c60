// SPDX-License-Identifier: Apache-2.0

// Command find looks for problems in self-play: `go run ./rules/search/find`. It plays quick games and takes the
// positions a few moves before their mates. It keeps those that have exactly one first move that mates in two or
// three, and strips them of every piece that can be spared. Started again it goes on, as the files that it writes say
// how many problems there are.
package main
