// SPDX-License-Identifier: Apache-2.0

// The program notices writes whose code is in boardd, and under which licences. go run ./docs/make/notices writes
// THIRD-PARTY-NOTICES, and with -bill FILE a CycloneDX bill of the software as well. Run it in the root of the
// repository after a change in go.mod.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// file is where the notices stand.
const file = "THIRD-PARTY-NOTICES"

func main() {
	bill := flag.String("bill", "", "write a CycloneDX bill of the software to this `file`")
	version := flag.String("version", "", "the `version` of boardd that the bill is for")
	flag.Parse()
	if err := run(*bill, *version); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(bill, version string) error {
	modules, err := linked(".")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(notices(modules)), 0o644); err != nil || bill == "" {
		return err
	}
	text, err := billOf(version, modules)
	if err != nil {
		return err
	}
	return os.WriteFile(bill, text, 0o644)
}

// notices is the whole file: who and what first, then each text once.
func notices(modules []module) string {
	var b strings.Builder
	b.WriteString("The program boardd contains code of others, under licences of their own. Their source is at the " +
		"addresses given here.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "%s\n    %s\n    %s\n", m.title(), m.licence(), m.source())
	}
	var texts []string
	of := map[string][]string{}
	for _, m := range modules {
		for _, text := range m.texts {
			if of[text] == nil {
				texts = append(texts, text)
			}
			if !slices.Contains(of[text], m.title()) {
				of[text] = append(of[text], m.title())
			}
		}
	}
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 100), strings.Join(of[text], "\n"), text)
	}
	return b.String()
}

func (m module) title() string {
	if b, ok := besides[m.path]; ok {
		return b.title
	}
	return m.path + " " + m.version
}

func (m module) licence() string {
	if b, ok := besides[m.path]; ok {
		return b.licence
	}
	return licences[m.path]
}

func (m module) source() string {
	if b, ok := besides[m.path]; ok {
		return b.source
	}
	return "https://pkg.go.dev/" + m.path + "@" + m.version
}

func (m module) purl() string {
	purl := "pkg:golang/" + m.path
	if b, ok := besides[m.path]; ok {
		purl = b.purl
	}
	if m.version != "" {
		purl += "@" + m.version
	}
	return purl
}
