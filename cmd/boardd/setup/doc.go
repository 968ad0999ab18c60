// SPDX-License-Identifier: Apache-2.0

// Package setup is the first start without an editor, and later changes of settings: it finds what is connected, asks
// on the page what a board must know, tries it, and writes the configuration. docs/own.md says how it is used,
// docs/safety.md who may use it.
package setup
