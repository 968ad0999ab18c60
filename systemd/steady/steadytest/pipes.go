// SPDX-License-Identifier: Apache-2.0

package steadytest

import "net"

// Pipes is a listener for connections that are made in memory, such as one end of net.Pipe each. A test in virtual
// time can use no others. It gives out what is sent into it, and ends when the channel is closed.
type Pipes chan net.Conn

// Accept waits for the next connection. Its error is net.ErrClosed after the channel was closed.
func (p Pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

// Close does nothing: the test closes the channel. It never fails.
func (p Pipes) Close() error { return nil }

// Addr is an address of this machine, with no port.
func (p Pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
