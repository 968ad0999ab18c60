// SPDX-License-Identifier: Apache-2.0

// Package match lets two players play games of any variant against each other and says how sure the score is.
// Training, the ladder of levels and the reports use it. It is pure: players may be searches or programs behind a
// pipe.
package match
