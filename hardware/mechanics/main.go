// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("o", "build/mechanics", "where the STL files go")
	sources := flag.String("sources", "hardware/mechanics", "where the OpenSCAD sources are")
	picture := flag.String("picture", "hardware/figures/printed-parts.png", "the picture of all parts; empty for none")
	flag.Parse()
	if err := run(*sources, *dir, *picture); err != nil {
		fmt.Fprintln(os.Stderr, "mechanics:", err)
		os.Exit(1)
	}
}

func run(sources, dir, picture string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var made []*mesh
	for i := range parts {
		m, err := parts[i].build(sources, dir)
		if err != nil {
			return err
		}
		made = append(made, m)
		fmt.Printf("%s.stl: %.0f cm3; %s\n", parts[i].name, m.volume()/1000, parts[i].what)
	}
	if picture == "" {
		return nil
	}
	return draw(picture, made)
}
