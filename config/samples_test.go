// SPDX-License-Identifier: Apache-2.0

package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator returns a function that checks a text by the schema, as an editor does.
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

// TestSchemaAgrees: the schema refuses exactly what the reader refuses for its name, its type, its word or its limits.
func TestSchemaAgrees(t *testing.T) {
	check := validator(t)
	values := []string{"", "text", "17", "0x11", "-5", "1.5", "1000000", "true", "[a]", "[0x20 a1-h2]", "[1]", "{p: 20}",
		"{x: 20}", "{p: 1}", "{p: heavy}", `""`,
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

// malformed reports whether the reader refuses a text because of a single setting.
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
		_, err := chipOf(line, expanders[0])
		bad = bad || err != nil
	}
	return bad
}

// TestEverySampleBroken: in every sample, faults of every kind are all reported at once. Each has its line, its
// column, the text that is there and, after a colon, what would be right.
func TestEverySampleBroken(t *testing.T) {
	names, err := filepath.Glob("samples/*.yaml")
	if err != nil || len(names) < 9 {
		t.Fatalf("%d samples: %v", len(names), err)
	}
	drop := regexp.MustCompile(`(?m)^  (\w+_file|cap_ma|variant|brightness):.*\n`)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := drop.ReplaceAllString(string(text), "")
		for section, lines := range map[string]string{
			"hardware": "  colour: red\n  level: 7\n  expanders: [0x20 a1-a8, 0x20 b1-b8, 0x22 a1 c1-c8]\n",
			"leds":     "  cap_ma: 49\n  brightness: bright\n",
			"game":     "  variant: shogi\n",
		} {
			if strings.Contains(src, "\n"+section+":\n") {
				src = strings.Replace(src, "\n"+section+":\n", "\n"+section+":\n"+lines, 1)
			} else {
				src += "\n" + section + ":\n" + lines
			}
		}
		src = strings.Replace(src, "virtual: true", "virtual: false", 1)
		_, err = Parse(name, []byte(src))
		var faults *Faults
		if !errors.As(err, &faults) {
			t.Fatalf("%s: got %v", name, err)
		}
		lines := strings.Split(src, "\n")
		for setting, want := range map[string][]string{
			"hardware.colour":    {"there is no such setting"},
			"hardware.level":     {"7 is no text"},
			"hardware.expanders": {"0x20 is the address of the chip of a1", "a1 is wired twice", "wired to no chip"},
			"leds.cap_ma":        {"49 mA is out of range: use 114 to 20000"},
			"leds.brightness":    {`"bright" is no whole number: use 1 to 100`},
			"game.variant":       {`"shogi" is not known here: use chess`},
		} {
			_, key, _ := strings.Cut(setting, ".")
			for _, w := range want {
				if !slices.ContainsFunc(faults.List, func(f Fault) bool {
					return f.Setting == setting && strings.Contains(f.What, w) && f.Line > 0 && f.Column > 0 &&
						strings.Contains(lines[f.Line-1], key+":") &&
						strings.Contains(err.Error(), fmt.Sprintf("%s:%d:%d: %s: %s\n  %4d | %s\n", name, f.Line, f.Column, setting,
							f.What, f.Line, lines[f.Line-1]))
				}) {
					t.Errorf("%s: not said with its place: %s: %s; in\n%v", name, setting, w, err)
				}
			}
		}
	}
}

// TestText: a configuration that is written as a file is read back unchanged.
func TestText(t *testing.T) {
	c := Default()
	c.Board, c.Variant, c.EngineOptions, c.WebHosts = "on", "locking",
		map[string]string{"Hash": "16", "Book File": "a: b # c"}, []string{"board.example.org", "1.5"}
	c.WeightsG = map[string]float64{"p": 20, "n": 27, "b": 33, "r": 41, "q": 52, "k": 60, "#": 12, "K": 62.5}
	c.Expanders, c.MQTTCommands, c.Virtual = []string{"0x20 h2-a1", "0x21 a3-h4", "0x22 a5-h6", "0x23 a7-h8"},
		[]string{"move"}, true
	back, err := Parse("it", []byte(c.Text()))
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Text())
	}
	for name, want := range c.Values() {
		if got := back.Values()[name]; !reflect.DeepEqual(got, want) && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
