package config

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator is the schema as an editor uses it: what it has against a text.
func validator(t *testing.T) func(text []byte) error {
	t.Helper()
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
	return func(text []byte) error {
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
}

// TestSchema: every sample fits the schema.
func TestSchema(t *testing.T) {
	check := validator(t)
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
}

// TestSchemaAgrees: what the reader refuses for its name, its type, its word or its limits the schema refuses, and nothing else.
func TestSchemaAgrees(t *testing.T) {
	check := validator(t)
	values := []string{"", "text", "17", "0x11", "-5", "1.5", "1000000", "true", "[a]", "[0x20 a1-h2]", "[1]", "{p: 20}", "{x: 20}", "{p: 1}", "{p: heavy}", `""`,
		"stack", "tca9535", "apa102", "free", "clock", "chess", "player"}
	for _, s := range append(settings(), setting{name: "colour"}, setting{name: "leds.color"}) {
		for _, v := range values {
			text := s.name + ": " + v + "\n"
			if head, name, nested := strings.Cut(s.name, "."); nested {
				text = head + ":\n  " + name + ": " + v + "\n"
			}
			if got, want := check([]byte(text)) != nil, malformed(t, text); got != want {
				t.Errorf("%q: refused by the schema %v, by the reader %v", text, got, want)
			}
		}
	}
	for _, text := range []string{"web:\n", "web: 8080\n", "pieces:\n  weights_g:\n"} {
		if got, want := check([]byte(text)) != nil, malformed(t, text); got != want {
			t.Errorf("%q: refused by the schema %v, by the reader %v", text, got, want)
		}
	}
}

// malformed tells whether the reader refuses a text for what each setting may be by itself.
func malformed(t *testing.T, text string) bool {
	t.Helper()
	r := newReader("it", []byte(text))
	tree, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	r.mapping("", tree.Docs[0].Body)
	bad := len(r.faults.List) > 0 || !idForm.MatchString(r.c.Board) || checkWeights(&r.c) != nil
	for _, s := range r.table {
		bad = bad || s.allowed(&r.c) != nil
	}
	for _, line := range append(r.c.Expanders, r.c.Multiplexers...) {
		_, err := chipOf(line, tca9535)
		bad = bad || err != nil
	}
	return bad
}
