// SPDX-License-Identifier: Apache-2.0

// Package crowd keeps the network from filling a listener: it bounds how many connections are held, and how many wrong
// secrets are tried.
package crowd

import "net"

// Host is who is at an address, as far as the network tells: an IPv4 address, or the network of an IPv6 one, of whose
// addresses a single machine takes as many as it likes.
func Host(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(host)
	if ip == nil || ip.To4() != nil || ip.IsLoopback() {
		return host
	}
	return ip.Mask(net.CIDRMask(64, 128)).String() + "/64"
}
