// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

// The picture: parts in rows, each in a field of its own, seen from the front, the right and above.
const (
	field   = 240 // pixels
	columns = 5
	margin  = 18
)

// seen turns a point so that x runs to the right, y down and z towards who looks.
func seen(p point) point {
	const turn, tilt = 35 * math.Pi / 180, 30 * math.Pi / 180
	s, c := math.Sincos(turn)
	x, y := c*p[0]-s*p[1], s*p[0]+c*p[1]
	s, c = math.Sincos(tilt)
	return point{x, -(s*y + c*p[2]), s*p[2] - c*y}
}

// draw writes a picture of all parts, each as large as its field allows.
func draw(file string, made []*mesh) (err error) {
	rows := (len(made) + columns - 1) / columns
	img := image.NewNRGBA(image.Rect(0, 0, columns*field, rows*field))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for i, m := range made {
		shade(img, image.Pt(i%columns*field, i/columns*field), m)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return png.Encode(f, img)
}

// shade draws one part: nearer triangles hide those behind.
func shade(img *image.NRGBA, at image.Point, m *mesh) {
	turned := make(mesh, len(*m))
	inside := make([]bool, len(*m))
	least, most := m.bounds()
	for i, t := range *m {
		inside[i] = inRecess(t, least, most)
		for k, p := range t {
			turned[i][k] = seen(p)
		}
	}
	low, high := turned.bounds()
	scale := (field - 2*margin) / max(high[0]-low[0], high[1]-low[1])
	place := func(p point) point {
		return point{field/2 + scale*(p[0]-(low[0]+high[0])/2), field/2 + scale*(p[1]-(low[1]+high[1])/2), p[2]}
	}
	depth := make([]float64, field*field)
	for i := range depth {
		depth[i] = math.Inf(-1)
	}
	for i, t := range turned {
		n := t[1].sub(t[0]).cross(t[2].sub(t[0]))
		length := math.Sqrt(n.dot(n))
		if length == 0 {
			continue
		}
		// y runs down, so the corners run the other way round
		light := 0.4 + 0.6*max(0, -n.dot(point{0.5, -0.7, 0.5})/length)
		if inside[i] {
			light *= 0.6
		}
		c := color.NRGBA{uint8(225 * light), uint8(190 * light), uint8(140 * light), 255}
		fill(img, at, depth, [3]point{place(t[0]), place(t[1]), place(t[2])}, c)
	}
}

// inRecess reports whether a horizontal or vertical triangle lies inside the part and not on its bounding box. Then it
// is the floor of a recess.
func inRecess(t [3]point, least, most point) bool {
	for k := range 3 {
		if at := t[0][k]; at == t[1][k] && at == t[2][k] {
			return at > least[k] && at < most[k]
		}
	}
	return false
}

// fill draws a triangle where nothing nearer is.
func fill(img *image.NRGBA, at image.Point, depth []float64, t [3]point, c color.NRGBA) {
	left, right := math.Floor(min(t[0][0], t[1][0], t[2][0])), math.Ceil(max(t[0][0], t[1][0], t[2][0]))
	top, bottom := math.Floor(min(t[0][1], t[1][1], t[2][1])), math.Ceil(max(t[0][1], t[1][1], t[2][1]))
	area := (t[1][0]-t[0][0])*(t[2][1]-t[0][1]) - (t[1][1]-t[0][1])*(t[2][0]-t[0][0])
	if area == 0 {
		return
	}
	for y := max(top, 0); y <= min(bottom, field-1); y++ {
		for x := max(left, 0); x <= min(right, field-1); x++ {
			a := ((t[1][0]-x)*(t[2][1]-y) - (t[1][1]-y)*(t[2][0]-x)) / area
			b := ((t[2][0]-x)*(t[0][1]-y) - (t[2][1]-y)*(t[0][0]-x)) / area
			if a < 0 || b < 0 || a+b > 1 {
				continue
			}
			z := a*t[0][2] + b*t[1][2] + (1-a-b)*t[2][2]
			if i := int(y)*field + int(x); z > depth[i] {
				depth[i] = z
				img.SetNRGBA(at.X+int(x), at.Y+int(y), c)
			}
		}
	}
}
