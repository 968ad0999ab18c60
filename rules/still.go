// SPDX-License-Identifier: Apache-2.0

//go:build !race

package rules

import "unsafe"

// still keeps a pointer from being moved to the heap because a rule set is called through a Variant. No rule set
// keeps what it is given, which the compiler cannot see through a function value; AppendMoves and Play would allocate.
func still[T any](p *T) *T {
	x := uintptr(unsafe.Pointer(p))
	return *(**T)(unsafe.Pointer(&x))
}
