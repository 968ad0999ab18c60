// SPDX-License-Identifier: Apache-2.0

// Package network joins a wireless network, and opens an access point where none is known, by NetworkManager's own
// program nmcli.
package network
