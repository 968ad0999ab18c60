// SPDX-License-Identifier: Apache-2.0

// Package backup writes what makes a board this board into one file, and puts it back: the journal, the archive of
// games, the key, the calibration, and the configuration with the files that lie beside it.
//
// The file is a gzipped tar, in the format of age (https://age-encryption.org/v1) if it is encrypted. Its first entry,
// board.json, is the [Manifest]. Entries below state/ come from the state folder, those below config/ from the folder
// of the configuration. What can be made anew is left out: the store of the broker inside, locks, and traces unless
// they are wanted.
package backup
