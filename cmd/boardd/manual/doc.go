// SPDX-License-Identifier: Apache-2.0

// Package manual writes the manual page and the completions of shells from the table of commands.
package manual
