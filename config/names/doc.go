// SPDX-License-Identifier: Apache-2.0

// Package names knows the names by which periph finds the pins and buses of a computer, without looking at one.
package names
