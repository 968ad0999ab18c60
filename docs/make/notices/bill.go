// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
)

// The types below are as much of CycloneDX 1.6 as this bill needs: https://cyclonedx.org/docs/1.6/json/

type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type component struct {
	Type     string   `json:"type"`
	Ref      string   `json:"bom-ref"`
	Name     string   `json:"name"`
	Version  string   `json:"version,omitempty"`
	Licences []choice `json:"licenses"`
	Purl     string   `json:"purl,omitempty"`
}

type choice struct {
	Expression string `json:"expression"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// billOf is the bill of one version of boardd. It has no time and no random number in it, so that a version has one
// bill.
func billOf(version string, modules []module) ([]byte, error) {
	if version == "" {
		return nil, fmt.Errorf("a bill needs the version that it is for: -version 0.2.0")
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Component = component{Type: "application", Ref: "boardd", Name: "boardd", Version: version,
		Licences: []choice{{"Apache-2.0"}}}
	all := dependency{Ref: "boardd"}
	for _, m := range modules {
		if m.path == "std" {
			var err error
			if m.version, err = goVersion(); err != nil {
				return nil, err
			}
		}
		c := component{Type: "library", Ref: m.purl(), Name: m.path, Version: m.version,
			Licences: []choice{{m.licence()}}, Purl: m.purl()}
		b.Components = append(b.Components, c)
		all.On = append(all.On, c.Ref)
	}
	b.Dependencies = []dependency{all}
	return json.MarshalIndent(b, "", "  ")
}
