// SPDX-License-Identifier: Apache-2.0

// Package bench is the command of that name. It listens to a board's sensors for a while and compares them with the
// models of this repository. The result is one file that a builder can send.
package bench
