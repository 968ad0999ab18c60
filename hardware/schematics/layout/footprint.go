// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"boardd/hardware/schematics/sexp"
)

// Libraries are the folders of footprints: those of KiCad itself, and ours.
type Libraries struct{ KiCad, Ours string }

// netName is a net's name as a board's file has it.
func netName(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return strings.ReplaceAll(name, "/", "{slash}")
}

// footprint loads one from a library.
func (b *board) footprint(id string) *node {
	lib, name, _ := strings.Cut(id, ":")
	dir := b.lib.KiCad
	if lib == "boardd" {
		dir = b.lib.Ours
	}
	src, err := os.ReadFile(filepath.Join(dir, lib+".pretty", name+".kicad_mod"))
	if err != nil {
		b.fault("%w; KiCad's footprints are needed", err)
		return sx("footprint", quoted(id))
	}
	f, err := sexp.Parse(string(src))
	if err != nil {
		b.fault("footprint %s: %w", id, err)
		return sx("footprint", quoted(id))
	}
	without(f, "version", "generator", "generator_version")
	f.List[1] = &node{Word: sexp.Quote(id)}
	return f
}

// words returns the words of a list.
func words(n *node) []string {
	var list []string
	for _, c := range n.List {
		list = append(list, c.Word)
	}
	return list
}

// turn adds a footprint's turn to the angle of a pad or text, which a board's file counts from the board.
func turn(c *node, degrees float64) {
	at := c.Get("at")
	a := math.Mod(float(at.Arg(2))+degrees, 360)
	at.List = append(at.List[:3:3], sx("", a).List[1])
}

// flip mirrors a footprint to the lower side.
func flip(f *node) {
	for i, c := range f.List {
		switch c.Head() {
		case "at", "start", "end", "mid", "center", "xy":
			if y := c.Arg(1); y != "" {
				c.List[2] = &node{Word: negative(y)}
			}
		case "layer", "layers":
			for j, w := range c.List[1:] {
				switch text := w.Text(); {
				case strings.HasPrefix(text, "F."):
					c.List[j+1] = &node{Word: sexp.Quote("B." + text[2:])}
				case strings.HasPrefix(text, "B."):
					c.List[j+1] = &node{Word: sexp.Quote("F." + text[2:])}
				}
			}
		case "effects":
			without(c, "justify")
			c.List = append(c.List, sx("justify", "mirror"))
		case "model":
			continue
		default:
			if f.List[i].IsList() {
				flip(c)
			}
		}
	}
}

// negative changes the sign of a number as it is written: the library has more digits than New keeps.
func negative(number string) string {
	if n, ok := strings.CutPrefix(number, "-"); ok || float(number) == 0 {
		return n
	}
	return "-" + number
}

// without drops lists from a list.
func without(n *node, heads ...string) {
	var keep []*node
	for _, c := range n.List {
		drop := false
		for _, h := range heads {
			drop = drop || c.IsList() && c.Head() == h
		}
		if !drop {
			keep = append(keep, c)
		}
	}
	n.List = keep
}

func effects(size, thickness float64, mirror bool) *node {
	e := sx("effects", sx("font", sx("size", size, size), sx("thickness", thickness)))
	if mirror {
		e.List = append(e.List, sx("justify", "mirror"))
	}
	return e
}

// float reads a number of a library's file, 0 where there is none.
func float(s string) float64 {
	var f float64
	if _, err := fmt.Sscan(s, &f); err != nil {
		return 0
	}
	return f
}
