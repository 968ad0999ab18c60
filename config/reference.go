// SPDX-License-Identifier: Apache-2.0

package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Reference is the text that documents every setting: a file with all defaults, each under its paragraph, that can be
// pasted and changed.
func Reference() string {
	c := Default()
	return c.Text()
}

// Text is a configuration as a file: every setting under its paragraph.
func (c *Config) Text() string {
	var b strings.Builder
	section := ""
	for _, s := range settings() {
		head, name, nested := strings.Cut(s.name, ".")
		indent := ""
		if nested {
			if head != section {
				fmt.Fprintf(&b, "\n%s:\n", head)
				section = head
			}
			indent = "  "
		} else {
			name = head
		}
		for _, line := range wrap(s.help, 96) {
			fmt.Fprintf(&b, "%s# %s\n", indent, line)
		}
		fmt.Fprintf(&b, "%s%s:%s\n", indent, name, literal(s.field(c), indent))
	}
	return b.String()
}

func literal(field any, indent string) string {
	switch v := field.(type) {
	case *string:
		return " " + Quoted(*v)
	case *[]string:
		if len(*v) == 0 {
			return " []"
		}
		var b strings.Builder
		for _, line := range *v {
			fmt.Fprintf(&b, "\n%s  - %s", indent, Quoted(line))
		}
		return b.String()
	case *map[string]float64:
		var b strings.Builder
		for _, letter := range letters {
			if g, ok := (*v)[letter]; ok {
				fmt.Fprintf(&b, "\n%s  %q: %v", indent, letter, g)
			}
		}
		return b.String()
	case *map[string]string:
		if len(*v) == 0 {
			return " {}"
		}
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(*v)) {
			fmt.Fprintf(&b, "\n%s  %s: %s", indent, Quoted(name), Quoted((*v)[name]))
		}
		return b.String()
	case *int:
		return fmt.Sprint(" ", *v)
	case *float64:
		return fmt.Sprint(" ", *v)
	case *bool:
		return fmt.Sprint(" ", *v)
	}
	panic(fmt.Sprintf("config: a setting of type %T has no text", field))
}

// simple is the form of a text that needs no quotes in YAML.
var simple = regexp.MustCompile(`^[A-Za-z0-9/][A-Za-z0-9_./:@-]*$`)

// Quoted is a text in YAML, in quotes if it could be taken for anything else.
func Quoted(text string) string {
	_, number := strconv.ParseFloat(text, 64)
	switch word := strings.ToLower(text); {
	case !simple.MatchString(text), number == nil, strings.HasPrefix(word, "0x"), strings.HasSuffix(text, ":"):
	case slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, word):
	default:
		return text
	}
	out, err := json.Marshal(text) // texts of JSON are valid YAML
	if err != nil {
		panic(err) // every text can be written as JSON
	}
	return string(out)
}

// Values is every setting by its name: text, int, float64, bool, []string, or a map.
func (c *Config) Values() map[string]any {
	out := map[string]any{}
	for _, s := range settings() {
		out[s.name] = reflect.ValueOf(s.field(c)).Elem().Interface()
	}
	return out
}

// TakesEffectOnReload reports whether a running daemon takes over a setting when the file is read again. Other
// settings need a restart.
func TakesEffectOnReload(name string) bool { return slices.Contains(takenOver, name) }

func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && len(line)+1+len(w) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+w, " ")
	}
	return append(lines, line)
}
