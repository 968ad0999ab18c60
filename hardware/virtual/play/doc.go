// SPDX-License-Identifier: Apache-2.0

// Package play lets virtual hands play game files on virtual boards. The moves of each side are made on its own board;
// the other one copies what its lights ask for. In the end the boards, what they say to the broker, and the file must
// agree.
package play
