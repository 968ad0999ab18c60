// SPDX-License-Identifier: Apache-2.0

package draw

import "boardd/hardware/schematics/sexp"

// Short names for what this package writes most.
type quoted = sexp.Quoted

var (
	sx = sexp.New
	id = sexp.ID
)
