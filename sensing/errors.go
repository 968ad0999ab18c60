// SPDX-License-Identifier: Apache-2.0

package sensing

import "boardd/rules/say"

// ErrReset says that a chip answers but has forgotten its settings: it was reset, or lost its supply. Drivers wrap it.
// Data from the chip means nothing until it is set up again.
var ErrReset = say.Error("chip was reset")
