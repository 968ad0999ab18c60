// SPDX-License-Identifier: Apache-2.0

// Package setup sets a board up on a web page, and changes its settings later. It finds the connected parts, asks on
// the page for what a board needs, tests it, and writes the configuration. docs/own.md says how it is used,
// docs/safety.md who may use it.
package setup
