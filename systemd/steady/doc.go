// SPDX-License-Identifier: Apache-2.0

// Package steady is a log for a daemon that runs for months: no trouble that lasts or comes back floods it.
package steady
