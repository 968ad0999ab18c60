// SPDX-License-Identifier: Apache-2.0

// The program contract writes what other programs need to know. docs/openapi.json has the requests that the daemon
// answers. docs/messages.md has these and the messages of MQTT as tables. Run go run ./docs/make/contract in the root
// of the repository.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"boardd/sync/asyncapi"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	files, err := write()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// document is as much of an AsyncAPI or OpenAPI document as is shown.
type document struct {
	Channels map[string]struct {
		Address, Description string
	}
	Operations map[string]struct {
		Action   string
		Channel  ref
		Bindings struct {
			MQTT struct {
				QoS    int
				Retain bool
			}
		}
	}
	Components struct{ Schemas object }
}

type ref struct {
	Ref string `json:"$ref"`
}

// write returns the files by their names.
func write() (map[string]string, error) {
	var mqtt document
	if err := json.Unmarshal(asyncapi.Document(), &mqtt); err != nil {
		return nil, fmt.Errorf("asyncapi.json: %w", err)
	}
	all := schemas()
	for name, schema := range mqtt.Components.Schemas {
		if all[name] != nil {
			return nil, fmt.Errorf("two schemas are called %s", name)
		}
		all[name] = schema
	}
	open, err := json.MarshalIndent(openAPI(all), "", "  ")
	if err != nil {
		return nil, err
	}
	return map[string]string{"docs/openapi.json": string(open) + "\n", "docs/messages.md": messages(&mqtt, all)}, nil
}

// openAPI is the OpenAPI 3.1 document of the requests.
func openAPI(all object) object {
	paths := object{}
	for _, r := range routes {
		var parameters []object
		for part := range strings.SplitSeq(r.path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok {
				name = strings.TrimSuffix(name, "}")
				parameters = append(parameters, object{"name": name, "in": "path", "required": true,
					"schema": object{"type": "string"}})
			}
		}
		for _, q := range r.query {
			parameters = append(parameters, object{"name": q.name, "in": "query", "description": q.does,
				"schema": object{"type": "string"}})
		}
		o := object{"summary": r.does, "description": "Right: " + strings.ToLower(r.right), "responses": object{
			"200":     object{"description": "done", "content": content(r.answer)},
			"default": object{"description": "refused", "content": content("failed")},
		}}
		if parameters != nil {
			o["parameters"] = parameters
		}
		if r.body != "" {
			o["requestBody"] = object{"required": true, "content": content(r.body)}
		}
		path, _ := paths[r.path].(object)
		if path == nil {
			path = object{}
			paths[r.path] = path
		}
		path[strings.ToLower(r.method)] = o
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "boardd", "version": "1.0.0",
			"description": "The requests that a daemon answers on web.listen."},
		"paths":      paths,
		"components": object{"schemas": all},
	}
}

func content(name string) object {
	switch name {
	case "stream":
		return object{"text/event-stream": object{}}
	case "text", "token":
		return object{"text/plain": object{}}
	case "pgn":
		return object{"application/x-chess-pgn": object{}}
	}
	return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + name}}}
}
