// SPDX-License-Identifier: Apache-2.0

// Package broker runs an MQTT broker inside the daemon: an embedded NATS server that speaks MQTT 3.1.1 and nothing
// else.
//
// What it acknowledges is synced to disk first. No NATS port is open; the only listener is MQTT's. A node of a cluster
// also listens for the other nodes, and on a loopback port that no account may use. Rights follow the topic tree, and
// are denied unless given: see User. The broker is only transport. The record of a game is the journal of the board
// that plays it.
package broker
