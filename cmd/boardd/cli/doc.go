// SPDX-License-Identifier: Apache-2.0

// Package cli is what the subcommands share on the command line: streams, flags, the configuration that they name, and
// errors of wrong use.
package cli
