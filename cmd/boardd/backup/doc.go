// SPDX-License-Identifier: Apache-2.0

// Package backup saves a board in one file, and restores it. The file has the journal, the archive of games, the key
// and the calibration. It also has the configuration, with the files that lie beside it.
//
// The file is a gzipped tar, in the format of age (https://age-encryption.org/v1) if it is encrypted. Its first entry,
// board.json, is the [Manifest]. Entries below state/ come from the state folder, those below config/ from the folder
// of the configuration. What can be made again is left out: the store of the built-in broker, locks, and traces unless
// they are asked for.
package backup
