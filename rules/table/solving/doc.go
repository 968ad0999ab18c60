// SPDX-License-Identifier: Apache-2.0

// Package solving is how the solving of problems at a table goes on. It has the score, which problems were shown,
// which one comes next, and what game is played afterwards. It is pure.
package solving
