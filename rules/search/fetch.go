// SPDX-License-Identifier: Apache-2.0

//go:build amd64 || arm64

package search

// fetch asks memory for the bucket of an entry, and does not wait for it: Go has no word for that outside its own
// runtime. What it says is the same without it.
//
//go:noescape
func fetch(e *entry)
