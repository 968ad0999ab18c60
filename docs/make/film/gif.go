// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// beside puts the boards next to one another.
func beside(whole image.Image, boards []rect) image.Image {
	var parts []image.Rectangle
	width, height := 0, 0
	for _, r := range boards {
		p := image.Rect(int(r.X*zoom), int(r.Y*zoom), int((r.X+r.W)*zoom), int((r.Y+r.H)*zoom)).Intersect(whole.Bounds())
		parts = append(parts, p)
		width, height = width+p.Dx(), max(height, p.Dy())
	}
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	x := 0
	for _, p := range parts { // the first board of the page is the left one
		draw.Draw(out, image.Rect(x, 0, x+p.Dx(), p.Dy()), whole, p.Min, draw.Src)
		x += p.Dx()
	}
	return out
}

// encode makes a GIF of frames that goes on for ever. Of each picture only the part that changed is kept, and a
// picture that is like the one before only lengthens it.
func encode(frames []frame) ([]byte, error) {
	colors := paletteOf(frames)
	out := gif.GIF{Config: image.Config{ColorModel: colors, Width: frames[0].image.Bounds().Dx(),
		Height: frames[0].image.Bounds().Dy()}}
	index := map[color.RGBA]uint8{}
	var before *image.Paletted
	for i, f := range frames {
		now := reduce(f.image, colors, index)
		changed := now.Bounds()
		if before != nil {
			changed = difference(before, now)
		}
		delay := 100 * between.Milliseconds() / 1000
		if i+1 < len(frames) {
			delay = (frames[i+1].at - f.at).Milliseconds() / 10
		}
		if changed.Empty() {
			out.Delay[len(out.Delay)-1] += int(delay)
			continue
		}
		out.Image = append(out.Image, now.SubImage(changed).(*image.Paletted))
		out.Delay = append(out.Delay, int(delay))
		before = now
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &out); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// coarse rounds a color, so that the shades of an edge count as one.
func coarse(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r>>8) &^ 7, uint8(g>>8) &^ 7, uint8(b>>8) &^ 7, 255}
}

// paletteOf returns up to 128 colors: those that most pixels have, but none that is close to one already chosen. So
// lights, which have few pixels, get their colors too.
func paletteOf(frames []frame) color.Palette {
	count := map[color.RGBA]int{}
	for _, f := range frames {
		for y := f.image.Bounds().Min.Y; y < f.image.Bounds().Max.Y; y++ {
			for x := f.image.Bounds().Min.X; x < f.image.Bounds().Max.X; x++ {
				count[coarse(f.image.At(x, y))]++
			}
		}
	}
	var all []color.RGBA
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], slices.Compare([]uint8{a.R, a.G, a.B}, []uint8{b.R, b.G, b.B}))
	})
	var colors color.Palette
	for _, c := range all {
		if len(colors) < 128 && !slices.ContainsFunc(colors, func(d color.Color) bool { return near(c, d.(color.RGBA)) }) {
			colors = append(colors, c)
		}
	}
	return colors
}

// near reports whether two colors look nearly the same.
func near(a, b color.RGBA) bool {
	square := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return square(a.R, b.R)+square(a.G, b.G)+square(a.B, b.B) < 24*24
}

// reduce gives every pixel its nearest color of the palette. index remembers what was looked up.
func reduce(m image.Image, colors color.Palette, index map[color.RGBA]uint8) *image.Paletted {
	b := m.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), colors)
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := coarse(m.At(b.Min.X+x, b.Min.Y+y))
			i, ok := index[c]
			if !ok {
				i = uint8(colors.Index(c))
				index[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}

// difference is the smallest rectangle with all pixels in which two pictures differ.
func difference(a, b *image.Paletted) image.Rectangle {
	r := image.Rectangle{}
	for y := range b.Bounds().Dy() {
		for x := range b.Bounds().Dx() {
			if a.ColorIndexAt(x, y) != b.ColorIndexAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// hashOf is the hash of what the picture is made from: the page, the game and this program.
func hashOf(root string) (string, error) {
	files, err := fs.Glob(os.DirFS(root), "sync/web/page/*")
	if err != nil {
		return "", err
	}
	files = append(files, game, "docs/make/film/main.go", "docs/make/film/watch.go", "docs/make/film/gif.go")
	sum := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", file, len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
