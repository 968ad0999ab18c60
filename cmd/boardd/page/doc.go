// SPDX-License-Identifier: Apache-2.0

// Package page serves the page of boards where the configuration says, and gives it hands that move the wood of a
// virtual one.
package page
