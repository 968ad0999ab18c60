// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	if err := draw(picture, made); err != nil {
		return err
	}
	return from(sources, picture)
}

// from writes beside the picture what it was made from, and the hash of that.
func from(sources, picture string) error {
	files, err := filepath.Glob(filepath.Join(sources, "*.scad"))
	if err != nil {
		return err
	}
	sum, names := sha256.New(), []string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sum.Write(text)
		names = append(names, "mechanics/"+filepath.Base(file))
	}
	return os.WriteFile(picture+".from", fmt.Appendf(nil, "%s\n%x\n", strings.Join(names, " "), sum.Sum(nil)), 0o644)
}
