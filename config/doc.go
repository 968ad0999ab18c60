// SPDX-License-Identifier: Apache-2.0

// Package config reads the one YAML file that describes a board.
//
// Every setting is in one table ([settings]): its name, what it means, its unit and its check. Reading, errors and the
// reference text all come from that table, so they cannot differ. A file is read as a whole, and everything that is
// wrong is reported at once. Each fault has its line, its column and what would be right. An unknown setting is an
// error, because it is usually a misspelt one.
package config
