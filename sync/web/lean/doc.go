// SPDX-License-Identifier: Apache-2.0

// Package lean serves the files of a page as small as a browser can take them.
package lean
