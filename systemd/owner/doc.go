// SPDX-License-Identifier: Apache-2.0

// Package owner gives what root has written into the service's folders to the user of the service.
package owner
