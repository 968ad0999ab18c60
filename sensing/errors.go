// SPDX-License-Identifier: Apache-2.0

package sensing

import "errors"

// ErrReset says that a chip answers but has forgotten its settings: it was reset, or lost its supply. Drivers wrap it;
// what the chip says means nothing until it was set up again.
var ErrReset = errors.New("chip was reset")
