// SPDX-License-Identifier: Apache-2.0

// Package gate stands before an MQTT broker and holds each account to its share: client ids of its own, connections,
// messages and bytes a second, bytes retained. It passes on what it reads of MQTT 3.1.1, and changes only client ids.
package gate
