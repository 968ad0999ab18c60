// SPDX-License-Identifier: Apache-2.0

// Package pairing pairs boards: it shows the words of keys, on the page and in a terminal, and keeps which were
// compared.
package pairing
