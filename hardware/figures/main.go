// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// sizes holds the measures of dimensions.scad by their names, in millimetres.
type sizes map[string]float64

var measure = regexp.MustCompile(`(?m)^([a-z_0-9]+) = ([0-9.]+);`)

func readSizes(root string) (sizes, error) {
	text, err := os.ReadFile(filepath.Join(root, "hardware/mechanics/dimensions.scad"))
	if err != nil {
		return nil, err
	}
	s := sizes{}
	for _, m := range measure.FindAllStringSubmatch(string(text), -1) {
		if s[m[1]], err = strconv.ParseFloat(m[2], 64); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"square", "cube", "decks", "magnet_width", "magnet_height", "wander", "strip_width",
		"strip_thick", "rim", "air", "tile"} {
		if s[name] == 0 {
			return nil, fmt.Errorf("dimensions.scad says nothing of %s", name)
		}
	}
	return s, nil
}

// figures returns all pictures by the names of their files.
func figures(root string) (map[string][]byte, error) {
	s, err := readSizes(root)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"stack-section.svg": stackSection(s),
		"twin-section.svg":  twinSection(s),
		"square-plan.svg":   squarePlan(s),
		"wiring.svg":        wiring(),
	}, nil
}

func main() {
	made, err := figures(".")
	for name, text := range made {
		if err == nil {
			err = os.WriteFile(filepath.Join("hardware/figures", name), text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}
