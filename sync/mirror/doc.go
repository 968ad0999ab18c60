// SPDX-License-Identifier: Apache-2.0

// Package mirror shows one board on an MQTT broker and hears the boards it follows.
//
// Run keeps one connection; when it is lost a new client is made after a pause, so that nothing of an old connection
// is carried over: no token, no stored packet, no order. What must be said again is said from the mirror's own state:
// the status, the latest game, and every event and reply that was not acknowledged. Publish, Event, Health and Reply
// only leave a message with the mirror and never wait.
//
// What arrives is decoded by package wire within its limits; everything else is dropped and counted. Incoming gives
// commands in order and of each followed board the latest game.
package mirror
