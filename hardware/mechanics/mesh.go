// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

type point [3]float64

func (a point) sub(b point) point   { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a point) dot(b point) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a point) cross(b point) point {
	return point{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// mesh is the surface of a part, in triangles whose corners run against the clock as seen from outside.
type mesh [][3]point

// parseSTL reads the text form of STL.
func parseSTL(text string) (*mesh, error) {
	var m mesh
	var t [3]point
	n := 0
	for i, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "vertex":
			if len(f) != 4 || n > 2 {
				return nil, fmt.Errorf("line %d: %q, want a vertex of three numbers, three to a facet", i+1, line)
			}
			for k := range 3 {
				v, err := strconv.ParseFloat(f[k+1], 64)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, fmt.Errorf("line %d: %q is no number", i+1, f[k+1])
				}
				t[n][k] = v
			}
			n++
		case f[0] == "endfacet":
			if n != 3 {
				return nil, fmt.Errorf("line %d: a facet of %d corners, want 3", i+1, n)
			}
			m, n = append(m, t), 0
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("no facet: want an STL file in its text form")
	}
	return &m, nil
}

// bounds is the box round the part.
func (m *mesh) bounds() (low, high point) {
	low, high = (*m)[0][0], (*m)[0][0]
	for _, t := range *m {
		for _, p := range t {
			for k := range 3 {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
	}
	return low, high
}

// volume is in cubic millimetres.
func (m *mesh) volume() (v float64) {
	for _, t := range *m {
		v += t[0].dot(t[1].cross(t[2])) / 6
	}
	return v
}

// closed reports whether every edge belongs to two triangles that run along it in opposite directions: what a slicer
// needs.
func (m *mesh) closed() bool {
	edges := map[[2]point]int{}
	for _, t := range *m {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			edges[[2]point{a, b}]++
			edges[[2]point{b, a}]--
		}
	}
	for _, n := range edges {
		if n != 0 {
			return false
		}
	}
	return true
}
