// SPDX-License-Identifier: Apache-2.0

// Package mirror publishes one board on an MQTT broker and subscribes to the boards that it follows.
//
// Run keeps one connection. When it is lost, a new client is made after a pause. So nothing of an old connection is
// carried over: no token, no stored packet, no order. The mirror publishes again from its own state: the status, the
// latest game, and every event and reply that was not acknowledged. Publish, Event, Health and Reply only leave a
// message with the mirror and never wait.
//
// What arrives is decoded by package wire within its limits. Everything else is dropped and counted. Incoming delivers
// commands in order, and of each followed board the latest game.
package mirror
