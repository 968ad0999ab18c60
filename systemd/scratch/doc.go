// SPDX-License-Identifier: Apache-2.0

// Package scratch makes temporary folders that belong to one process, and removes those of processes that were killed.
package scratch
