// SPDX-License-Identifier: Apache-2.0

// Package steadytest is for tests of what runs on: what it says meanwhile, its clock, and connections in virtual time.
package steadytest

import (
	"bytes"
	"sync"
)

// Said keeps what is written to it. Several goroutines may write, and it may be read meanwhile: a broker or a server
// writes to its log until it is closed. The zero value is ready.
type Said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends p.
func (s *Said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// String is what was written until now.
func (s *Said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
