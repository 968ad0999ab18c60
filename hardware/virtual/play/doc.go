// SPDX-License-Identifier: Apache-2.0

// Package play lets virtual hands play game files on virtual boards: each side's moves are made on its own board, the
// other one copies what its lights ask for, and in the end the boards, what they say to the broker, and the file must
// agree.
package play
