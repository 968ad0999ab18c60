// SPDX-License-Identifier: Apache-2.0

// Package web shows boards in a browser and takes commands from it: the interface of BOARD section 5, server-sent
// events of the newest state, and one page of embedded files.
package web
