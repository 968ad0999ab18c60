// SPDX-License-Identifier: Apache-2.0

// Package searchtest holds the yardstick of the engine: a plain search that counts material and nothing else. It is
// frozen: it must not be improved, or results against it can no longer be compared.
package searchtest
