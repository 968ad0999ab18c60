// SPDX-License-Identifier: Apache-2.0

// Package docs holds those of the documents that the daemon itself serves.
package docs

import _ "embed"

// OpenAPI is the description of what the daemon answers over HTTP, as docs/make/contract writes it, in JSON.
//
//go:embed openapi.json
var OpenAPI string
