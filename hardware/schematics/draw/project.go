// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writeProject writes what stands beside a root sheet: the project itself and its tables of libraries.
func writeProject(dir, name string, d *drawing) error {
	pro := fmt.Sprintf("{\n  \"erc\": {\n    \"erc_exclusions\": []\n  },\n  \"meta\": {\n    \"filename\": \"%s.kicad_pro\",\n    \"version\": 3\n  },\n  \"sheets\": [],\n  \"text_variables\": {}\n}\n", name)
	var syms, feet []string
	for _, s := range d.sheets {
		for _, p := range s.parts {
			syms = add(syms, p.symbol)
			feet = add(feet, p.footprint)
		}
	}
	files := map[string]string{
		"sym-lib-table": table("sym_lib_table", syms, func(lib string) string {
			if lib == "boardd" {
				return "${KIPRJMOD}/../lib/boardd.kicad_sym"
			}
			return "${KICAD9_SYMBOL_DIR}/" + lib + ".kicad_sym"
		}),
		"fp-lib-table": table("fp_lib_table", feet, func(lib string) string {
			if lib == "boardd" {
				return "${KIPRJMOD}/../lib/boardd.pretty"
			}
			return "${KICAD9_FOOTPRINT_DIR}/" + lib + ".pretty"
		}),
	}
	if name != "strip" { // the strip's project holds the rules of its layout as well
		files[name+".kicad_pro"] = pro
	}
	for f, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name, f), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// add puts the library of a thing into the list, once.
func add(list []string, thing string) []string {
	lib, _, ok := strings.Cut(thing, ":")
	if !ok || slices.Contains(list, lib) {
		return list
	}
	list = append(list, lib)
	slices.Sort(list)
	return list
}

func table(kind string, libs []string, uri func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(%s\n  (version 7)\n", kind)
	for _, l := range libs {
		fmt.Fprintf(&b, "  (lib (name %q)(type \"KiCad\")(uri %q)(options \"\")(descr \"\"))\n", l, uri(l))
	}
	b.WriteString(")\n")
	return b.String()
}
