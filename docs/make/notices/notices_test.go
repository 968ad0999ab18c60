// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"
)

const root = "../../.."

func TestNoticesAreCurrent(t *testing.T) {
	modules, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(root + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if want := notices(modules); string(got) != want {
		t.Errorf("%s is not what go.mod asks for (%d bytes, want %d): run go run ./docs/make/notices", file, len(got),
			len(want))
	}
	for _, words := range []string{"the Go library", "Portions of avr-libc are Copyright",
		"Eclipse Public License - v 2.0", "nats-server", "periph.io/x/conn", "golang.org/x/sys"} {
		if !strings.Contains(string(got), words) {
			t.Errorf("%s says nothing of %s", file, words)
		}
	}
}

func TestEveryDependencyHasAKnownLicence(t *testing.T) {
	paths, err := required(root)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, path := range paths {
		named[path] = true
		if licences[path] == "" {
			t.Errorf("%s has no row in licences.go", path)
		}
	}
	for path := range licences {
		if !named[path] {
			t.Errorf("licences.go has a row for %s, which go.mod does not name", path)
		}
	}
}

func TestALicenceNobodyHasReadIsRefused(t *testing.T) {
	mit := "Permission is hereby granted, free of charge, to any person\nobtaining a copy of"
	for _, c := range []struct{ module, text, want string }{
		{"github.com/goccy/go-yaml", mit, ""},
		{"example.org/new", mit, "no known licence"},
		{"github.com/goccy/go-yaml", "GNU GENERAL PUBLIC LICENSE", "not that of MIT"},
		{"github.com/klauspost/compress", mit, "not that of BSD-3-Clause"},
	} {
		err := check(c.module, c.text)
		if got := ""; err != nil {
			got = err.Error()
			if c.want == "" || !strings.Contains(got, c.want) {
				t.Errorf("%s: got %q, want %q", c.module, got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%s: got no error, want %q", c.module, c.want)
		}
	}
}

func TestBill(t *testing.T) {
	text, err := billOf("0.2.0", []module{{path: "std"}, {path: "periph.io/x/conn/v3", version: "v3.7.3"}})
	if err != nil {
		t.Fatal(err)
	}
	var got bill
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Components) != 2 || got.Components[1].Purl != "pkg:golang/periph.io/x/conn/v3@v3.7.3" ||
		got.Components[1].Licences[0].Expression != "Apache-2.0" {
		t.Errorf("components: got %+v", got.Components)
	}
	if got.Metadata.Component.Version != "0.2.0" || len(got.Dependencies[0].On) != 2 {
		t.Errorf("bill: got %+v", got)
	}
	if _, err := billOf("", nil); err == nil {
		t.Error("a bill of no version: got no error")
	}
}

// TestTheBillOfThisProgram: a scanner of known faults needs the version of every library, that of Go among them.
func TestTheBillOfThisProgram(t *testing.T) {
	modules, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := billOf("0.2.0", modules)
	if err != nil {
		t.Fatal(err)
	}
	var got bill
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	versions, licences := map[string]string{}, map[string]string{}
	for _, c := range got.Components {
		versions[c.Name], licences[c.Name] = c.Version, c.Licences[0].Expression
	}
	if want := strings.TrimPrefix(runtime.Version(), "go"); versions["std"] != want {
		t.Errorf("the Go library has the version %q, want %q", versions["std"], want)
	}
	if got := licences["chess-openings"]; got != "CC0-1.0" {
		t.Errorf("the names of openings have the licence %q", got)
	}
	for name, version := range versions {
		if _, ok := besides[name]; !ok && version == "" {
			t.Errorf("%s has no version", name)
		}
	}
}

func TestThePackageHasLicenceAndNotices(t *testing.T) {
	text, err := os.ReadFile(root + "/systemd/package/nfpm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LICENSE", "NOTICE", file, "CHANGELOG.md"} {
		if !strings.Contains(string(text), "{src: "+name+", dst: /usr/share/doc/boardd/") {
			t.Errorf("nfpm.yaml does not put %s into the package", name)
		}
	}
}
