// SPDX-License-Identifier: Apache-2.0

// Package level makes the engine play as strongly as a person wants, from 1 to 8. A level is how much the engine looks
// at and how well it judges what it sees, never a blunder thrown in. Limits are nodes, so a level is as strong on
// every machine. In the opening a level below the highest leaves to chance which of the good moves it plays.
package level
