// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"strings"
)

// Reference is the text that documents every setting: a file with all defaults, each under its paragraph, that can be
// pasted and changed.
func Reference() string {
	var b strings.Builder
	c := Default()
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
		fmt.Fprintf(&b, "%s%s:%s\n", indent, name, literal(s.field(&c), indent))
	}
	return b.String()
}

func literal(field any, indent string) string {
	switch v := field.(type) {
	case *string:
		if *v == "" || *v == "#" {
			return fmt.Sprintf(" %q", *v)
		}
		return " " + *v
	case *[]string:
		if len(*v) == 0 {
			return " []"
		}
		var b strings.Builder
		for _, line := range *v {
			fmt.Fprintf(&b, "\n%s  - %s", indent, line)
		}
		return b.String()
	case *map[string]float64:
		var b strings.Builder
		for _, letter := range []string{"p", "n", "b", "r", "q", "k", "#"} {
			fmt.Fprintf(&b, "\n%s  %q: %v", indent, letter, (*v)[letter])
		}
		return b.String()
	case *map[string]string:
		return " {}" // there are none by default
	case *int:
		return fmt.Sprint(" ", *v)
	case *float64:
		return fmt.Sprint(" ", *v)
	case *bool:
		return fmt.Sprint(" ", *v)
	}
	panic(fmt.Sprintf("config: a setting of type %T has no text", field))
}

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
