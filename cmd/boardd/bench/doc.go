// SPDX-License-Identifier: Apache-2.0

// Package bench is the command of that name: it listens to a board's sensors for a while and writes what they really
// do beside what the models of this repository say, in one file that a builder can send.
package bench
