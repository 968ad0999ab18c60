// SPDX-License-Identifier: Apache-2.0

// Package asyncapi has the AsyncAPI document of the MQTT contract, and checks messages against it. In tests it checks
// those that are really sent.
package asyncapi

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"boardd/sync/wire"
)

//go:embed asyncapi.json
var document []byte

// Document is the AsyncAPI 3.0 document, in JSON.
func Document() []byte { return append([]byte(nil), document...) }

// Contract is the document, read.
type Contract struct {
	Channels   map[string]Channel `json:"channels"`
	Components struct {
		Messages map[string]Message `json:"messages"`
		Schemas  map[string]*Schema `json:"schemas"`
	} `json:"components"`
}

// Channel is one topic of a board.
type Channel struct {
	Address string `json:"address"`
}

// Message is what a topic carries.
type Message struct {
	ContentType string  `json:"contentType"`
	Payload     *Schema `json:"payload"`
}

// Read reads the document.
func Read() (*Contract, error) {
	var c Contract
	if err := json.Unmarshal(document, &c); err != nil {
		return nil, fmt.Errorf("read asyncapi.json: %w", err)
	}
	return &c, nil
}

// Check returns an error unless a message conforms to the document. It is stricter than a board: a field that is not
// documented is a fault.
func (c *Contract) Check(topic string, payload []byte) error {
	_, leaf, err := wire.ParseTopic(topic)
	if err != nil {
		return err
	}
	m, ok := c.Components.Messages[leaf]
	if !ok {
		return fmt.Errorf("%s: no message %q in the document", topic, leaf)
	}
	var v any = string(payload)
	if m.ContentType != "text/plain" {
		if err := json.Unmarshal(payload, &v); err != nil {
			return fmt.Errorf("%s: %w", topic, err)
		}
	}
	if err := c.check(m.Payload, v, leaf); err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	return nil
}
