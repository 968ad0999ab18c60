// SPDX-License-Identifier: Apache-2.0

// Package sweep times the sweeps of a bank of sensors, and measures how punctual they are.
package sweep
