// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// licences names the licence of every module in go.mod by its SPDX expression. A new dependency needs its row here; a
// licence that is not in phrases is one that nobody has read yet.
var licences = map[string]string{
	"filippo.io/age": "BSD-3-Clause",
	"github.com/antithesishq/antithesis-sdk-go": "MIT",
	"github.com/chromedp/cdproto":               "MIT",
	"github.com/chromedp/chromedp":              "MIT",
	"github.com/corentings/chess/v2":            "MIT",
	"github.com/coder/websocket":                "ISC",
	"github.com/coreos/go-systemd/v22":          "Apache-2.0",
	"github.com/eclipse/paho.mqtt.golang":       "EPL-2.0 OR BSD-3-Clause",
	"github.com/go-json-experiment/json":        "BSD-3-Clause",
	"github.com/goccy/go-yaml":                  "MIT",
	"github.com/google/go-tpm":                  "Apache-2.0",
	"github.com/google/renameio/v2":             "Apache-2.0",
	"github.com/gorilla/websocket":              "BSD-2-Clause",
	"github.com/klauspost/compress":             "BSD-3-Clause AND Apache-2.0 AND MIT",
	"github.com/minio/highwayhash":              "Apache-2.0",
	"github.com/mochi-mqtt/server/v2":           "MIT",
	"github.com/nats-io/jwt/v2":                 "Apache-2.0",
	"github.com/nats-io/nats-server/v2":         "Apache-2.0",
	"github.com/nats-io/nkeys":                  "Apache-2.0",
	"github.com/nats-io/nuid":                   "Apache-2.0",
	"github.com/rogpeppe/go-internal":           "BSD-3-Clause",
	"github.com/rs/xid":                         "MIT",
	"github.com/santhosh-tekuri/jsonschema/v6":  "Apache-2.0",
	"github.com/tdewolff/minify/v2":             "MIT",
	"github.com/tdewolff/parse/v2":              "MIT",
	"go.bug.st/serial":                          "BSD-3-Clause",
	"golang.org/x/crypto":                       "BSD-3-Clause",
	"golang.org/x/exp":                          "BSD-3-Clause",
	"golang.org/x/net":                          "BSD-3-Clause",
	"golang.org/x/sync":                         "BSD-3-Clause",
	"golang.org/x/sys":                          "BSD-3-Clause",
	"golang.org/x/text":                         "BSD-3-Clause",
	"golang.org/x/time":                         "BSD-3-Clause",
	"golang.org/x/tools":                        "BSD-3-Clause",
	"periph.io/x/conn/v3":                       "Apache-2.0",
	"periph.io/x/devices/v3":                    "Apache-2.0",
	"periph.io/x/host/v3":                       "Apache-2.0",
}

// phrases are words that only the text of a licence has, spaces reduced to one. Each must stand in the text of a
// module under it.
var phrases = map[string][]string{
	"MIT": {"Permission is hereby granted, free of charge, to any person obtaining a copy"},
	"BSD-2-Clause": {
		"Redistributions of source code must retain the above copyright notice, this list of conditions and the following " +
			"disclaimer",
	},
	"BSD-3-Clause": {
		"Redistributions of source code must retain the above copyright notice, this list of conditions and the following " +
			"disclaimer",
		"may be used to endorse or promote products derived from",
	},
	"Apache-2.0": {"Apache License Version 2.0, January 2004", "You may reproduce and distribute copies of the Work or " +
		"Derivative Works thereof"},
	"ISC": {"Permission to use, copy, modify, and distribute this software for any purpose with or without fee " +
		"is hereby granted"},
	"EPL-2.0": {"THE ACCOMPANYING PROGRAM IS PROVIDED UNDER THE TERMS OF THIS ECLIPSE PUBLIC LICENSE"},
}

// check reports what is wrong with the licence that a module is said to have, held against its text.
func check(module, text string) error {
	licence, ok := licences[module]
	if !ok {
		return fmt.Errorf("%s: no known licence: read its text, and give it a row in docs/make/notices/licences.go", module)
	}
	text = strings.Join(strings.Fields(text), " ")
	// Of two licences to choose from, the first is the one whose text lies in the module.
	licence, _, _ = strings.Cut(licence, " OR ")
	for _, id := range strings.Split(licence, " AND ") {
		wanted, ok := phrases[id]
		if !ok {
			return fmt.Errorf("%s: the licence %s is none of those that were read", module, id)
		}
		for _, phrase := range wanted {
			if !strings.Contains(text, phrase) {
				return fmt.Errorf("%s: its text is not that of %s: it lacks %q", module, id, phrase)
			}
		}
	}
	return nil
}
