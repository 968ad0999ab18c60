// SPDX-License-Identifier: Apache-2.0

// Package salvage is the command journal. It says what a journal holds and what of it is damaged, and writes what can
// be saved into a new one.
package salvage
