// SPDX-License-Identifier: Apache-2.0

// Package sensing is the vocabulary of everything that senses the wood: decks, kinds of sensors, readings, and the
// health of parts.
//
// A bank of sensors (the reeds of both decks, the load cells, the height sensors) is a [Source]. It sends a [Reading]
// for every sweep: a value, which nobody changes after it was sent. A sensor that did not answer is missing from
// [Reading.Known]. It is never "empty", and no failed transfer ever becomes a plausible figure. What went wrong is in
// the source's [Part] list, which `health` publishes.
//
// Below this package there is one package per chip (tca9535, mcp23017, pca9548, vl6180x) and one per bank (reeds, hub,
// heights). Package sensingtest has the tests that every Source must pass, real, replayed or virtual.
package sensing
