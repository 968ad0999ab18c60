package config

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchema: every sample fits the schema, and what the reader refuses for its name or type the schema refuses too.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("board.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("board.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		data, err := yaml.YAMLToJSON(text)
		if err != nil {
			return err
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return err
		}
		return schema.Validate(v)
	}
	names, err := filepath.Glob("samples/*.yaml")
	if err != nil || len(names) < 9 {
		t.Fatalf("%d samples: %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := check([]byte(Reference())); err != nil {
		t.Errorf("the reference: %v", err)
	}
	for _, bad := range []string{"bord: x", "hardware: {kind: tower}", "leds: {brightness: bright}", "hardware: {virtual: 1}", "pieces: {weights_g: {x: 3}}"} {
		if check([]byte(bad)) == nil {
			t.Errorf("%s: the schema takes it", bad)
		}
		if _, err := Parse("it", []byte(strings.ReplaceAll(bad, "; ", "\n"))); err == nil {
			t.Errorf("%s: the reader takes it", bad)
		}
	}
}
