// SPDX-License-Identifier: Apache-2.0

// Package link makes the options of the built-in broker, and of a board's link to a broker. It reads the files that
// the configuration names: accounts, passwords, certificates.
package link
