// SPDX-License-Identifier: Apache-2.0

// Package wire has the messages of version 1 of the MQTT contract as Go values. These are the topics under
// boardd/v1/<board>/ and the JSON of game, event, health, command and reply. Its decoders trust nothing that arrives.
//
// The package knows no rules of chess: moves, positions and variants are strings here, checked for shape and length
// only. A decoder returns a value whose lists are within the limits of limits.go, or an error. That says which field
// is wrong and what would be right. Unknown fields are ignored, so that a later version may add some.
package wire

// Schema is the version of the game message that this package writes and reads.
const Schema = 1
