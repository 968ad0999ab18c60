// SPDX-License-Identifier: Apache-2.0

// Package doctor tries every part of a board and says what to mend: buses, chips, sensors, lights, hub, broker, clock,
// disk and permissions. It changes nothing, and the daemon must not run at the same time.
package doctor
