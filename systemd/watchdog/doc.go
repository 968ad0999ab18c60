// SPDX-License-Identifier: Apache-2.0

// Package watchdog tells systemd that the loop which plays the game is alive.
package watchdog
