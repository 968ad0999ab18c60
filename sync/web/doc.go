// SPDX-License-Identifier: Apache-2.0

// Package web shows boards in a browser and takes commands from it. It has the interface of docs/contract.md,
// server-sent events with the newest state, and the embedded files of the page.
package web
