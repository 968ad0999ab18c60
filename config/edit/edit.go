// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"regexp"
	"slices"
	"strings"

	"boardd/rules/say"
)

// place is where a setting stands in a text, or where it may be put.
type place struct {
	line   int    // index of its line, or of the line before which it goes
	there  bool   // the setting has a line
	header string // a section that has to be begun first
	indent string
}

// Set replaces the value of a setting by another one, written as YAML in one line. A setting that the text does not
// have yet is added to its section. A value over several lines is an error that names the line.
func Set(src []byte, name, value string) ([]byte, error) {
	if strings.ContainsAny(value, "\n\r") {
		return nil, say.Error("%s: a value of more than one line is changed in the file itself", name)
	}
	ending := "\n"
	if strings.Contains(string(src), "\r\n") {
		ending = "\r\n"
	}
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	at, err := find(lines, name)
	if err != nil {
		return nil, err
	}
	_, key, nested := strings.Cut(name, ".")
	if !nested {
		key = name
	}
	switch {
	case at.there:
		if lines[at.line], err = replaced(lines, at.line, value); err != nil {
			return nil, say.Error("%s: %v", name, err)
		}
	case at.header != "":
		lines = append(lines, at.header+":", at.indent+key+": "+value)
	default:
		lines = slices.Insert(lines, at.line, at.indent+key+": "+value)
	}
	return []byte(strings.Join(lines, ending) + ending), nil
}

var (
	entry = regexp.MustCompile(`^( *)("?)([A-Za-z_#][A-Za-z0-9_]*)"?:(?: +(.*)|)$`)
	bare  = regexp.MustCompile(`^( *)([a-z0-9_]+):\s*(#.*)?$`)
)

// find finds the line of a setting.
func find(lines []string, name string) (place, error) {
	section, key, nested := strings.Cut(name, ".")
	if !nested {
		for i, line := range lines {
			if m := entry.FindStringSubmatch(line); m != nil && m[1] == "" && m[3] == name {
				return place{line: i, there: true}, nil
			}
		}
		return place{line: 0}, nil // first: at the end it could fall into a section
	}
	for i, line := range lines {
		m := entry.FindStringSubmatch(line)
		if m == nil || m[1] != "" || m[3] != section {
			continue
		}
		if !bare.MatchString(line) {
			return place{}, say.Error("%s: the section %s is written in one line, line %d: change it in the file itself", name,
				section, i+1)
		}
		return within(lines, i, key), nil
	}
	return place{header: section, indent: "  "}, nil
}

// within finds a setting in the section that begins at a line.
func within(lines []string, header int, key string) place {
	indent := ""
	for i := header + 1; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " ")
		if line == "" || strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
			continue
		}
		if line[0] != ' ' {
			break
		}
		m := entry.FindStringSubmatch(lines[i])
		if m != nil && indent == "" {
			indent = m[1]
		}
		if m != nil && m[1] == indent && m[3] == key {
			return place{line: i, there: true}
		}
	}
	if indent == "" {
		indent = "  "
	}
	return place{line: header + 1, indent: indent}
}

// replaced is a line with another value, and the comment behind it.
func replaced(lines []string, i int, value string) (string, error) {
	m := entry.FindStringSubmatchIndex(lines[i])
	line, start := lines[i], m[8]
	if start < 0 { // there is nothing after the name
		if i+1 < len(lines) && deeper(lines[i+1], m[3]-m[2]) {
			return "", say.Error("its value begins in line %d: change it in the file itself", i+2)
		}
		return strings.TrimRight(line, " ") + " " + value, nil
	}
	old := line[start:]
	end := len(old)
	switch {
	case old[0] == '"' || old[0] == '\'':
		if end = closing(old); end < 0 {
			return "", say.Error("line %d: the text in quotes goes on in the next line: change it in the file itself", i+1)
		}
	case strings.ContainsRune("|>&*!{", rune(old[0])), old[0] == '[' && !strings.HasPrefix(old, "[]"):
		return "", say.Error("line %d: %q is more than one value: change it in the file itself", i+1, old)
	case old[0] == '#':
		end = 0
		value += " "
	default:
		if k := strings.Index(old, " #"); k >= 0 {
			end = len(strings.TrimRight(old[:k], " "))
		}
	}
	return line[:start] + value + old[end:], nil
}

// deeper reports whether a line is indented by more than this many spaces, and is not a comment.
func deeper(line string, indent int) bool {
	trimmed := strings.TrimLeft(line, " ")
	return trimmed != "" && trimmed[0] != '#' && (len(line)-len(trimmed) > indent || trimmed[0] == '-')
}

// closing is the index after the quote that ends a text, -1 if there is none.
func closing(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return -1
}
