// SPDX-License-Identifier: Apache-2.0

// Package edit changes single settings in the text of a configuration, and leaves everything else in it as its owner
// wrote it.
package edit
