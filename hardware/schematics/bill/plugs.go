// SPDX-License-Identifier: Apache-2.0

package bill

import "fmt"

// plugs holds the plugs that fit connectors, by the number that the connectors name as their mate. They are bought,
// but on no board.
var plugs = map[string]struct {
	value, maker, second string
	ways                 int // crimp contacts that it takes, 0 for one that needs none
	cents                float64
}{
	"M20-1060300": {"housing 1x3", "Harwin", "any 1x3 crimp housing, 2.54 mm", 3, 8},
	"M20-1060400": {"housing 1x4", "Harwin", "any 1x4 crimp housing, 2.54 mm", 4, 9},
	"M20-1061000": {"housing 1x10", "Harwin", "any 1x10 crimp housing, 2.54 mm", 10, 16},
	"61201023021": {"IDC plug 2x5", "Wurth", "any 2x5 IDC plug, 2.54 mm, for ribbon of 1.27 mm", 0, 60},
	"61201623021": {"IDC plug 2x8", "Wurth", "any 2x8 IDC plug, 2.54 mm, for ribbon of 1.27 mm", 0, 80},
	"60900213421": {"jumper", "Wurth", "any jumper of 2.54 mm", 0, 8},
}

// contact is the crimp contact of the housings.
const contact = "M20-1180042"

// plug counts the plug of a connector, and its contacts.
func plug(by map[string]*line, mate, ref string) error {
	p, ok := plugs[mate]
	if !ok {
		return fmt.Errorf("%s: its plug %s is not known: add it to plugs.go", ref, mate)
	}
	if by[mate] == nil {
		by[mate] = &line{value: p.value, footprint: "on a cable", mpn: mate, maker: p.maker, second: p.second,
			cents: p.cents}
	}
	by[mate].refs = append(by[mate].refs, "plug of "+ref)
	for range p.ways {
		if by[contact] == nil {
			by[contact] = &line{value: "crimp contact", footprint: "on a cable", mpn: contact, maker: "Harwin",
				second: "any crimp contact of those housings", cents: 5}
		}
		by[contact].refs = append(by[contact].refs, "contact of "+ref)
	}
	return nil
}
