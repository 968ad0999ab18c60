// SPDX-License-Identifier: Apache-2.0

// Package sweep keeps the sweeps of a bank of sensors punctual, and says how punctual they are.
package sweep
