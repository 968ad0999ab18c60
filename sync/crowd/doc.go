// SPDX-License-Identifier: Apache-2.0

// Package crowd protects a listener from the network. It limits the number of connections, and of tries with wrong
// secrets.
package crowd

import "net"

// Host is the host at an address. It is an IPv4 address, or the network of an IPv6 one. A single machine can use as
// many addresses of such a network as it likes.
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
