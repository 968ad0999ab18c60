// SPDX-License-Identifier: Apache-2.0

// Package config reads the one YAML file that describes a board.
//
// Every setting stands in one table ([settings]): its name, what it means, its unit and its check. From it come the
// reading, the errors and the reference text, so that they cannot differ. A file is read whole and everything
// that is wrong with it is said at once, each fault with its line, its column and what would be right. A setting that
// is not known is an error: it is most often a known one, misspelt.
package config
