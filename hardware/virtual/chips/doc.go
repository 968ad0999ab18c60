// SPDX-License-Identifier: Apache-2.0

// Package chips are register models of the chips on a board's I2C buses, after their datasheets, one a file.
package chips
