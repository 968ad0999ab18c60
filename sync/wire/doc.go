// SPDX-License-Identifier: Apache-2.0

// Package wire holds the messages of version 1 of the MQTT contract as Go values: topics under boardd/v1/<board>/, the
// JSON of game, event, health, command and reply, and decoders that trust nothing that arrives.
//
// The package knows no rules of chess: moves, positions and variants are strings here, checked for shape and length
// only. A decoder answers with a value whose lists are within the limits of limits.go, or with an error that says
// which field is wrong and what would be right. Unknown fields are ignored, so that a later version may add some.
package wire

// Schema is the version of the game message that this package writes and reads.
const Schema = 1
